// Package algorithm makes the catalog of algorithms callable from a statement:
//
//	CALL algo.pagerank({device: 'cpu', maxIterations: 20}) YIELD node, score
//	CALL algo.wcc.write({writeProperty: 'component'})
//	CALL algo.bfs.stats({source: 'a'}) · CALL algo.sssp.estimate({source: 'a'})
//
// They run in place, on the graph's current snapshot: no projection need come before. nodeLabels and relationshipTypes
// have them run on a part of it:
//
//	CALL algo.louvain({nodeLabels: ['Person'], relationshipTypes: ['KNOWS']}) YIELD node, community
package algorithm

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// Runner runs an algorithm on a graph, or on a part of it.
type Runner interface {
	Run(ctx context.Context, graph string, of store.Projection, request host.Request) (Result, error)
	Estimate(ctx context.Context, graph string, of store.Projection, request host.Request) (*host.Needs, error)
	// Describe tells what a part of a graph has.
	Describe(ctx context.Context, graph string, of store.Projection) (*store.Manifest, error)
	Reader
	// UserID is how a user names a node.
	UserID(ctx context.Context, graph string, node uint64) (string, error)
}

// Result is what an algorithm has computed.
type Result interface {
	Node(i int) uint64 // that has the i-th value
	Report() host.Report
	Topology() uint64 // of the snapshot that it was computed on
	Directed() bool   // what it was computed on
	Columns() []algorithms.Values
	// Value is that of the i-th node in a column, which may be one of another's making; null of an empty one.
	Value(ctx context.Context, column algorithms.Values, i int) (value.Value, error)
	// Pairs goes over the pairs of a result that is pairs.
	Pairs(ctx context.Context, yield func(from, to uint64, score float64) error) error
	// Paths goes over the paths of a result that is paths: the nodes of each, and what it costs to each; nil: nothing.
	Paths(ctx context.Context, yield func(nodes []uint64, costs []float64) error) error
	// Rows goes over the rows of a result that is rows. The slice is used again.
	Rows(ctx context.Context, yield func(row []value.Value) error) error
	// Places are, of a column of nodes, which value each of them has: the i-th, as Node has it; -1 of none.
	Places(ctx context.Context, column int) ([]int, error)
	Write(ctx context.Context, property string) error
	// WriteColumns keeps columns of any numbers under their names, as properties.
	WriteColumns(ctx context.Context, columns []algorithms.Values) error
	Close()
}

// Procedures are those of all algorithms of the catalog, in every mode, and algo.list, with the functions that read
// what they keep. They run on the devices named, and never on a program that a statement names by its path; nil: the
// built-in device and all that are installed.
func Procedures(runner Runner, catalog algorithms.Catalog, devices []string) ([]*procedure.Procedure,
	[]*procedure.Function) {
	all := []*procedure.Procedure{list(catalog)}
	projected := &projections{runner: runner}
	for _, a := range catalog {
		c := call{algorithm: a, runner: runner, projected: projected, devices: devices}
		all = append(all,
			c.procedure("", c.streamed(), c.stream), c.procedure(".stream", c.streamed(), c.stream),
			c.procedure(".stats", stats, c.stats), c.procedure(".estimate", needs, c.estimate))
		if !c.paths() && !c.table() { // which are no property of nodes
			all = append(all, writing(c.procedure(".write", append(stats, field("nodePropertiesWritten", "INTEGER")), c.write)))
		}
		all = append(all, c.compatible()...)
	}
	return slices.Concat(all, projected.procedures(), projected.readers(), projected.keepers(),
		linked{projected}.procedures(), scaling{projected}.procedures(), searches{projected}.traversals(),
		searches{projected}.bellmanFord(), filtering{projected}.procedures()), projected.functions()
}

// call is an algorithm that is to be called.
type call struct {
	algorithm *algorithms.Algorithm
	runner    Runner
	projected *projections
	devices   []string // that it may run on; nil: all that have a name
	// compatibly: as Neo4j GDS does it, where that is something else.
	compatibly bool
	form       *form // how GDS calls it; nil: it is ours
}

