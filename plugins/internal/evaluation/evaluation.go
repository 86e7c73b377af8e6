// Package evaluation computes checked expressions over the vertices of a graph, a strip at a time, from columns and
// whatever else a device has by vertices:
//
//	Scope: names ──▶ sources of values      (scope.go)
//	New    expressions ──vector.Compile──▶ a machine for each worker
//	Settle takes what is the same for all vertices
//	Run    sources of a strip ──▶ machine ──▶ outputs
package evaluation

import (
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// Source gives the values of an input for the vertices [from, to).
type Source func(worker, from, to int) vector.Column

// whole is a vertex column as a source.
func whole(c vector.Column) Source {
	return func(_, from, to int) vector.Column { return c.Slice(from, to) }
}

// Evaluation computes expressions over vertices, a machine for each worker.
type Evaluation struct {
	Program  *vector.Program
	machines []*vector.Machine
	sources  []Source // of each input
}

// New compiles expressions over the names of a scope for so many workers. It allocates registers only.
func New(workers int, sc Scope, exprs ...*exprpb.CheckedExpr) (*Evaluation, error) {
	program, err := vector.Compile(sc.Scope, exprs...)
	if err != nil {
		return nil, shape.Unsupported(err)
	}
	e := &Evaluation{Program: program}
	for _, in := range program.Inputs {
		e.sources = append(e.sources, sc.sources[in.Name])
	}
	for range workers {
		e.machines = append(e.machines, vector.NewMachine(program))
	}
	return e, nil
}

// Run evaluates for the vertices [from, to), at most vector.Width of them.
func (e *Evaluation) Run(worker, from, to int) *vector.Machine {
	m := e.machines[worker]
	for i, s := range e.sources {
		if !e.Program.Inputs[i].Uniform {
			m.Bind(i, s(worker, from, to))
		}
	}
	m.Eval(to - from)
	return m
}

// Settle takes the uniform inputs, anew when they have changed.
func (e *Evaluation) Settle() {
	for worker, m := range e.machines {
		for i, in := range e.Program.Inputs {
			if in.Uniform {
				m.Bind(i, e.sources[i](worker, 0, vector.Width))
			}
		}
		m.Settle()
	}
}

// Size in bytes; a nil evaluation has none.
func (e *Evaluation) Size() uint64 {
	if e == nil {
		return 0
	}
	return uint64(len(e.machines)) * e.machines[0].Size()
}

// Strips calls do for consecutive parts of [from, to) of at most vector.Width vertices.
func Strips(from, to int, do func(from, to int)) {
	for ; from < to; from += vector.Width {
		do(from, min(from+vector.Width, to))
	}
}
