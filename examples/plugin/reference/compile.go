package reference

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// frame is what a program and a procedure work with.
type frame struct {
	graph   plugins.Graph
	columns kit.Columns // in the arena
	rows    kit.Rows    // vectors of vertices
	budget  *kit.Budget
}

// compile makes a task ready. It says which lists it wants, those along which messages
// leave a vertex, and what it takes beside the chunks.
func compile(job plugins.Job, task plugins.Task, budget *kit.Budget) (c kit.Compiled, err error) {
	f := frame{graph: job.Graph, budget: budget}
	if f.columns, err = kit.OpenColumns(job.Arena, task.Layout, int(job.Graph.Vertices)); err != nil {
		return c, err
	}
	if f.rows, err = kit.OpenRows(job.Arena, task.Layout, int(job.Graph.Vertices)); err != nil {
		return c, err
	}
	edges, states := algorithms.Forward, 0
	if task.Program != nil {
		edges, states, c.Plan.Kernel = task.Program.Edges, len(task.Program.State), "interpreted"
		c.Program, err = newProgram(f, job, task)
	} else {
		c.Plan.Kernel = "oracle" // which needs the edges once
		p, failed := newProcedure(f, task)
		c.Procedure, c.EdgeColumns, c.Rows, err = p, p.edgeColumns, true, failed
	}
	c.Plan.Directions = plugins.Directions(edges, false, job.Graph.Directed)
	c.Plan.Fixed = kit.LayoutBytes(task.Layout) + scratch(job.Graph.Vertices, states)
	return c, err
}

// scratch is what the interpreter keeps beside the columns in the arena: ids and two
// arrays of offsets, the state before and after, accumulators, activity, and the offsets
// of the chunk being stepped.
func scratch(n uint64, states int) uint64 { return (n + 1) * uint64(24+16*states+8+1+8) }

// Admit charges what lists makes of a chunk.
func (f frame) Admit(c *kit.Chunk) error { return f.budget.Take(decoded(c), "the chunk's lists") }

// Evict gives it back.
func (f frame) Evict(c *kit.Chunk) { f.budget.Give(decoded(c)) }

func decoded(c *kit.Chunk) uint64 { return 4 * uint64(c.Edges()) }

// lists are a chunk's lists as the interpreter wants them: dense ids, every vertex there.
func (f frame) lists(c *kit.Chunk, edgeColumns []string) algorithms.Lists {
	l := algorithms.Lists{Offsets: make([]int, f.graph.Vertices+1), Columns: map[string][]float64{}}
	for row := range c.Rows() {
		l.Offsets[c.Vertex(row)+1] = int(c.Offsets()[row+1])
	}
	for v := range f.graph.Vertices {
		l.Offsets[v+1] = max(l.Offsets[v+1], l.Offsets[v])
	}
	for _, neighbor := range c.Neighbors() {
		l.Neighbors = append(l.Neighbors, uint32(c.Meta().Cols.Base)+neighbor)
	}
	for i, name := range edgeColumns {
		l.Columns[name] = c.Weights[i]
	}
	return l
}

// ids is the id of every vertex; its dense number when the task does not use ids.
func (f frame) ids() []int64 {
	if column, ok := f.columns["id"]; ok {
		return column.Ints
	}
	ids := make([]int64, f.graph.Vertices)
	for v := range ids {
		ids[v] = int64(v)
	}
	return ids
}

// write puts computed columns into the arena.
func (f frame) write(columns []algorithms.Values) {
	for _, from := range columns {
		to := f.columns[from.Name]
		copy(to.Floats, from.Floats)
		copy(to.Ints, from.Ints)
		copy(to.Bools, from.Bools)
	}
}
