package algorithm

import (
	"context"
	"math/bits"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// run is one computation of an algorithm.
type run struct {
	algorithm Algorithm
	args      algorithms.Args
	graph     *Graph
	edges     algorithms.Edges
	result    []algorithms.Values // in the arena
	budget    *kit.Budget
}

// newRun makes an algorithm ready for a graph.
func newRun(job plugins.Job, task plugins.Task, a Algorithm, defined *algorithms.Algorithm,
	budget *kit.Budget) (c kit.Compiled, err error) {
	n := int(job.Graph.Vertices)
	columns, err := kit.OpenColumns(job.Arena, task.Layout, n)
	if err != nil {
		return c, err
	}
	integers := func(name string) algorithms.Column { return algorithms.Column{Name: name, Type: algorithms.Int} }
	inputs := []algorithms.Column{integers("id"), integers("out_degree"), integers("in_degree")}
	for _, in := range defined.VertexInputs(task.Args) {
		inputs = append(inputs, in.Column)
	}
	if err := columns.Require(append(inputs, defined.Columns(task.Args)...)...); err != nil {
		return c, err
	}
	r := run{algorithm: a, args: task.Args, budget: budget, graph: newGraph(job, columns), edges: defined.Procedure.Edges}
	if err := r.graph.openVectors(job, task, defined); err != nil {
		return c, err
	}
	for _, column := range defined.Columns(task.Args) {
		values := columns[column.Name]
		values.Column = column
		r.result = append(r.result, values)
	}
	r.graph.table = &table{algorithm: a.Name}
	if defined.Rows != nil {
		r.graph.table.columns = r.result
	}
	c.Rows = true
	c.EdgeColumns = defined.Procedure.EdgeColumns(task.Args)
	c.Plan = plugins.Plan{
		Directions: plugins.Directions(r.edges, false, job.Graph.Directed),
		Fixed:      kit.LayoutBytes(task.Layout), Kernel: "compute",
	}
	if a.Compute != nil {
		c.Plan.Fixed += uint64(len(c.Plan.Directions)) * indexBytes(n)
		c.Procedure = compute{r}
		return c, r.addMemory(&c.Plan)
	}
	c.Plan.Kernel, c.Plan.ActiveRows = "passes", true
	c.Plan.Fixed += neededBytes(n)
	if err := r.addMemory(&c.Plan); err != nil {
		return c, err
	}
	p := &passes{run: r}
	if c.Procedure = p; !task.Passes {
		return c, nil
	}
	p.needed, err = kit.OpenBitmap(job.Arena, task.Layout.Active, n)
	c.Procedure, c.Program = nil, streamed{p}
	return c, err
}

// addMemory adds to a plan what the algorithm says that it allocates. A sum that overflows would be a small need.
func (r run) addMemory(plan *plugins.Plan) error {
	if r.algorithm.Memory == nil {
		return nil
	}
	told := r.algorithm.Memory(r.graph.Size, r.args)
	sum, carry := bits.Add64(plan.Fixed, told, 0)
	if carry != 0 {
		return plugins.Errorf(plugins.KindInternal, "algorithm %s says that it allocates %d bytes, which no machine has: its "+
			"Memory overflows, or the graph is far too large for it", r.algorithm.Name, told)
	}
	plan.Fixed = sum
	return nil
}

// compute is a run that has the whole graph.
type compute struct{ run }

// Call finds each vertex' lists in the chunks, and computes.
func (r compute) Call(ctx context.Context, chunks []*kit.Chunk, tell func(float64)) (edges uint64, err error) {
	r.graph.tell = tell
	if err := r.graph.index(chunks, r.budget); err != nil {
		return 0, err
	}
	r.begin()
	if err := r.algorithm.Compute(ctx, r.graph, r.args, r.result); err != nil {
		return 0, err
	}
	if err := r.graph.table.end(); err != nil {
		return 0, err
	}
	return countEdges(chunks), ctx.Err()
}

// begin sets the result to zeros, and to no paths: the host may have had something else there. A table has no rows.
func (r run) begin() {
	if r.graph.table.taken.Store(0); len(r.graph.table.columns) > 0 {
		return
	}
	for _, column := range r.result {
		clear(column.Floats)
		clear(column.Ints)
		clear(column.Bools)
		if column.Path > 0 {
			for i := range column.Ints {
				column.Ints[i] = algorithms.Unreached
			}
		}
	}
}

func countEdges(chunks []*kit.Chunk) (edges uint64) {
	for _, c := range chunks {
		edges += uint64(c.Edges())
	}
	return edges
}
