package cpu

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/inplace"
)

// procedure is an algorithm that is no vertex program, made ready for one graph.
type procedure interface {
	// scratch is what call will allocate, in bytes, however the chunks are cut.
	scratch() uint64
	// call computes the result columns from all chunks and returns how many edges it
	// has looked at.
	call(ctx context.Context, chunks []*resident, tell func(fraction float64)) (uint64, error)
}

// procedures make a procedure ready, by the name of its algorithm.
var procedures = map[string]func(frame) (procedure, error){
	"betweenness": newBetweenness,
	"cdlp":        newCDLP,
	"k-core":      newKCore,
	"lcc":         newLCC,
	"scc":         newSCC,
	"triangles":   newTriangles,
}

func procedureNames() []string { return slices.Sorted(maps.Keys(procedures)) }

// frame is what every procedure works with.
type frame struct {
	graph   plugins.Graph
	n       int
	args    algorithms.Args
	columns inplace.Columns
	pool    pool
}

func newProcedure(job plugins.Job, task plugins.Task, pool pool) (procedure, plugins.Plan, error) {
	build, ok := procedures[task.Procedure]
	if !ok {
		return nil, plugins.Plan{}, plugins.Errorf(plugins.KindUnsupported, "procedure %q is not among %v", task.Procedure, procedureNames())
	}
	f := frame{graph: job.Graph, n: int(job.Graph.Vertices), args: task.Args, pool: pool}
	var err error
	if f.columns, err = inplace.OpenColumns(job.Arena, task.Layout, f.n); err != nil {
		return nil, plugins.Plan{}, err
	}
	p, err := build(f)
	if err != nil {
		return nil, plugins.Plan{}, err
	}
	return p, plugins.Plan{
		Directions: plugins.Directions(algorithms.BothSides, true, job.Graph.Directed),
		Fixed:      inplace.Bytes(task.Layout) + p.scratch(),
		Kernel:     task.Procedure,
	}, nil
}

// require fails unless the columns are in the layout, with these types.
func (f frame) require(columns ...algorithms.Column) error {
	for _, c := range columns {
		if !f.columns.Has(c) {
			return plugins.Errorf(plugins.KindInvalid, "the layout has no column %q of type %v", c.Name, c.Type)
		}
	}
	return nil
}

// groupVertices is the number of vertices of a task of a procedure: few, since a task
// is not interrupted and some vertices have very long lists.
const groupVertices = 64

// groups calls do for every group [from, to) of vertices, with the chunks that have
// rows there, and reports progress between two fractions of the whole.
func (f frame) groups(ctx context.Context, chunks []*resident, p progress, do func(worker, from, to int, near []*resident)) error {
	count := (f.n + groupVertices - 1) / groupVertices
	var done atomic.Int64
	told := p.from
	return f.pool.run(ctx, count, func(worker, group int) {
		from := group * groupVertices
		to := min(from+groupVertices, f.n)
		do(worker, from, to, overlapping(chunks, from, to))
		at := p.at(float64(done.Add(1)) / float64(count))
		if worker == 0 && at-told >= 0.01 { // worker 0 is the caller's goroutine
			told = at
			p.tell(at)
		}
	})
}

// progress is a part of a procedure, between two fractions of the whole.
type progress struct {
	from, to float64
	tell     func(fraction float64)
}

func (p progress) at(part float64) float64 { return p.from + part*(p.to-p.from) }
