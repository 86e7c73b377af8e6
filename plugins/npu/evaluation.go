package npu

import (
	"errors"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// scope is what the names of an expression mean, and which columns hold their values.
type scope struct {
	vector.Scope
	columns map[string]*vector.Column
}

// newScope knows n. The program's constants stand in the checked expressions themselves.
func newScope(n int) scope {
	return scope{
		Scope: vector.Scope{
			Inputs:    map[string]algorithms.Type{},
			Uniform:   map[string]bool{},
			Constants: map[string]vector.Scalar{"n": {Type: algorithms.Int, Int: int64(n)}},
		},
		columns: map[string]*vector.Column{},
	}
}

// add makes name an input, whose column may be allocated later.
func (s scope) add(name string, t algorithms.Type, c *vector.Column) {
	s.Inputs[name] = t
	s.columns[name] = c
}

// addUniform makes name an input that has one value for all vertices.
func (s scope) addUniform(name string, c *vector.Column) {
	s.add(name, algorithms.Float, c)
	s.Uniform[name] = true
}

// addColumns makes vertex columns inputs, as PREFIXname.
func (s scope) addColumns(prefix string, list []algorithms.Column, found vector.Columns) {
	for _, c := range list {
		column := found[c.Name]
		s.add(prefix+c.Name, c.Type, &column)
	}
}

// evaluation computes expressions over vertices. Uniform inputs are bound to Width equal values.
type evaluation struct {
	program *vector.Program
	machine *vector.Machine
	columns []*vector.Column // of each input
}

// newEvaluation is nil for no expressions.
func newEvaluation(s scope, exprs ...*exprpb.CheckedExpr) (*evaluation, error) {
	if len(exprs) == 0 {
		return nil, nil
	}
	program, err := vector.Compile(s.Scope, exprs...)
	if err != nil {
		return nil, asUnsupported(err)
	}
	e := &evaluation{program: program, machine: vector.NewMachine(program)}
	for _, in := range program.Inputs {
		e.columns = append(e.columns, s.columns[in.Name])
	}
	return e, nil
}

// settle takes the uniform inputs, anew when they have changed.
func (e *evaluation) settle() {
	for i, in := range e.program.Inputs {
		if in.Uniform {
			e.machine.Bind(i, *e.columns[i])
		}
	}
	e.machine.Settle()
}

// run evaluates for the vertices [from, to), at most vector.Width of them.
func (e *evaluation) run(from, to int) *vector.Machine {
	for i, c := range e.columns {
		if !e.program.Inputs[i].Uniform {
			e.machine.Bind(i, c.Slice(from, to))
		}
	}
	e.machine.Eval(to - from)
	return e.machine
}

// size in bytes; a nil evaluation has none.
func (e *evaluation) size() uint64 {
	if e == nil {
		return 0
	}
	return e.machine.Size()
}

// strips calls do for consecutive parts of n vertices, of at most vector.Width.
func strips(n int, do func(from, to int)) {
	for from := 0; from < n; from += vector.Width {
		do(from, min(from+vector.Width, n))
	}
}

func asUnsupported(err error) error {
	var lacking *vector.UnsupportedError
	if errors.As(err, &lacking) {
		return plugins.Errorf(plugins.KindUnsupported, "%w", err)
	}
	return err
}
