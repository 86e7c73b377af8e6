package algorithm

import (
	"iter"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Graph is what an algorithm computes on. Its vertices are 0 … Vertices-1, in the order of storage. Several goroutines
// may use it at once.
type Graph struct {
	Size
	threads int
	ids     []int64
	degrees [2][]int64 // out, in
	lists   [2]index   // likewise; empty: not read
	columns kit.Columns
	vectors map[string]Vectors // by parameter
	tell    func(fraction float64)
	table   *table
}

// The two ways that edges lead.
const (
	out = iota
	in
)

func newGraph(job plugins.Job, columns kit.Columns) *Graph {
	return &Graph{
		Size:    Size{Vertices: job.Graph.Vertices, Edges: job.Graph.Edges, Directed: job.Graph.Directed},
		threads: threads(job.Threads), columns: columns, ids: columns["id"].Ints, tell: func(float64) {},
		degrees: [2][]int64{columns["out_degree"].Ints, columns["in_degree"].Ints},
	}
}

// N is the number of vertices.
func (g *Graph) N() int { return int(g.Vertices) }

// ID is how arguments and results name vertex v.
func (g *Graph) ID(v int) int64 { return g.ids[v] }

// Vertex is the vertex of that ID, such as an argument has; -1: there is none. It looks at all vertices.
func (g *Graph) Vertex(id int64) int { return slices.Index(g.ids, id) }

// Property has the values of the vertex property that the arguments name for a parameter of type "vertex-property", one
// of each vertex: Ints or Floats, as the definition says. They are only to be read. It has none where the parameter is
// optional and names nothing.
func (g *Graph) Property(param string) algorithms.Values {
	return g.columns[algorithms.InputColumn(param)]
}

// Vectors are those of a vertex property: as many numbers of each vertex.
type Vectors struct {
	Width   int // 0: there are none
	numbers []float32
}

// Of is the vector of v. It is only to be read.
func (x Vectors) Of(v int) []float32 { return x.numbers[v*x.Width:][:x.Width:x.Width] }

// Vectors has what the arguments name for a parameter of type "vectors". There are none where the parameter is optional
// and names nothing.
func (g *Graph) Vectors(param string) Vectors { return g.vectors[param] }

// openVectors finds them in the arena.
func (g *Graph) openVectors(job plugins.Job, task plugins.Task, of *algorithms.Algorithm) error {
	rows, err := kit.OpenRows(job.Arena, task.Layout, g.N())
	if err != nil {
		return err
	}
	g.vectors = map[string]Vectors{}
	for _, p := range of.Params {
		if p.Type != algorithms.ParamVectors || task.Args.Strings[p.Name] == "" {
			continue
		}
		width := int(task.Args.Ints[p.Name])
		numbers, err := rows.Require(algorithms.InputColumn(p.Name), g.N()*width)
		if err != nil {
			return err
		}
		g.vectors[p.Name] = Vectors{width, numbers}
	}
	return nil
}

// OutDegree is how many edges leave v; of an undirected graph, how many it has. A loop counts once.
func (g *Graph) OutDegree(v int) int { return int(g.degrees[out][v]) }

// InDegree is how many edges come to v; of an undirected graph, how many it has.
func (g *Graph) InDegree(v int) int { return int(g.degrees[in][v]) }

// Out is the list of edges that leave v; of an undirected graph, of all its edges. It panics in an algorithm whose
// definition has the edges "backward".
func (g *Graph) Out(v int) List { return g.lists[out].list(v) }

// In is the list of edges that come to v; of an undirected graph, of all its edges. It panics in an algorithm whose
// definition has the edges "forward", on a directed graph.
func (g *Graph) In(v int) List { return g.lists[in].list(v) }

// Progress tells the user what part of the work is done: 0 … 1.
func (g *Graph) Progress(fraction float64) { g.tell(fraction) }

// List are edges of a vertex: the other ends, in ascending order, and the edge property that the arguments name.
// Parallel edges are entries of their own. A List is good for as long as the function that was given it, or its Graph.
type List struct {
	piece
	rest []piece // a long list lies in several chunks
}

// piece is what a chunk has of a list.
type piece struct {
	base      uint64 // of the neighbors
	neighbors []uint32
	weights   []float64 // nil: 1 each
}

// Len is the number of edges.
func (l List) Len() int {
	n := len(l.neighbors)
	for _, p := range l.rest {
		n += len(p.neighbors)
	}
	return n
}

// All goes over the edges: the other end, and the weight. That is 1 where the arguments name no property.
func (l List) All() iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		if !l.each(yield) {
			return
		}
		for _, p := range l.rest {
			if !p.each(yield) {
				return
			}
		}
	}
}

// each is false where yield has enough.
func (p piece) each(yield func(int, float64) bool) bool {
	if p.weights == nil {
		for _, u := range p.neighbors {
			if !yield(int(p.base)+int(u), 1) {
				return false
			}
		}
		return true
	}
	for i, u := range p.neighbors {
		if !yield(int(p.base)+int(u), p.weights[i]) {
			return false
		}
	}
	return true
}
