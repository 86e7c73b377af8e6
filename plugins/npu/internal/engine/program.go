// Package engine runs a vertex program over the matrix of its resident chunks: it makes the parts and calls them in
// order.
//
//	New      task ──▶ lanes, and what their matrix takes                     (program.go, lanes.go, memory.go)
//	Init     initial state, first active set                                 (program.go)
//	Step     chunks ──▶ matrix; state ──matrix──▶ accumulators               (step.go)
//	Apply    accumulators ──▶ state, next active set                         (program.go)
//	Iterate  Step and Apply until converged, or several steps at a time      (iterate.go, unroll.go)
//	Settle   the same for some vertices                                      (settle.go)
//	Gather, Deliver   accumulators or states of another session              (exchange.go)
//	Restore  from the state of an earlier session                            (restore.go)
//	Leave    matrix ──▶ the next session on the arena                        (admit.go)
package engine

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/npu/internal/edges"
	"github.com/penstock-db/penstock/plugins/npu/internal/lane"
	"github.com/penstock-db/penstock/plugins/npu/internal/matrix"
)

// Program is a vertex program made ready for one graph, and where a run of it stands.
type Program struct {
	spec     *algorithms.Program
	n        int
	settling bool // by Settle alone
	part     bool // other sessions have the rest of the edges
	late     bool // messages may be sent later than their iteration

	lanes     []*lane.Lane
	active    []uint64 // Layout.Active: the vertices that are active in some lane
	departing []uint64 // settle: the vertices that send in a round
	maker     *matrix.Maker
	chunks    edges.Chunks

	iteration int             // as the host counts
	rounds    int             // steps done, of which several may be an iteration
	sent      map[uint32]bool // the chunks along whose edges messages have gone since the last Apply
}

// New makes a task's program ready. It allocates registers only; Allocate, once the budget has agreed, does the rest.
func New(on matrix.Runtime, budget *kit.Budget, job plugins.Job, task plugins.Task) (*Program, error) {
	p := &Program{spec: task.Program, n: int(job.Graph.Vertices), settling: task.Settle, part: task.Part,
		chunks: edges.Chunks{}, sent: map[uint32]bool{}}
	if err := shape.Checked(p.spec); err != nil {
		return nil, err
	}
	if p.settling {
		if err := shape.Settles(p.spec); err != nil {
			return nil, err
		}
	}
	p.late = sendsLate(p.spec, p.settling, p.part)
	var err error
	if p.active, err = kit.OpenBitmap(job.Arena, task.Layout.Active, p.n); err != nil {
		return nil, err
	}
	if p.lanes, err = openLanes(job.Arena, task, p.active, p.n); err != nil {
		return nil, err
	}
	linked := job.Graph.Linked
	if linked == 0 {
		linked = job.Graph.Vertices
	}
	matrices := matrix.Task{Spec: p.spec, Vertices: p.n, Lanes: len(p.lanes), Later: p.late}
	p.maker, err = matrix.New(on, budget, matrices, int(min(linked, job.Graph.Vertices)))
	return p, err
}

// Init evaluates the initial state.
func (p *Program) Init(context.Context) error {
	p.iteration, p.rounds = 0, 0
	clear(p.sent)
	for _, l := range p.lanes {
		l.Start()
	}
	unite(p.active, p.lanes)
	return nil
}

// Apply ends an iteration.
func (p *Program) Apply(context.Context) error {
	p.turn()
	return nil
}

// turn ends an iteration. A lane that has converged stays as it is.
func (p *Program) turn() {
	for _, l := range p.lanes {
		if len(p.lanes) == 1 || p.spec.Exactly || !l.Settled(p.iteration) {
			l.Turn()
		}
	}
	p.iteration++
	p.rounds++
	clear(p.sent)
	unite(p.active, p.lanes)
}

// Iteration says where the run stands.
func (p *Program) Iteration() *plugins.Iteration {
	it := &plugins.Iteration{Number: p.iteration, Active: bitmap.Count(p.active)}
	settled := true
	for _, l := range p.lanes {
		it.Change = max(it.Change, l.Change)
		settled = settled && l.Settled(p.iteration)
	}
	if p.settling {
		it.Converged = it.Active == 0
	} else {
		it.Converged = p.rounds >= bound(p.spec, p.n, p.late) || settled && !p.spec.Exactly
	}
	return it
}

// Converted is how long matrices have taken to make.
func (p *Program) Converted() time.Duration { return p.maker.Converted() }