type body func(ctx context.Context, g procedure.Graph, request configured, yield func([]value.Value) error) error

func (c call) procedure(mode string, columns []procedure.Field, do body) *procedure.Procedure {
	none := value.OfEntries(nil)
	return &procedure.Procedure{
		Name: "algo." + Name(c.algorithm) + mode, Description: c.algorithm.Summary, Columns: columns, Folds: true,
		Arguments: []procedure.Field{{Name: "configuration", Type: "MAP", Default: &none}},
		Call: func(ctx context.Context, g procedure.Graph, arguments []value.Value, yield func([]value.Value) error) error {
			request, err := c.configure(ctx, g.Name(), arguments[len(arguments)-1])
			if err == nil && len(arguments) > 1 {
				request.projection = arguments[0].Str()
				request.part, err = c.projected.narrowed(g.Name(), request.projection, request.part)
				if err == nil && c.form.prepare != nil {
					err = c.form.prepare(ctx, c, g, &request)
				}
			}
			if err != nil {
				return err
			}
			return c.form.renamed(request.failed(do(ctx, g, request, yield)), request.given)
		},
	}
}

// writing is a procedure that changes the graph, which a transaction that only reads refuses.
func writing(p *procedure.Procedure) *procedure.Procedure {
	p.Writes = true
	return p
}

// failed tells a client why an algorithm could not run.
func failed(err error) error {
	var known *fault.Error
	if err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	met := fault.Met(fault.ProcedureError, "AlgorithmFailed", "%s", err)
	met.Err = err
	return met
}

// Name is how a statement calls an algorithm: kCore for k-core.
func Name(a *algorithms.Algorithm) string { return joined(a.Name, '-') }

// joined are words as one, like kCore.
func joined(words string, between rune) string {
	upper := false
	return strings.Map(func(r rune) rune {
		if r == between {
			upper = true
			return -1
		}
		if upper {
			upper = false
			return unicode.ToUpper(r)
		}
		return r
	}, words)
}

func field(name, kind string) procedure.Field { return procedure.Field{Name: name, Type: kind} }

func (c call) pairs() bool  { return c.algorithm.Shape == algorithms.OfPairs }
func (c call) groups() bool { return c.algorithm.Shape == algorithms.OfGroups }
func (c call) paths() bool  { return c.algorithm.Shape == algorithms.OfPaths }
func (c call) table() bool  { return c.algorithm.Rows != nil }

// streamed are the columns of a result: the node and its values, or two nodes and their score, or a path, or what a
// group has, or those of a table.
func (c call) streamed() []procedure.Field {
	switch {
	case c.pairs():
		names := []string{"node1", "node2"}
		if c.table() {
			names = []string{"source", "target"}
		}
		score := c.algorithm.Result[len(c.algorithm.Result)-1].Name
		return []procedure.Field{field(names[0], "NODE"), field(names[1], "NODE"), field(score, "FLOAT")}
	case c.paths() && c.table():
		return []procedure.Field{field("index", "INTEGER"), field("source", "NODE"), field("target", "NODE"),
			field("totalCost", "FLOAT"), field("nodes", "LIST"), field("costs", "LIST"), field("path", "PATH")}
	case c.paths():
		return []procedure.Field{field("node", "NODE"), field(c.algorithm.Result[0].Name, "LIST")}
	}
	var fields []procedure.Field
	rows := c.algorithm.Shape == algorithms.OfRows
	if !c.groups() && !rows {
		fields = append(fields, field("node", "NODE"))
	}
	for i, column := range c.algorithm.Result {
		name := column.Name
		named := 0
		if c.groups() {
			named = len(c.algorithm.Result) - 1
		}
		if i == named && c.algorithm.Yield != "" {
			name = c.algorithm.Yield
		}
		kind := typeNames[column.Type]
		switch {
		case column.Width != "":
			kind = "LIST"
		case rows && column.Type == algorithms.VertexID:
			kind = "NODE"
		}
		fields = append(fields, procedure.Field{Name: name, Type: kind, Nullable: true})
	}
	return fields
}

