package cpu

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
	"github.com/penstock-db/penstock/plugins/inplace"
	"github.com/penstock-db/penstock/plugins/shape"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// input is what a program is compiled for.
type input struct {
	spec     *algorithms.Program
	columns  inplace.Columns
	n        int
	workers  int
	pulls    bool   // rows gather what their lists send
	received source // what has arrived, as Apply sees it
}

// code is a vertex program as column code. Registers are allocated, columns are not.
type code struct {
	input
	process shape.Process
	accType algorithms.Type // of Process, accumulators and messages
	state   []vector.Column // of spec.State

	init       *evaluation
	aggregates *evaluation     // nil: none
	totals     []vector.Column // of each aggregate, as often as a strip needs it
	mass       *mass           // in place of aggregates
	message    *evaluation     // nil: Process is evaluated per edge
	scaled     *scaled         // in place of message
	gate       *gate           // nil: message is for all targets
	hoisted    *hoisted        // nil: nothing; parts of a Process that is evaluated per edge
	residue    *vector.Program // nil: a fused loop; what is evaluated per edge
	apply      *evaluation     // nil: state only improves, or one of the next two
	applied    []int           // the State that each of apply's outputs becomes
	affine     *affine         // in place of apply
	threshold  *threshold      // in place of apply
}

// compileProgram makes a checked program without a default Apply ready for a graph.
func compileProgram(in input) (*code, error) {
	p := &code{input: in}
	for _, c := range algorithms.VertexColumns(p.spec) {
		if !p.columns.Has(c) {
			return nil, plugins.Errorf(plugins.KindInvalid, "the layout has no column %q of the program's type", c.Name)
		}
	}
	for _, s := range p.spec.State {
		p.state = append(p.state, p.columns[s.Name])
	}
	for _, step := range []func() error{p.compileInit, p.compileAggregates, p.compileProcess, p.compileApply} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *code) compileInit() error {
	s := newScope(p.n)
	s.addColumns("", inputs(p.spec), p.columns)
	exprs := make([]*exprpb.CheckedExpr, len(p.spec.State))
	for i, state := range p.spec.State {
		exprs[i] = state.Init.Checked
	}
	var err error
	p.init, err = newEvaluation(p.workers, s, exprs...)
	return err
}

func (p *code) compileAggregates() error {
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
	p.aggregates, err = newEvaluation(p.workers, s, exprs...)
	return err
}

// compileProcess chooses between messages of vertices, for a fused loop, and a residue for every edge.
func (p *code) compileProcess() error {
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
		if p.scaled, err = newScaled(p, s); p.scaled != nil || err != nil {
			return err
		}
		p.message, err = newEvaluation(p.workers, s, p.process.Message)
		return err
	}
	if shape.Accumulates(p.spec.Reduce) && !p.pulls {
		return plugins.Errorf(plugins.KindUnsupported, "program %q cannot send along the rows of its sources: its sums take more from an edge than a weight", p.spec.Name)
	}
	p.hoisted, p.residue, err = newHoisted(p, s, process)
	return err
}

// canFuse tells whether a loop exists for the process. A pulled sum asks every source,
// active or not; what an inactive one sends must then be nothing, whatever its edge.
func (p *code) canFuse() bool {
	w := p.process.Weighting
	if !p.process.Fused || w == shape.Unweighted || !p.pulls {
		return p.process.Fused
	}
	return p.spec.Activity == algorithms.Always && p.spec.Reduce == algorithms.Sum
}

// compileApply leaves apply nil when the state only improves.
func (p *code) compileApply() error {
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
	p.apply, err = newEvaluation(p.workers, s, exprs...)
	return err
}

// inputs are the columns that the host fills: all but the state.
func inputs(spec *algorithms.Program) []algorithms.Column {
	all := algorithms.VertexColumns(spec)
	return all[:len(all)-len(spec.State)]
}

// improves tells whether Apply only ever replaces the first column by a better one.
// The accumulators then need no reset: they start as the state itself, a message that
// does not improve it is dropped at once, and Apply visits only what was touched.
func (p *code) improves() bool { return shape.Improves(p.spec) }

// edgeColumn is the place of an edge property among those that Process reads, or -1.
func (p *code) edgeColumn(name string) int { return slices.Index(p.spec.EdgeColumns, name) }

// bytes is what the code takes: registers, and the columns that allocate makes.
func (p *code) bytes() uint64 {
	bytes := p.gate.bytes(p.n) + p.hoisted.bytes(p.n)
	for _, t := range p.terms() {
		bytes += t.bytes(p.n)
	}
	if p.mass != nil {
		bytes += p.mass.bytes()
	}
	bytes += uint64(len(p.spec.Aggregates)) * 8 * vector.Width
	return bytes + p.init.size() + p.aggregates.size() + p.message.size() + p.apply.size()
}

// allocate makes the columns.
func (p *code) allocate() {
	for _, t := range p.terms() {
		t.allocate(p.n)
	}
	if p.gate != nil {
		p.gate.allocate(p.n)
	}
	if p.mass != nil {
		p.mass.allocate()
	}
	if p.hoisted != nil {
		p.hoisted.allocate(p.n)
	}
	for i := range p.totals {
		p.totals[i] = vector.Make(algorithms.Float, vector.Width)
	}
}

// settle takes the terms that are one number for all vertices, once aggregates are known.
func (p *code) settle() {
	for _, t := range p.terms() {
		t.settle()
	}
}

// fill computes what no state decides, for a block.
func (p *code) fill(worker, from, to int) {
	for _, t := range p.terms() {
		t.fill(worker, from, to)
	}
	if p.mass != nil {
		p.mass.fill(worker, from, to)
	}
}
