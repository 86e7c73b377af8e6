package npu

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
	"github.com/penstock-db/penstock/plugins/npu/model"
)

// program is a vertex program made ready for one graph, and where a run of it stands.
type program struct {
	device   *device
	budget   *kit.Budget
	spec     *algorithms.Program
	n        int
	threads  int
	settling bool // by Settle alone
	part     bool // other sessions have the rest of the edges

	lanes     []*lane
	active    []uint64 // Layout.Active: who is active in some lane
	departing []uint64 // settle: who sends in a round

	model      *model.Plan
	linked     int           // how many vertices have an edge, at most
	grown      bool          // more were linked than the plan was told
	matrix     *matrix       // nil: none is made
	earlier    *legacy       // a matrix such as this program's, until it is seen whether it is of the same chunks; nil: none
	conversion time.Duration // spent making matrices

	iteration int // as the host counts
	rounds    int // steps done, of which several may be an iteration
	chunks    map[uint32]*resident
	sent      map[uint32]bool // the chunks along whose edges messages have gone since the last Apply
}

// compile makes a task's program ready. It allocates registers only; allocate, once the
// budget has agreed, does the rest.
func compile(d *device, b *kit.Budget, job plugins.Job, task plugins.Task) (*program, error) {
	p := &program{device: d, budget: b, spec: task.Program, n: int(job.Graph.Vertices), threads: job.Threads, settling: task.Settle,
		part: task.Part, chunks: map[uint32]*resident{}, sent: map[uint32]bool{}}
	if err := shape.Checked(p.spec); err != nil {
		return nil, err
	}
	if p.settling {
		if err := shape.Settles(p.spec); err != nil {
			return nil, err
		}
	}
	if err := p.openLanes(job, task); err != nil {
		return nil, err
	}
	linked := job.Graph.Linked
	if linked == 0 {
		linked = job.Graph.Vertices
	}
	return p, p.size(int(min(linked, job.Graph.Vertices)))
}

// size plans a matrix of so many vertices.
func (p *program) size(linked int) (err error) {
	p.linked = linked
	p.model, err = model.For(p.spec, model.Size{N: linked, Lanes: len(p.lanes), Threads: p.threads,
		Facts: p.device.options.Provider.Facts(), Paper: p.device.options.Paper})
	return err
}

// grow is for a session that is given more chunks than it was told of, another's for instance.
func (p *program) grow(linked int) error {
	if linked <= p.linked {
		return nil
	}
	before := p.model.Bytes + p.scratch()
	p.grown = true
	if err := p.size(linked); err != nil {
		return err
	}
	return p.budget.Take(p.model.Bytes+p.scratch()-before, "a matrix of more vertices than were announced")
}

// scratch is what allocate and make take and the machines hold, but for the model's.
func (p *program) scratch() uint64 {
	bytes := compactionBytes(p.n, p.linked)
	for _, l := range p.lanes {
		bytes += l.scratch() + p.vectorBytes(p.linked)
	}
	if p.settling {
		bytes += 8 * uint64(bitmap.Words(p.n))
	}
	if p.isLoose() {
		bytes += 8 * uint64(bitmap.Words(p.n)*len(p.lanes))
	}
	if len(p.lanes) > 1 {
		bytes += 8 * uint64(bitmap.Words(p.n)*len(p.lanes))
	}
	return bytes
}

// allocate makes what the budget was asked for, but for the matrix.
func (p *program) allocate() {
	for _, l := range p.lanes {
		if l.allocate(); len(p.lanes) > 1 {
			l.active = make([]uint64, bitmap.Words(p.n))
		}
		if p.isLoose() {
			l.left = make([]uint64, bitmap.Words(p.n))
		}
	}
	if p.settling {
		p.departing = make([]uint64, bitmap.Words(p.n))
	}
}

// plan is the answer to Compile.
func (p *program) plan(graph plugins.Graph, layout plugins.Layout) plugins.Plan {
	return plugins.Plan{
		Directions: plugins.Directions(p.spec.Edges, true, graph.Directed), // a list is a row of the matrix
		Fixed:      kit.LayoutBytes(layout) + p.scratch() + p.model.Bytes,
		Kept:       p.model.Bytes + compactionBytes(p.n, p.linked),
		Kernel:     p.model.Kernel,
	}
}

// Init evaluates the initial state.
func (p *program) Init(context.Context) error {
	p.iteration, p.rounds = 0, 0
	clear(p.sent)
	for _, l := range p.lanes {
		l.start()
	}
	p.unite()
	return nil
}

// Apply ends an iteration.
func (p *program) Apply(context.Context) error {
	p.turn()
	return nil
}

// Converted is how long matrices have taken to make.
func (p *program) Converted() time.Duration { return p.conversion }

// turn ends an iteration. A lane that has converged stays as it is.
func (p *program) turn() {
	for _, l := range p.lanes {
		if len(p.lanes) == 1 || p.spec.Exactly || !l.isSettled(p.iteration) {
			l.turn()
		}
	}
	p.iteration++
	p.rounds++
	clear(p.sent)
	p.unite()
}

// Iteration says where the run stands.
func (p *program) Iteration() *plugins.Iteration {
	it := &plugins.Iteration{Number: p.iteration, Active: bitmap.Count(p.active)}
	settled := true
	for _, l := range p.lanes {
		it.Change = max(it.Change, l.change)
		settled = settled && l.isSettled(p.iteration)
	}
	if p.settling {
		it.Converged = it.Active == 0
	} else {
		it.Converged = p.rounds >= p.bound() || settled && !p.spec.Exactly
	}
	return it
}
