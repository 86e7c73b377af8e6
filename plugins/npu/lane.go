package npu

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// lane is the state of a program with one set of constants, and what is computed of it a
// vertex at a time, exactly as on any processor. The matrices see to the messages, those of all
// lanes at once.
type lane struct {
	spec    *algorithms.Program
	n       int
	columns vector.Columns // inputs and state, in the arena
	state   []vector.Column
	accType algorithms.Type
	acc     vector.Column // what has come since the last Apply
	active  []uint64      // who sends next
	left    []uint64      // who is to send later; none, unless the program is loose

	init, aggregates, apply *evaluation
	applied                 []int           // the State that each of apply's outputs becomes
	totals                  []vector.Column // of each aggregate, as often as a strip needs it

	change float64 // of the last Apply, by the program's norm
}

// newLane compiles the expressions. It allocates registers only.
func newLane(spec *algorithms.Program, found kit.Columns, n int) (*lane, error) {
	if err := found.Require(algorithms.VertexColumns(spec)...); err != nil {
		return nil, err
	}
	l := &lane{spec: spec, n: n, columns: vector.Views(found), accType: shape.Type(spec.Process.Checked)}
	for _, s := range spec.State {
		l.state = append(l.state, l.columns[s.Name])
	}
	for _, compile := range []func() error{l.compileInit, l.compileAggregates, l.compileApply} {
		if err := compile(); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *lane) compileInit() (err error) {
	s := newScope(l.n)
	s.addColumns("", inputs(l.spec), l.columns)
	var exprs []*exprpb.CheckedExpr
	for _, state := range l.spec.State {
		exprs = append(exprs, state.Init.Checked)
	}
	l.init, err = newEvaluation(s, exprs...)
	return err
}

func (l *lane) compileAggregates() (err error) {
	s := newScope(l.n)
	s.addColumns("self.", algorithms.VertexColumns(l.spec), l.columns)
	var exprs []*exprpb.CheckedExpr
	for _, a := range l.spec.Aggregates {
		exprs = append(exprs, a.Expr.Checked)
		l.totals = append(l.totals, vector.Make(algorithms.Float, vector.Width))
	}
	l.aggregates, err = newEvaluation(s, exprs...)
	return err
}

func (l *lane) compileApply() (err error) {
	s := newScope(l.n)
	s.addColumns("self.", algorithms.VertexColumns(l.spec), l.columns)
	s.add("acc", l.accType, &l.acc)
	for i, a := range l.spec.Aggregates {
		s.addUniform("agg."+a.Name, &l.totals[i])
	}
	var exprs []*exprpb.CheckedExpr
	for i, state := range l.spec.State {
		switch {
		case state.Apply.Source != "":
			exprs = append(exprs, state.Apply.Checked)
		case i == 0:
			exprs = append(exprs, shape.DefaultApply(l.spec))
		default:
			continue
		}
		l.applied = append(l.applied, i)
	}
	l.apply, err = newEvaluation(s, exprs...)
	return err
}

// scratch is what allocate takes and the machines hold, in bytes.
func (l *lane) scratch() uint64 {
	return uint64(l.n)*kit.Width(l.accType) + uint64(len(l.totals))*8*vector.Width +
		l.init.size() + l.aggregates.size() + l.apply.size()
}

// allocate makes what the budget was asked for.
func (l *lane) allocate() { l.acc = vector.Make(l.accType, l.n) }

// inputs are the columns that the host fills: all but the state.
func inputs(spec *algorithms.Program) []algorithms.Column {
	all := algorithms.VertexColumns(spec)
	return all[:len(all)-len(spec.State)]
}
