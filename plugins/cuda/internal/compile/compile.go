// Package compile makes a vertex program ready for one graph. What it makes is not changed while the program runs.
//
//	task ──shape──▶ a program of known form, or a refusal        (compile.go)
//	     ──lower──▶ PTX ──driver──▶ kernels                      (compile.go)
//	layout ──▶ columns in the arena                              (compile.go)
//	columns, accumulators, bitmaps, scratch ──▶ one slab         (layout.go)
//	Plan: what the task takes, and which lists it wants          (plan.go)
package compile

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/columns"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/cuda/lower"
	"github.com/penstock-db/penstock/plugins/cuda/solve"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Program is a vertex program made ready for one graph.
type Program struct {
	Spec     *algorithms.Program
	Lowered  *lower.Lowered
	Template *kernels.Template // of this program: its functions are in it
	Solver   solve.Solver      // runs it to its end by itself, once everything is resident; nil: there is none
	N        int
	Edges    uint64         // that a chunk has at most
	Share    chunk.Interval // of the vertices: those that Apply sees to

	Settling   bool // by Settle alone
	Restorable bool // the host reads state between commands
	shares     bool // other sessions see to the rest of the vertices
	part       bool // other sessions have the rest of the edges
	Intervals  bool // of the vertices, others come in turn

	Columns []columns.Column // inputs, then state
	Active  []uint64         // in the arena
	Layout  Layout
}

// New makes a task's program ready. It takes none of the card's memory but for the kernels' text, which is returned
// beside an error as well, to be unloaded.
func New(job plugins.Job, task plugins.Task) (*Program, error) {
	p := &Program{Spec: task.Program, N: int(job.Graph.Vertices), Edges: mostEdges(job.Graph), Settling: task.Settle,
		Restorable: task.Restorable, part: task.Part, Intervals: task.Intervals}
	if err := shape.Checked(p.Spec); err != nil {
		return p, err
	}
	p.Spec = shape.WithoutDefault(p.Spec)
	p.takeShare(task)
	if p.Settling {
		if err := shape.Settles(p.Spec); err != nil {
			return p, err
		}
	}
	if err := p.openColumns(job, task.Layout); err != nil {
		return p, err
	}
	if err := p.load(); err != nil {
		return p, err
	}
	if !p.Settling && !p.Restorable { // the host does not look at it in between
		p.Solver, _ = solve.For(p.Spec, job.Graph)
	}
	p.layOut()
	return p, nil
}

// mostEdges is as many as a chunk can have.
func mostEdges(graph plugins.Graph) uint64 {
	return min(graph.Edges, math.MaxInt32/2) * 2
}

// takeShare is for a session that has not all vertices to see to.
func (p *Program) takeShare(task plugins.Task) {
	p.Share = chunk.Interval{Count: uint64(p.N)}
	if task.Share != nil {
		p.Share, p.shares = *task.Share, true
	}
	if p.Intervals {
		p.Share = chunk.Interval{Base: uint64(p.N / 2), Count: uint64(p.N / 2)}
	}
}

// openColumns finds the columns in the arena.
func (p *Program) openColumns(job plugins.Job, layout plugins.Layout) (err error) {
	if p.Active, err = kit.OpenBitmap(job.Arena, layout.Active, p.N); err != nil {
		return err
	}
	for _, wanted := range algorithms.VertexColumns(p.Spec) {
		c, err := columns.Find(job, layout, wanted, p.N)
		if err != nil {
			return err
		}
		p.Columns = append(p.Columns, c)
	}
	return nil
}

// load has the driver compile the kernels.
func (p *Program) load() (err error) {
	if p.Lowered, err = lower.Lower(p.Spec); err == nil {
		p.Template, err = kernels.LoadTemplate(p.Spec, p.Lowered.PTX)
	}
	return err
}

// Inputs are the columns that the host has filled.
func (p *Program) Inputs() []columns.Column { return p.Columns[:len(p.Columns)-len(p.Spec.State)] }

// State are the columns that the program writes.
func (p *Program) State() []columns.Column { return p.Columns[len(p.Columns)-len(p.Spec.State):] }

// Sent are the columns that messages are made of.
func (p *Program) Sent() (some []columns.Column) {
	for _, c := range p.Columns {
		for _, r := range p.Spec.Process.Checked.GetReferenceMap() {
			if r.GetName() == "src."+c.Name {
				some = append(some, c)
				break
			}
		}
	}
	return some
}

// Pulls tells whether rows gather what their lists send: sums do, so that one row alone writes its accumulator, and
// they are taken in the same order every time. Else rows send, if they are active.
func (p *Program) Pulls() bool { return shape.Accumulates(p.Spec.Reduce) }

// Settles refuses chunks by their least weight, with which the program would go on settling for ever; nil: any will do.
func (p *Program) Settles() func(least float64) error {
	if !p.Settling || p.Spec.Diverged == "" {
		return nil
	}
	return func(least float64) error { return shape.SettlesWith(p.Spec, least) }
}
