package algorithms

import "slices"

// Param is a parameter of an algorithm, as a user gives it: name=value.
type Param struct {
	Name    string
	Type    ParamType
	Default string // as a user would write it; empty: required, unless Optional
	// Optional parameters without a default change what is computed only when given.
	// The Default of an optional ParamProperty, ParamVertexProperty or ParamVectors counts only when the graph has it.
	Optional bool
	// Share of a ParamFloat makes a default of the graph: that share of 1 by the largest number of edges that lead into a
	// vertex, which Bind tells in Ints as MostIn. 0: it has none.
	Share float64
	// Min and Max bound a ParamFloat or ParamInt, both inclusive, when Min < Max.
	Min, Max float64
	Choices  []string // of a ParamChoice
	Several  bool     // ParamVectors: it may name several, with commas in between, whose numbers are one vector
	Values   Type     // of a ParamVertexProperty: what its values are read as, Int or Float
	Missing  string   // of a ParamVertexProperty: what a vertex without a value counts as; empty: each needs one
	Doc      string
}

// ParamType is how a parameter's text is read.
type ParamType uint8

const (
	ParamFloat          ParamType = iota
	ParamInt                      // a non-negative integer
	ParamVertex                   // a user id of an existing vertex
	ParamVertices                 // one or several such ids, all different, separated by commas
	ParamProperty                 // the name of a numeric edge property
	ParamChoice                   // one of Param.Choices
	ParamFloats                   // one or several finite numbers, separated by commas
	ParamVertexProperty           // the name of a numeric vertex property, whose values a procedure is given
	ParamVectors                  // the name of a vertex property of numbers, or lists of numbers, all of one length
)

// Column is one column of a result. A user sees VertexID columns as their own ids, and
// an Int or VertexID that equals Unreached as empty.
//
// A column with a Width has that many values of each vertex, one vertex after the other. Each says how many, where the
// arguments are known (Algorithm.Columns).
//
// With Steps it is paths, as random walks are: it is the only column, of type VertexID, and has of each vertex the
// paths that belong to it, one after the other. What a path lacks is Unreached, at its end. Where its first is
// Unreached there is no path, nor any after it.
//
// A column with Rows is one of a table whose rows are no vertices (Algorithm.Rows).
type Column struct {
	Name  string
	Type  Type
	Width string // the ParamInt, or what Derive adds, that says how many values, or paths, a vertex has; empty: one value
	Steps string // the ParamInt that says how many vertices a path has, at most; empty: values are no paths
	Each  int    // values of a vertex, those of all its paths together; 0: one
	Path  int    // values of a path; 0: there are none
	Rows  int    // rows of the column; 0: one of each vertex
}

// Count is how many values the column has in a graph of so many vertices.
func (c Column) Count(vertices uint64) uint64 {
	if c.Rows > 0 {
		vertices = uint64(c.Rows)
	}
	return vertices * uint64(c.Per())
}

// Per is how many values a vertex has.
func (c Column) Per() int { return max(1, c.Each) }

// MaxWidth bounds the values that a vertex may have in a column.
const MaxWidth = 1 << 16

// MaxRows bounds the rows of a table.
const MaxRows = 1 << 40

// Unreached stands in Int columns for vertices that were not reached; in Float columns it is +Inf or -Inf. In columns
// with a Width it pads lists at their ends, as NaN does in those of type Float.
const Unreached = int64(1<<63 - 1)

