package cpu

import (
	"fmt"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// compile makes a task's program ready for the graph of job. It allocates registers only;
// allocate, once the budget has agreed, does the rest.
func compile(job plugins.Job, task plugins.Task, pool parallel.Pool) (*program, error) {
	spec := task.Program
	if len(task.Lanes) > 0 {
		return nil, plugins.Errorf(plugins.KindUnsupported, "program %q in %d lanes: the cpu device runs one at a time", spec.Name, len(task.Lanes))
	}
	p := &program{spec: spec, settling: task.Settle, restorable: task.Restorable, partial: task.Part, fromRows: task.ActiveRows || task.Settle, parts: task.ActiveRows && task.Places, n: int(job.Graph.Vertices), pool: pool, order: orderOf(spec.Reduce), headCount: csr.MaxSegments(job.Graph)}
	for _, step := range []func() error{
		func() error { return shape.Checked(spec) },
		func() error { return checkPart(task) },
		func() (err error) { p.share, err = newShare(task, p.n); return err },
		func() error { p.spec = shape.WithoutDefault(spec); return p.openLayout(job, task.Layout) },
		p.compileInit, p.compileAggregates, p.compileProcess, p.compileApply,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	if p.settling {
		if !p.partial {
			p.solver = solverFor(p, job.Graph, newComponents)
			p.stepper, _ = p.solver.(stepper)
		}
		return p, p.canSettle()
	}
	if p.share != nil || p.partial {
		return p, nil // solvers have state that is not in columns, of all vertices and edges
	}
	if p.canPull(job.Graph.Directed) {
		p.bottomUp = &bottomUp{p: p}
	}
	p.solver = solverFor(p, job.Graph, newComponents, newFlood, newDeltaStepping)
	if p.stepper, _ = p.solver.(stepper); p.restorable && p.stepper == nil {
		p.solver = nil // it would never be asked
	}
	return p, nil
}

func (p *program) openLayout(job plugins.Job, layout plugins.Layout) error {
	found, err := kit.OpenColumns(job.Arena, layout, p.n)
	if err == nil {
		err = found.Require(algorithms.VertexColumns(p.spec)...)
	}
	if err != nil {
		return err
	}
	p.columns = vector.Views(found)
	for _, s := range p.spec.State {
		p.state = append(p.state, p.columns[s.Name])
	}
	p.active, err = kit.OpenBitmap(job.Arena, layout.Active, p.n)
	p.senders = p.active
	return err
}

func (p *program) compileInit() error {
	s := newScope(p.n)
	s.addColumns("", inputs(p.spec), p.columns)
	exprs := make([]*exprpb.CheckedExpr, len(p.spec.State))
	for i, state := range p.spec.State {
		exprs[i] = state.Init.Checked
	}
	var err error
	p.init, err = newEvaluation(p.pool.Threads, s, exprs...)
	return err
}

func (p *program) compileAggregates() error {
	if len(p.spec.Aggregates) == 0 {
		return nil
	}
	s := newScope(p.n)
	s.addColumns("self.", algorithms.VertexColumns(p.spec), p.columns)
	exprs := make([]*exprpb.CheckedExpr, len(p.spec.Aggregates))
	var err error
	for i, a := range p.spec.Aggregates {
		exprs[i] = a.Expr.Checked
	}
	p.totals = make([]vector.Column, len(exprs))
	if len(exprs) == 1 {
		if p.mass, err = newMass(p, s, exprs[0]); p.mass != nil || err != nil {
			return err
		}
	}
	p.aggregates, err = newEvaluation(p.pool.Threads, s, exprs...)
	return err
}

// compileProcess chooses the edge kernel.
func (p *program) compileProcess() error {
	s := newScope(p.n)
	visible := algorithms.VertexColumns(p.spec)
	s.addColumns("src.", visible, p.columns)
	s.addColumns("dst.", visible, p.columns)
	for _, name := range p.spec.EdgeColumns {
		s.add("edge."+name, algorithms.Float, nil)
	}
	process := shape.Normal(p.spec.Process.Checked)
	perEdge, err := vector.Compile(s.Scope, process)
	if err != nil {
		return asUnsupported(err)
	}
	p.accType = perEdge.Outputs[0].Type
	if p.gate, process, err = newGate(p, s, process); err != nil {
		return err
	}
	if p.process = shape.Split(process); p.canFuse() {
		if p.edges = p.fusedKernel(); p.gate != nil {
			p.edges = &gated{p}
		}
		if p.scaled, err = newScaled(p, s); p.scaled != nil || err != nil {
			return err
		}
		p.message, err = newEvaluation(p.pool.Threads, s, p.process.Message)
		return err
	}
	if shape.Accumulates(p.spec.Reduce) && !p.pulls() {
		return plugins.Errorf(plugins.KindUnsupported, "program %q cannot send along the rows of its sources: its sums take more from an edge than a weight", p.spec.Name)
	}
	residue, err := p.compileHoisted(s, process)
	if err == nil {
		p.edges = newVectorised(p, residue)
	}
	return err
}

// canFuse tells whether a loop exists for the process. A pulled sum asks every source,
// active or not; what an inactive one sends must then be nothing, whatever its edge.
func (p *program) canFuse() bool {
	w := p.process.Weighting
	if !p.process.Fused || w == shape.Unweighted || !p.pulls() {
		return p.process.Fused
	}
	return p.spec.Activity == algorithms.Always && p.spec.Reduce == algorithms.Sum
}

// compileApply leaves apply nil when the state only improves.
func (p *program) compileApply() error {
	if p.improves() {
		return nil
	}
	s := newScope(p.n)
	s.addColumns("self.", algorithms.VertexColumns(p.spec), p.columns)
	s.add("acc", p.accType, p.received)
	for i, a := range p.spec.Aggregates {
		s.addUniform("agg."+a.Name, func(int, int, int) vector.Column { return p.totals[i] })
	}
	var err error
	if p.affine, err = newAffine(p, s); p.affine != nil || err != nil {
		return err
	}
	if p.threshold, err = newThreshold(p, s); p.threshold != nil || err != nil {
		return err
	}
	var exprs []*exprpb.CheckedExpr
	for i, state := range p.spec.State {
		switch {
		case state.Apply.Source != "":
			exprs = append(exprs, state.Apply.Checked)
		case i == 0:
			exprs = append(exprs, shape.DefaultApply(p.spec))
		default:
			continue
		}
		p.applied = append(p.applied, i)
	}
	p.apply, err = newEvaluation(p.pool.Threads, s, exprs...)
	return err
}

// inputs are the columns that the host fills: all but the state.
func inputs(spec *algorithms.Program) []algorithms.Column {
	all := algorithms.VertexColumns(spec)
	return all[:len(all)-len(spec.State)]
}

// allocate makes what the budget was asked for.
func (p *program) allocate() {
	p.changes = make([]change, parallel.BlockCount(p.n))
	if p.stepper != nil {
		p.stepper.allocate()
		return
	}
	switch {
	case p.pulls():
		p.acc = vector.Make(p.accType, p.n)
		p.heads = vector.Make(p.accType, p.headCount)
	case shape.Accumulates(p.spec.Reduce):
		p.acc = vector.Make(p.accType, p.n)
		p.touched = make([]uint64, bitmap.Words(p.n))
	default:
		p.keys = make([]int64, p.n)
		p.touched = make([]uint64, bitmap.Words(p.n))
		for range p.pool.Threads {
			p.decoded = append(p.decoded, vector.Make(p.accType, vector.Width))
		}
	}
	if p.process.Fused {
		p.makeMessages()
	}
	for _, t := range p.terms() {
		t.allocate(p.n)
	}
	if p.gate != nil {
		p.gate.allocate(p.n)
	}
	if p.mass != nil {
		p.mass.allocate()
	}
	if p.solver != nil {
		p.solver.allocate()
	}
	p.allocateHoisted()
	if p.settling {
		p.departing = make([]uint64, bitmap.Words(p.n))
	}
	if p.bottomUp != nil {
		p.extents = make([]extent, parallel.BlockCount(p.n))
	}
	p.partials = make([]float64, parallel.BlockCount(p.n)*len(p.spec.Aggregates))
	for i := range p.totals {
		p.totals[i] = vector.Make(algorithms.Float, vector.Width)
	}
}

// makeMessages is the column that kernels read from, most of them at random.
func (p *program) makeMessages() {
	switch t := p.messageType(); {
	case p.sendsSingles():
		p.singles = onHugePages[float32](p.n)
	case !p.readAtRandom():
		p.messages = vector.Make(t, p.n)
	case t == algorithms.Float:
		p.messages.Floats = onHugePages[float64](p.n)
	case t == algorithms.Int:
		p.messages.Ints = onHugePages[int64](p.n)
	default:
		p.messages = vector.Make(algorithms.Bool, p.n)
	}
}

// readAtRandom tells whether messages are: rows that push read only their own.
func (p *program) readAtRandom() bool {
	return !p.settling && (p.pulls() || !shape.Accumulates(p.spec.Reduce))
}

// messageWidth is the bytes of a message, at most.
func (p *program) messageWidth() uint64 {
	if p.sendsSingles() {
		return 4
	}
	return 8
}

// messageType is that of the messages column: keys when they are pushed as they are.
func (p *program) messageType() algorithms.Type {
	if !shape.Accumulates(p.spec.Reduce) && p.process.Weighting == shape.Unweighted {
		return algorithms.Int
	}
	return p.accType
}

// edgeNames is what an edge does to a message, in the name of a kernel.
var edgeNames = [...]string{shape.Unweighted: "", shape.Plus: " + edge", shape.Times: " * edge", shape.Least: " min edge", shape.Largest: " max edge"}

// fusedKernel is the loop for a process that split has recognised.
func (p *program) fusedKernel() edgeKernel {
	weights := -1
	if p.process.Weighting != shape.Unweighted {
		weights = p.edgeColumn(p.process.EdgeColumn)
	}
	sums := p.spec.Reduce == algorithms.Sum && weights < 0
	title := fmt.Sprintf("fused: message%s", edgeNames[p.process.Weighting])
	switch {
	case !shape.Accumulates(p.spec.Reduce) && weights < 0:
		return &scatter[int64]{p: p, title: title, weights: weights, send: sendKey}
	case !shape.Accumulates(p.spec.Reduce):
		return &scatter[float64]{p: p, title: title, weights: weights, send: senders[p.process.Weighting]}
	case !p.pulls() && p.accType == algorithms.Float:
		return newAccumulate[float64](p, title, weights, &p.messages.Floats, &p.acc.Floats)
	case !p.pulls():
		return newAccumulate[int64](p, title, weights, &p.messages.Ints, &p.acc.Ints)
	case p.sendsSingles():
		return &gather[float64, float32]{p: p, title: title + " in f32", weights: weights, messages: &p.singles,
			fold: gatherSum[float64, float32], sums: sums}
	case p.accType == algorithms.Float:
		return &gather[float64, float64]{p: p, title: title, weights: weights, messages: &p.messages.Floats,
			fold: floatFold(p.spec.Reduce, p.process.Weighting), sums: sums}
	default:
		return &gather[int64, int64]{p: p, title: title, weights: weights, messages: &p.messages.Ints,
			fold: plainFold[int64](p.spec.Reduce), sums: sums}
	}
}
