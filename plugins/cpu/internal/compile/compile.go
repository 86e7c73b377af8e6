// Package compile makes a vertex program column code: expressions become loops over vertex
// columns, an operator at a time or fused.
//
//	Init        id, degrees ──▶ state columns                                   (evaluation.go)
//	Process     a message a vertex, and what the edge makes of it: fused        (package shape, scaled.go, single.go)
//	            condition on the target ? message : message                     (selection.go)
//	            anything else: a residue for each edge, and what is hoisted     (hoist.go)
//	Apply       (acc·w + a)·b + c                                               (affine.go)
//	            what has arrived is passed on above a threshold                 (threshold.go)
//	            anything else                                                   (evaluation.go)
//	Aggregates  the sum of a column over some vertices, or anything             (maskedsum.go)
//
// What no state decides is a term, computed once (terms.go): x / double(k) then is x times
// 1/k, which may differ in the last bit. What a program's expressions say of its run, whatever
// the graph, is in monotone.go and settles.go.
//
// The code takes registers, about 100 KiB a thread, at once. Allocate makes the columns: 8 bytes
// a vertex for each of at most four hoisted ones and three terms, a bit for the mask of an
// aggregate, 8 bytes and a bit for a selection.
package compile

import (
	"slices"

	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Input is what a program is compiled for.
type Input struct {
	Spec     *algorithms.Program
	Columns  vector.Columns
	N        int
	Workers  int
	Pulls    bool              // rows gather what their lists send
	Received evaluation.Source // what has arrived, as Apply sees it
}

// Code is a vertex program as column code. Registers are allocated, columns are not.
type Code struct {
	Input
	Process shape.Process
	AccType algorithms.Type // of Process, accumulators and messages
	State   []vector.Column // of spec.State

	Init       *evaluation.Evaluation
	Aggregates *evaluation.Evaluation // nil: none
	Totals     []vector.Column        // of each aggregate, as often as a strip needs it
	MaskedSum  *MaskedSum             // in place of aggregates
	Message    *evaluation.Evaluation // nil: Process is evaluated per edge
	Scaled     *Scaled                // in place of message
	Selection  *Selection             // nil: message is for all targets
	Hoisted    *Hoisted               // nil: nothing; parts of a Process that is evaluated per edge
	Residue    *vector.Program        // nil: a fused loop; what is evaluated per edge
	PerEdge    *vector.Program        // Process, whatever stands in its place
	Steps      Steps
	Apply      *evaluation.Evaluation // nil: state only improves, or one of the next two
	Applied    []int                  // the State that each of apply's outputs becomes
	Affine     *Affine                // in place of apply
	Threshold  *Threshold             // in place of apply
}

// Compile makes a checked program without a default Apply ready for a graph.
func Compile(in Input) (*Code, error) {
	p := &Code{Input: in}
	for _, s := range p.Spec.State {
		p.State = append(p.State, p.Columns[s.Name])
	}
	for _, step := range []func() error{p.compileInit, p.compileAggregates, p.compileProcess, p.compileApply} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *Code) compileInit() error {
	s := evaluation.NewScope(p.N)
	s.AddColumns("", inputs(p.Spec), p.Columns)
	exprs := make([]*exprpb.CheckedExpr, len(p.Spec.State))
	for i, state := range p.Spec.State {
		exprs[i] = state.Init.Checked
	}
	var err error
	p.Init, err = evaluation.New(p.Workers, s, exprs...)
	return err
}

func (p *Code) compileAggregates() error {
	if len(p.Spec.Aggregates) == 0 {
		return nil
	}
	s := evaluation.NewScope(p.N)
	s.AddColumns("self.", algorithms.VertexColumns(p.Spec), p.Columns)
	exprs := make([]*exprpb.CheckedExpr, len(p.Spec.Aggregates))
	var err error
	for i, a := range p.Spec.Aggregates {
		exprs[i] = a.Expr.Checked
	}
	p.Totals = make([]vector.Column, len(exprs))
	if len(exprs) == 1 {
		if p.MaskedSum, err = newMaskedSum(p, s, exprs[0]); p.MaskedSum != nil || err != nil {
			return err
		}
	}
	p.Aggregates, err = evaluation.New(p.Workers, s, exprs...)
	return err
}

// compileProcess chooses between messages of vertices, for a fused loop, and a residue for every edge.
func (p *Code) compileProcess() error {
	s := evaluation.NewScope(p.N)
	visible := algorithms.VertexColumns(p.Spec)
	s.AddColumns("src.", visible, p.Columns)
	s.AddColumns("dst.", visible, p.Columns)
	for _, name := range p.Spec.EdgeColumns {
		s.Add("edge."+name, algorithms.Float, nil)
	}
	process := shape.Normal(p.Spec.Process.Checked)
	perEdge, err := vector.Compile(s.Scope, process)
	if err != nil {
		return shape.Unsupported(err)
	}
	p.PerEdge, p.AccType = perEdge, perEdge.Outputs[0].Type
	if p.Steps, err = newSteps(p.Spec, s, process); err != nil {
		return err
	}
	if p.Selection, process, err = newSelection(p, s, process); err != nil {
		return err
	}
	if p.Process = shape.Split(process); p.canFuse() {
		if p.Scaled, err = newScaled(p, s); p.Scaled != nil || err != nil {
			return err
		}
		p.Message, err = evaluation.New(p.Workers, s, p.Process.Message)
		return err
	}
	if shape.Accumulates(p.Spec.Reduce) && !p.Pulls {
		return plugins.Errorf(
			plugins.KindUnsupported, "program %q cannot send along the rows of its sources: its sums take more from an edge than a weight", p.Spec.Name)
	}
	p.Hoisted, p.Residue, err = newHoisted(p, s, process)
	return err
}

// canFuse tells whether a loop exists for the process. A pulled sum asks every source,
// active or not; what an inactive one sends must then be nothing, whatever its edge.
func (p *Code) canFuse() bool {
	w := p.Process.Weighting
	if !p.Process.Fused || w == shape.Unweighted || !p.Pulls {
		return p.Process.Fused
	}
	return p.Spec.Activity == algorithms.Always && p.Spec.Reduce == algorithms.Sum
}

// compileApply leaves apply nil when the state only improves.
func (p *Code) compileApply() error {
	if p.Improves() {
		return nil
	}
	s := evaluation.NewScope(p.N)
	s.AddColumns("self.", algorithms.VertexColumns(p.Spec), p.Columns)
	s.Add("acc", p.AccType, p.Received)
	for i, a := range p.Spec.Aggregates {
		s.AddUniform("agg."+a.Name, func(int, int, int) vector.Column { return p.Totals[i] })
	}
	var err error
	if p.Affine, err = newAffine(p, s); p.Affine != nil || err != nil {
		return err
	}
	if p.Threshold, err = newThreshold(p, s); p.Threshold != nil || err != nil {
		return err
	}
	var exprs []*exprpb.CheckedExpr
	for i, state := range p.Spec.State {
		switch {
		case state.Apply.Source != "":
			exprs = append(exprs, state.Apply.Checked)
		case i == 0:
			exprs = append(exprs, shape.DefaultApply(p.Spec))
		default:
			continue
		}
		p.Applied = append(p.Applied, i)
	}
	p.Apply, err = evaluation.New(p.Workers, s, exprs...)
	return err
}

// inputs are the columns that the host fills: all but the state.
func inputs(spec *algorithms.Program) []algorithms.Column {
	all := algorithms.VertexColumns(spec)
	return all[:len(all)-len(spec.State)]
}

// Improves tells whether Apply only ever replaces the first column by a better one.
// The accumulators then need no reset: they start as the state itself, a message that
// does not improve it is dropped at once, and Apply visits only what was touched.
func (p *Code) Improves() bool { return shape.Improves(p.Spec) }

// EdgeColumn is the place of an edge property among those that Process reads, or -1.
func (p *Code) EdgeColumn(name string) int { return slices.Index(p.Spec.EdgeColumns, name) }

// Bytes is what the code takes: registers, and the columns that allocate makes.
func (p *Code) Bytes() uint64 {
	bytes := p.Selection.bytes(p.N) + p.Hoisted.bytes(p.N)
	for _, t := range p.terms() {
		bytes += t.bytes(p.N)
	}
	if p.MaskedSum != nil {
		bytes += p.MaskedSum.bytes()
	}
	bytes += uint64(len(p.Spec.Aggregates)) * 8 * vector.Width
	return bytes + p.Init.Size() + p.Aggregates.Size() + p.Message.Size() + p.Apply.Size()
}

// Allocate makes the columns.
func (p *Code) Allocate() {
	for _, t := range p.terms() {
		t.allocate(p.N)
	}
	if p.Selection != nil {
		p.Selection.allocate(p.N)
	}
	if p.MaskedSum != nil {
		p.MaskedSum.allocate()
	}
	if p.Hoisted != nil {
		p.Hoisted.allocate(p.N)
	}
	for i := range p.Totals {
		p.Totals[i] = vector.Make(algorithms.Float, vector.Width)
	}
}

// Settle takes the terms that are one number for all vertices, once aggregates are known.
func (p *Code) Settle() {
	for _, t := range p.terms() {
		t.settle()
	}
}

// Fill computes what no state decides, for a block.
func (p *Code) Fill(worker, from, to int) {
	for _, t := range p.terms() {
		t.fill(worker, from, to)
	}
	if p.MaskedSum != nil {
		p.MaskedSum.fill(worker, from, to)
	}
}
