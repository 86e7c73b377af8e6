package lane

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// code is what a program says of single vertices, compiled.
type code struct {
	init       *evaluation.Evaluation
	aggregates *evaluation.Evaluation // nil: none
	apply      *evaluation.Evaluation
	applied    []int           // the State that each of apply's outputs becomes
	totals     []vector.Column // of each aggregate, as often as a strip needs it
}

// workers is how many machines an evaluation has: what is computed of single vertices is little beside the matrix.
const workers = 1

// compile makes the code of a program over columns. The accumulators may be allocated later.
func compile(spec *algorithms.Program, columns vector.Columns, accType algorithms.Type, acc *vector.Column,
	n int) (c code, err error) {
	if c.init, err = compileInit(spec, columns, n); err != nil {
		return c, err
	}
	for range spec.Aggregates {
		c.totals = append(c.totals, vector.Make(algorithms.Float, vector.Width))
	}
	if c.aggregates, err = compileAggregates(spec, columns, n); err != nil {
		return c, err
	}
	s := evaluation.NewScope(n)
	s.AddColumns("self.", algorithms.VertexColumns(spec), columns)
	s.Add("acc", accType, func(_, from, to int) vector.Column { return acc.Slice(from, to) })
	for i, a := range spec.Aggregates {
		s.AddUniform("agg."+a.Name, func(int, int, int) vector.Column { return c.totals[i] })
	}
	c.applied = applied(spec)
	c.apply, err = evaluation.New(workers, s, applies(spec, c.applied)...)
	return c, err
}

func compileInit(spec *algorithms.Program, columns vector.Columns, n int) (*evaluation.Evaluation, error) {
	s := evaluation.NewScope(n)
	s.AddColumns("", Inputs(spec), columns)
	var exprs []*exprpb.CheckedExpr
	for _, state := range spec.State {
		exprs = append(exprs, state.Init.Checked)
	}
	return evaluation.New(workers, s, exprs...)
}

// compileAggregates is nil for a program without aggregates.
func compileAggregates(spec *algorithms.Program, columns vector.Columns, n int) (*evaluation.Evaluation, error) {
	if len(spec.Aggregates) == 0 {
		return nil, nil
	}
	s := evaluation.NewScope(n)
	s.AddColumns("self.", algorithms.VertexColumns(spec), columns)
	var exprs []*exprpb.CheckedExpr
	for _, a := range spec.Aggregates {
		exprs = append(exprs, a.Expr.Checked)
	}
	return evaluation.New(workers, s, exprs...)
}

// applied are the state columns that Apply changes: the first, and those with an Apply of their own.
func applied(spec *algorithms.Program) (columns []int) {
	for i, state := range spec.State {
		if i == 0 || state.Apply.Source != "" {
			columns = append(columns, i)
		}
	}
	return columns
}

// applies are the expressions of some state columns.
func applies(spec *algorithms.Program, columns []int) (exprs []*exprpb.CheckedExpr) {
	for _, i := range columns {
		if apply := spec.State[i].Apply; apply.Source != "" {
			exprs = append(exprs, apply.Checked)
		} else {
			exprs = append(exprs, shape.DefaultApply(spec))
		}
	}
	return exprs
}

// bytes is what machines and totals take.
func (c code) bytes() uint64 {
	return uint64(len(c.totals))*8*vector.Width + c.init.Size() + c.aggregates.Size() + c.apply.Size()
}

// Inputs are the columns that the host fills: all but the state.
func Inputs(spec *algorithms.Program) []algorithms.Column {
	all := algorithms.VertexColumns(spec)
	return all[:len(all)-len(spec.State)]
}