var typeNames = map[algorithms.Type]string{
	algorithms.Float: "FLOAT", algorithms.Int: "INTEGER", algorithms.Bool: "BOOLEAN", algorithms.VertexID: "ANY",
}

// run runs the algorithm on what the statement's transaction sees.
func (c call) run(ctx context.Context, g procedure.Graph, request configured) (Result, error) {
	result, err := c.runner.Run(ctx, g.Name(), request.part, request.Request)
	if err != nil {
		return nil, err
	}
	if result.Topology() != g.Topology() {
		result.Close()
		return nil, fault.Met(fault.Conflict, "Conflict", "graph %s was changed since the statement began: try again",
			g.Name())
	}
	return c.form.shaped(ctx, result, request)
}

// stream gives out every node with its values, every pair with its score, every path, every row, or every group.
func (c call) stream(ctx context.Context, g procedure.Graph, request configured,
	yield func([]value.Value) error) error {
	result, err := c.run(ctx, g, request)
	if err != nil {
		return err
	}
	defer result.Close()
	if c.pairs() {
		row := make([]value.Value, 3)
		return result.Pairs(ctx, func(from, to uint64, score float64) error {
			row[0], row[1], row[2] = value.OfNodeID(from), value.OfNodeID(to), value.OfFloat(score)
			return yield(row)
		})
	}
	if c.algorithm.Shape == algorithms.OfRows {
		return result.Rows(ctx, yield)
	}
	if c.paths() {
		index, ways := int64(-1), newWays(g, request, result.Directed())
		return result.Paths(ctx, func(nodes []uint64, costs []float64) error {
			path := listOf(nodes, value.OfNodeID)
			if costs == nil {
				return yield([]value.Value{path[0], value.OfList(path)})
			}
			way, err := ways.through(nodes)
			if err != nil {
				return err
			}
			index++
			last := len(nodes) - 1
			return yield([]value.Value{value.OfInt(index), path[0], path[last], value.OfFloat(costs[last]),
				value.OfList(path), value.OfList(listOf(costs, value.OfFloat)), way})
		})
	}
	columns := result.Columns()
	if c.groups() {
		for _, node := range algorithms.Groups(columns) {
			if err := yieldOf(ctx, result, columns, node, nil, yield); err != nil {
				return err
			}
		}
		return nil
	}
	columns = withEmpty(c.algorithm, columns)
	row := make([]value.Value, 1, 1+len(columns))
	for node := range columns[0].Vertices() {
		row[0] = value.OfNodeID(result.Node(node))
		if err := yieldOf(ctx, result, columns, node, row, yield); err != nil {
			return err
		}
	}
	return nil
}

func listOf[T any](values []T, of func(T) value.Value) []value.Value {
	list := make([]value.Value, len(values))
	for i, x := range values {
		list[i] = of(x)
	}
	return list
}

// withEmpty has empty columns for those that a result has not for its parameters.
func withEmpty(a *algorithms.Algorithm, columns []algorithms.Values) []algorithms.Values {
	if a.Vary == nil {
		return columns
	}
	all := make([]algorithms.Values, len(a.Result))
	for i, column := range a.Result {
		if k := slices.IndexFunc(columns, func(v algorithms.Values) bool { return v.Name == column.Name }); k >= 0 {
			all[i] = columns[k]
		}
	}
	return all
}

// yieldOf gives out a row: what it begins with, and the values of a node.
func yieldOf(ctx context.Context, result Result, columns []algorithms.Values, node int, row []value.Value,
	yield func([]value.Value) error) error {
	for _, column := range columns {
		x, err := result.Value(ctx, column, node)
		if err != nil {
			return err
		}
		row = append(row, x)
	}
	return yield(row)
}