// Algorithm is an entry of the catalog: what a user can name in `penstock run`.
type Algorithm struct {
	Name    string
	Aliases []string
	Summary string // one line, for --help
	Source  string // the paper or specification, with section
	Params  []Param
	// Derive refuses parameters that do not go together, by a *ParamError, and adds to Ints what follows from several of
	// them, as the Width of a column. Nil: each parameter stands alone.
	Derive func(Args) error
	Result []Column
	// Vary makes of the columns, which it may change, those that there are for arguments. Nil: they are those of Result.
	Vary  func(Args, []Column) []Column
	Shape Shape
	// Rows says how many rows the result has, at most, where these are no vertices: it is a table, of pairs, paths or
	// rows. What it lacks is Unreached and NaN, at its end. Nil: there is a row of each vertex.
	Rows func(Args) int
	// Yield is what a statement calls the first Result column or, of groups, the last, as Neo4j GDS does; empty: its own
	// name.
	Yield string
	// Exactly one of Program and Procedure is set.
	//
	// Program builds the vertex program for arguments that Bind has accepted.
	Program func(Args) (*Program, error)
	// Procedure describes an algorithm that is no vertex program; a device implements it by name.
	Procedure *Procedure
	// Oracle computes the result on a small graph in memory, plainly: the definition
	// that every device is tested against. One slice for each Result column.
	Oracle func(*Graph, Args) ([]Values, error)
	// Verify checks a result by the properties that define it, without recomputing it
	// where that is cheaper. It returns an error naming the first vertex that is wrong.
	Verify func(*Graph, Args, []Values) error
	// Finish makes the result of a program's last state, in place. Nil: it is the result.
	Finish func([]Values)
	// Approximate: results agree with each other only as far as Verify asks, since they depend
	// on the order in which a device takes the messages.
	Approximate bool
	// Acyclic: where a cycle is in the way there is no result, unless the parameter `iterations`, if there is one, bounds
	// the walks. Tests choose their graphs by it.
	Acyclic bool
	// Figures sums a result up for people. Nil: there is nothing to sum up.
	Figures func([]Values) []Figure
	// Measures say how good a result is. Nil: nothing does.
	Measures func([]Values) []Measure
}

// Columns are those of the result, for arguments that Bind has accepted: each knows how many values it has.
func (a *Algorithm) Columns(args Args) []Column {
	columns := slices.Clone(a.Result)
	for i, c := range columns {
		if c.Width != "" {
			columns[i].Each = int(args.Ints[c.Width])
		}
		if c.Steps != "" {
			columns[i].Path = int(args.Ints[c.Steps])
			columns[i].Each *= columns[i].Path
		}
		if a.Rows != nil {
			columns[i].Rows = a.Rows(args)
		}
	}
	if a.Vary != nil {
		return a.Vary(args, columns)
	}
	return columns
}

// ResultOf is the result that a program's last state comes to.
func (a *Algorithm) ResultOf(state []Values) []Values {
	var result []Values
	for _, c := range a.Result {
		for _, values := range state {
			if values.Name == c.Name {
				values.Column = c
				result = append(result, values)
			}
		}
	}
	if a.Finish != nil {
		a.Finish(result)
	}
	return result
}

// Figure is a number that sums a result up: components, triangles …
type Figure struct {
	Name  string
	Value int64
}

// Measure is a number that says how good a result is: modularity …
type Measure struct {
	Name  string
	Value float64
}

// Procedure is what a device must know of an algorithm that is no vertex program.
type Procedure struct {
	Edges       Edges // which lists it reads: BothSides needs out- and in-chunks
	Adjacency   bool  // true when it needs random access to every list: the whole topology resident
	Edgeless    bool  // it reads no lists at all, only what vertices have
	EdgeColumns func(Args) []string
	Rows        func(Args) []Rows // nil: it has columns alone
	Infinite    bool              // its result may have infinities, and NaN
	Diverged    string            // what it means that a device has found a cycle; empty: none is in the way of a result
}

// Args are bound arguments: checked, defaulted, vertices resolved to their `id`.
type Args struct {
	Floats   map[string]float64
	Ints     map[string]int64     // ParamInt and ParamVertex, and of ParamVectors how many numbers a vector has
	Strings  map[string]string    // ParamProperty, ParamVertexProperty, ParamVectors and ParamChoice
	Vertices map[string][]int64   // ParamVertices
	Lists    map[string][]float64 // ParamFloats
	Directed bool                 // of the graph
	N        int                  // vertices of the graph
	M        int                  // its edges; an undirected edge is one
}

// Values is one result column; the slice of its type is set. Value k of vertex v is at v*Per()+k.
type Values struct {
	Column
	Floats []float64
	Ints   []int64 // Int and VertexID
	Bools  []bool
}

// Graph is a small graph in memory for oracles and verifiers: CSR both ways. Of an
// undirected graph every edge stands in both lists and In equals Out.
type Graph struct {
	Directed bool
	IDs      []int64 // the `id` of each vertex
	Out, In  Lists
	// Properties are those of vertices, by name: Int or Float, each as many values a vertex as its Per says.
	Properties map[string]Values
}

// Lists is one direction of adjacency. Vertex v's list is Neighbors[Offsets[v]:Offsets[v+1]], ascending.
type Lists struct {
	Offsets   []int
	Neighbors []uint32
	Columns   map[string][]float64 // edge properties, one entry a neighbor
}
