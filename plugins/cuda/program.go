package cuda

import (
	"context"
	"errors"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/cuda/lower"
	"github.com/penstock-db/penstock/plugins/cuda/solve"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// program is a vertex program made ready for one graph, and where a run of it stands.
type program struct {
	spec     *algorithms.Program
	lowered  *lower.Lowered
	template *kernels.Template // of this program: its functions are in it
	solver   solve.Solver      // nil: there is none
	n        int
	edges    uint64         // that a chunk has at most
	share    chunk.Interval // of the vertices: those that Apply sees to
	shares   bool           // others see to the rest

	settling   bool // by Settle alone
	restorable bool // the host reads state between commands
	part       bool // other sessions have the rest of the edges

	columns []column // inputs, then state
	active  []uint64 // in the arena
	mirror  []byte   // pinned: the active set on its way there

	layout slabLayout
	slab   driver.Pointer
	room   driver.Pointer // of the solver, while it runs
	kernel kernels.State  // what the template's kernels are told

	started   bool // Init or Restore has run
	prepared  bool // messages and aggregates are of the current state
	hasInputs bool // on the card
	newer     bool // the card has a newer state than the arena
	iteration int
	sent      uint64 // edges, by what has been told
	counters  kernels.Counters
}

// column is a vertex column, on both sides.
type column struct {
	place int    // in kernels.Program.Columns
	bytes []byte // in the arena
	at    uint64 // in the slab
}

// slabLayout is where in the slab everything is.
type slabLayout struct {
	memory.Slab
	program, counters, constants, aggregates uint64
	acc, active, next, messages              uint64
	departing, set                           uint64 // of Settle
	scratch                                  uint64
}

// compile makes a task's program ready. It takes none of the card's memory but for the kernels' text.
func compile(job plugins.Job, task plugins.Task) (*program, error) {
	p := &program{spec: task.Program, n: int(job.Graph.Vertices), edges: mostEdges(job.Graph), settling: task.Settle,
		restorable: task.Restorable, part: task.Part}
	for _, step := range []func() error{
		func() error { return shape.Checked(p.spec) },
		func() error { p.spec = shape.WithoutDefault(p.spec); return nil },
		func() error { p.takeShare(task); return nil },
		p.mustSettle,
		func() error { return p.openColumns(job, task.Layout) },
		p.load,
	} {
		if err := step(); err != nil {
			return p, err
		}
	}
	p.findSolver(job.Graph)
	p.layOut()
	return p, nil
}

// load has the driver compile the kernels.
func (p *program) load() (err error) {
	if p.lowered, err = lower.Lower(p.spec); err == nil {
		p.template, err = kernels.LoadTemplate(p.spec, p.lowered.PTX)
	}
	return err
}

// takeShare is for a session that has not all vertices to see to.
func (p *program) takeShare(task plugins.Task) {
	p.share = chunk.Interval{Count: uint64(p.n)}
	if task.Share != nil {
		p.share, p.shares = *task.Share, true
	}
}

// mustSettle refuses a program that cannot, if that is asked for.
func (p *program) mustSettle() error {
	if !p.settling {
		return nil
	}
	return shape.Settles(p.spec)
}

// openColumns finds the columns in the arena.
func (p *program) openColumns(job plugins.Job, layout plugins.Layout) (err error) {
	if p.active, err = kit.OpenBitmap(job.Arena, layout.Active, p.n); err != nil {
		return err
	}
	places := map[string]int{"id": kernels.ColumnID, "out_degree": kernels.ColumnOutDegree,
		"in_degree": kernels.ColumnInDegree}
	for i, s := range p.spec.State {
		places[s.Name] = kernels.ColumnState + i
	}
	for _, wanted := range algorithms.VertexColumns(p.spec) {
		bytes, err := columnBytes(job, layout, wanted, p.n)
		if err != nil {
			return err
		}
		p.columns = append(p.columns, column{place: places[wanted.Name], bytes: bytes})
	}
	return nil
}

// columnBytes is the memory of a column of n values in the arena.
func columnBytes(job plugins.Job, layout plugins.Layout, wanted algorithms.Column, n int) ([]byte, error) {
	for _, c := range layout.Columns {
		if c.Name != wanted.Name || kit.Width(c.Type) != kit.Width(wanted.Type) ||
			(c.Type == algorithms.Float) != (wanted.Type == algorithms.Float) {
			continue
		}
		bytes, err := job.Arena.Bytes(c.Range)
		if need := uint64(n) * kit.Width(c.Type); err == nil && uint64(len(bytes)) < need {
			return nil, plugins.Errorf(plugins.KindInvalid, "column %q has %d bytes for %d vertices; expected %d", c.Name,
				len(bytes), n, need)
		} else if err == nil {
			return bytes[:need], nil
		}
		return nil, plugins.Errorf(plugins.KindInvalid, "column %q: %w", c.Name, err)
	}
	return nil, plugins.Errorf(plugins.KindInvalid, "the layout has no column %q of the program's type", wanted.Name)
}

// state are the columns that the program writes.
func (p *program) state() []column { return p.columns[len(p.columns)-len(p.spec.State):] }

// pulls tells whether rows gather what their lists send: sums do, so that nobody else writes a row, and they
// are taken in the same order every time. Else rows send, if they are active.
func (p *program) pulls() bool {
	return shape.Accumulates(p.spec.Reduce)
}

// layOut places everything that the program has on the card beside chunks.
func (p *program) layOut() {
	l, n, words := &p.layout, uint64(p.n), 8*uint64(bitmap.Words(p.n))
	l.program = l.Place(uint64(len(memory.BytesOf(&kernels.Program{}))))
	l.counters = l.Place(uint64(len(memory.BytesOf(&kernels.Counters{}))))
	l.constants = l.Place(8 * uint64(len(p.lowered.Constants)))
	l.aggregates = l.Place(8 * uint64(len(p.spec.Aggregates)))
	l.acc, l.active, l.next = l.Place(8*n), l.Place(words), l.Place(words)
	if own, _ := p.template.Messages(); own {
		l.messages = l.Place(8 * n)
	}
	if p.settling {
		l.departing, l.set = l.Place(words), l.Place(words)
	}
	for i := range p.columns {
		p.columns[i].at = l.Place(uint64(len(p.columns[i].bytes)))
	}
	l.scratch = l.Place(kernels.Scratch(p.edges))
}

// mostEdges is as many as a chunk can have.
func mostEdges(graph plugins.Graph) uint64 {
	return min(graph.Edges, math.MaxInt32/2) * 2
}

// at is the address of an offset in the slab.
func (p *program) at(offset uint64) driver.Pointer { return p.slab + driver.Pointer(offset) }

// plan is the answer to Compile.
func (p *program) plan(graph plugins.Graph) plugins.Plan {
	return plugins.Plan{
		Directions: plugins.Directions(p.spec.Edges, p.pulls(), graph.Directed),
		ActiveRows: !p.pulls(),
		Settles:    p.settling,
		Restores:   p.restorable,
		Shares:     p.shares,
		Parts:      p.part,
		Fixed:      p.layout.Bytes,
		Kernel:     p.kernelName(),
	}
}

func (p *program) edgeColumns() []string { return p.spec.EdgeColumns }

// kernelName tells how: "cuda breadth first; streamed: push_int_plus".
func (p *program) kernelName() string {
	if p.solver != nil {
		return deviceName + " " + p.solver.Name() + "; streamed: " + p.template.Kernel()
	}
	return deviceName + " " + p.template.Kernel()
}

// prepare takes the card's memory, and tells the kernels what they need to know.
func (p *program) prepare(ctx context.Context, s *session) (err error) {
	if p.mirror, err = driver.AllocPinned(8 * uint64(max(1, len(p.active)))); err != nil {
		return err
	}
	if p.slab, err = s.streams.Computing.Alloc(p.layout.Bytes); err != nil {
		return err
	}
	p.kernel = kernels.State{Program: p.at(p.layout.program), Vertices: uint64(p.n), Scratch: p.at(p.layout.scratch)}
	described := p.described()
	if err = s.streams.CopyIn(ctx, s.streams.Computing, p.kernel.Program, memory.BytesOf(&described)); err != nil {
		return err
	}
	if err = s.streams.CopyIn(ctx, s.streams.Computing, p.at(p.layout.constants), memory.Bytes(p.lowered.Constants)); err != nil {
		return err
	}
	if err = s.streams.Computing.Fill8(p.at(p.layout.counters), 0, uint64(len(memory.BytesOf(&kernels.Counters{})))); err != nil {
		return err
	}
	return p.template.Begin(s.streams.Computing, p.kernel, p.edges)
}

func (p *program) described() kernels.Program {
	d := kernels.Program{
		Vertices: uint64(p.n), Reduce: uint64(p.spec.Reduce), AccType: uint64(p.lowered.AccType),
		Activity: uint64(p.spec.Activity), Norm: uint64(p.spec.Norm), FirstType: uint64(p.lowered.StateTypes[0]),
		Constants: p.at(p.layout.constants), Aggregates: p.at(p.layout.aggregates), Acc: p.at(p.layout.acc),
		Active: p.at(p.layout.active), NextActive: p.at(p.layout.next), Counters: p.at(p.layout.counters),
	}
	for _, c := range p.columns {
		d.Columns[c.place] = p.at(c.at)
	}
	if own, column := p.template.Messages(); own {
		d.Messages = p.at(p.layout.messages)
	} else if column >= 0 {
		d.Messages = d.Columns[column]
	}
	return d
}

// free gives back what prepare took.
func (p *program) free(s *session) error {
	var errs []error
	errs = append(errs, s.streams.Computing.Free(p.slab), s.streams.Computing.Free(p.room)) // of none it does nothing
	if p.mirror != nil {
		errs = append(errs, driver.FreePinned(p.mirror))
	}
	if p.template != nil {
		errs = append(errs, p.template.Unload())
	}
	return errors.Join(errs...)
}
