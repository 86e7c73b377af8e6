// Package plan says how a statement is executed: which operators make and change rows, in which
// order. It starts each pattern at the node that is cheapest to find, by the statistics of the
// graph, and follows relationships from there, filtering as early as it can.
//
//	Statement ─New─▶ Plan: a tree of operators; each takes the rows of its input
//
// A row has a slot for each variable. Expressions in a plan are those of package ast, but for
// variables, which are Slots, and what needs a plan of its own, which is Nested.
package plan

import (
	"errors"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// Plan is how a statement is executed.
type Plan struct {
	Root    Operator
	Columns []string // of its result
	Slots   int      // of a row
	Steps   int      // operators are numbered up to this
	Writes  bool     // it changes the graph
	Mode    ast.Mode
	// Procedures have the functions that expressions may call beside those of package function.
	Procedures *procedure.Procedures
}

// New plans a statement, which has been checked. It does not plan schema commands.
func New(stmt *ast.Statement, graph Statistics, procedures *procedure.Procedures) (*Plan, error) {
	p := &planner{graph: graph, procedures: procedures}
	var root Operator
	var out table
	switch {
	case stmt.Query != nil:
		p.writes = changing(stmt.Query, procedures)
		root, out = p.query(stmt.Query, nil, p.argument())
	case stmt.Call != nil:
		root, out = p.standalone(stmt.Call)
	default:
		return nil, errors.New("plan: a schema command has no plan")
	}
	if p.err != nil {
		return nil, p.err
	}
	root = &Result{Step: p.step(root), Slots: out.slots, Names: out.names}
	return &Plan{Root: root, Columns: out.names, Slots: p.slots, Steps: p.steps, Writes: p.writes, Mode: stmt.Mode,
		Procedures: procedures}, nil
}

// planner allots slots and numbers, and keeps the first fault that it meets.
type planner struct {
	graph      Statistics
	procedures *procedure.Procedures
	slots      int
	steps      int
	writes     bool
	err        error
}

func (p *planner) slot() int {
	p.slots++
	return p.slots - 1
}

func (p *planner) fail(err *fault.Error) {
	if p.err == nil {
		p.err = err
	}
}

func (p *planner) argument() Operator { return &Argument{p.step(nil)} }

// table is columns, and the slots that they are in.
type table struct {
	names []string
	slots []int
}

func (t *table) add(name string, slot int) {
	t.names, t.slots = append(t.names, name), append(t.slots, slot)
}