var stats = []procedure.Field{
	field("device", "STRING"), field("schedule", "STRING"), field("iterations", "INTEGER"),
	field("didConverge", "BOOLEAN"),
	field("computeMillis", "FLOAT"), field("totalMillis", "FLOAT"), field("peakDeviceBytes", "INTEGER"),
}

func statsOf(r host.Report) []value.Value {
	return []value.Value{
		value.OfString(r.Device), value.OfString(r.Schedule), value.OfInt(int64(r.Iterations)), value.OfBool(r.Converged),
		value.OfFloat(r.Seconds.Compute * 1e3), value.OfFloat(r.Seconds.Total * 1e3), value.OfInt(int64(r.PeakDeviceBytes)),
	}
}

// stats only tells how the run went.
func (c call) stats(ctx context.Context, g procedure.Graph, request configured, yield func([]value.Value) error) error {
	result, err := c.run(ctx, g, request)
	if err != nil {
		return err
	}
	defer result.Close()
	return yield(statsOf(result.Report()))
}

// write keeps the result as a property of the nodes.
func (c call) write(ctx context.Context, g procedure.Graph, request configured, yield func([]value.Value) error) error {
	result, _, err := c.written(ctx, g, request)
	if err != nil {
		return err
	}
	defer result.Close()
	return yield(append(statsOf(result.Report()), value.OfInt(int64(result.Columns()[0].Vertices()))))
}

// written runs the algorithm and keeps the result as a property, which takes some time.
func (c call) written(ctx context.Context, g procedure.Graph, request configured) (_ Result, took time.Duration,
	err error) {
	if request.writeProperty == "" {
		return nil, 0, fault.Met(fault.ArgumentError, "InvalidArgumentValue",
			"%s.write needs the name of a property: {writeProperty: 'name'}", c.form.called(c.algorithm))
	}
	request.Property = request.writeProperty
	result, err := c.run(ctx, g, request)
	if err != nil {
		return nil, 0, err
	}
	began := time.Now()
	if columns := c.form.kept(result, request.writeProperty, request); columns != nil {
		err = result.WriteColumns(ctx, columns)
	} else {
		err = result.Write(ctx, request.writeProperty)
	}
	if err != nil {
		result.Close()
		return nil, 0, err
	}
	return result, time.Since(began), nil
}

var needs = []procedure.Field{
	field("schedule", "STRING"), field("why", "STRING"), field("bytesDisk", "INTEGER"), field("bytesTransfer", "INTEGER"),
	field("bytesHost", "INTEGER"), field("bytesDevice", "INTEGER"), field("bytesMin", "INTEGER"),
	field("bytesResident", "INTEGER"),
}

// estimate tells what a run would take, without running.
func (c call) estimate(ctx context.Context, g procedure.Graph, request configured,
	yield func([]value.Value) error) error {
	n, err := c.runner.Estimate(ctx, g.Name(), request.part, request.Request)
	if err != nil {
		return err
	}
	row := []value.Value{value.OfString(n.Schedule), value.OfString(n.Why)}
	for _, bytes := range []uint64{n.Disk, n.Transfer, n.Host, n.Device, n.Minimum, n.Resident} {
		row = append(row, value.OfInt(int64(bytes)))
	}
	return yield(row)
}

// list is algo.list.
func list(catalog algorithms.Catalog) *procedure.Procedure {
	return &procedure.Procedure{
		Name: "algo.list", Description: "all algorithms",
		Columns: []procedure.Field{field("name", "STRING"), field("description", "STRING"), field("parameters", "LIST")},
		Call: func(_ context.Context, _ procedure.Graph, _ []value.Value, yield func([]value.Value) error) error {
			for _, a := range catalog {
				var parameters []value.Value
				for _, p := range a.Params {
					parameters = append(parameters, value.OfString(p.Name))
				}
				row := []value.Value{value.OfString("algo." + Name(a)), value.OfString(a.Summary), value.OfList(parameters)}
				if err := yield(row); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
