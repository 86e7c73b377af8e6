package cpu

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
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
	columns kit.Columns
	pool    pool
}

func newProcedure(job plugins.Job, task plugins.Task, pool pool) (procedure, plugins.Plan, error) {
	build, ok := procedures[task.Procedure]
	if !ok {
		return nil, plugins.Plan{}, plugins.Errorf(plugins.KindUnsupported, "procedure %q is not among %v", task.Procedure, procedureNames())
	}
	f := frame{graph: job.Graph, n: int(job.Graph.Vertices), args: task.Args, pool: pool}
	var err error
	if f.columns, err = kit.OpenColumns(job.Arena, task.Layout, f.n); err != nil {
		return nil, plugins.Plan{}, err
	}
	p, err := build(f)
	if err != nil {
		return nil, plugins.Plan{}, err
	}
	return p, plugins.Plan{
		Directions: plugins.Directions(algorithms.BothSides, true, job.Graph.Directed),
		Fixed:      kit.LayoutBytes(task.Layout) + p.scratch(),
		Kernel:     task.Procedure,
	}, nil
}

// require fails unless the columns are in the layout, with these types.
func (f frame) require(columns ...algorithms.Column) error { return f.columns.Require(columns...) }

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

// overlapping are the chunks with rows in [from, to).
func overlapping(chunks []*resident, from, to int) []*resident {
	var near []*resident
	for _, r := range chunks {
		if int(r.rows.Base) < to && from < int(r.rows.End()) {
			near = append(near, r)
		}
	}
	return near
}

// list is the part of v's list that r has, local to r.cols.
func (r *resident) list(v int) []uint32 {
	row := v - int(r.rows.Base)
	if row < 0 || row >= int(r.rows.Count) {
		return nil
	}
	if r.vertices != nil {
		at, found := slices.BinarySearch(r.vertices, uint32(row))
		if !found {
			return nil
		}
		row = at
	}
	return r.neighbors[r.offsets[row]:r.offsets[row+1]]
}

// entries is the length of all lists together.
func entries(chunks []*resident) (sum uint64) {
	for _, r := range chunks {
		sum += uint64(len(r.neighbors))
	}
	return sum
}

// out tells whether r's lists lead along the edges; an undirected graph's do.
func (r *resident) out() bool { return r.direction != chunk.In }
