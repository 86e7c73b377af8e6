package plan

import (
	"slices"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// query plans a query that begins with the rows of input and sees the variables of s.
func (p *planner) query(q *ast.Query, s scope, input Operator) (Operator, table) {
	if len(q.Parts) == 1 {
		return p.single(q.Parts[0], s, input)
	}
	var out table
	union := &Union{Step: p.step(input)}
	for i, part := range q.Parts {
		root, columns := p.single(part, s, p.argument())
		if i == 0 {
			out.names = columns.names
			for range columns.names {
				out.slots = append(out.slots, p.slot())
			}
		}
		union.Parts = append(union.Parts, p.moved(root, columns, out))
		if i > 0 && !q.All[i-1] { // all so far are made distinct; what came before is, already
			union.Parts = []Operator{p.distinctUnion(union.Parts, out)}
		}
	}
	return union, out
}

func (p *planner) distinctUnion(parts []Operator, out table) Operator {
	both := &Union{Step: p.step(p.argument()), Parts: parts}
	return &Distinct{Step: p.step(both), Slots: out.slots, Names: out.names}
}

// moved puts the columns of a part of a UNION where the whole has them.
func (p *planner) moved(root Operator, from, to table) Operator {
	items := make([]Assignment, len(to.names))
	for i, name := range to.names {
		at := slices.Index(from.names, name)
		if at < 0 {
			at = i // the check has seen that names agree
		}
		items[i] = Assignment{to.slots[i], name, &Slot{ast.Variable{Name: name}, from.slots[at]}}
	}
	return &Project{Step: p.step(root), Items: items}
}

func (p *planner) single(q ast.SingleQuery, s scope, input Operator) (Operator, table) {
	c := &chain{planner: p, op: input, scope: s}
	for i, clause := range q.Clauses {
		c.separate(clause, i)
		c.clause(clause)
	}
	return c.op, c.out
}

// chain is the plan of the clauses so far.
type chain struct {
	*planner
	op     Operator
	scope  scope
	own    bool  // the scope is this chain's alone: CREATE may add to it
	out    table // of RETURN
	reads  bool  // since the last Eager it has read what clauses can change
	writes bool  // since the last Eager it has changed something
	wrote  bool  // ever
}

func (c *chain) clause(clause ast.Clause) {
	_, creates := clause.(*ast.CreateClause)
	c.own = c.own && creates
	switch clause := clause.(type) {
	case *ast.MatchClause:
		c.op, c.scope = c.match(clause, c.scope, c.op)
	case *ast.UnwindClause:
		c.unwind(clause)
	case *ast.ProjectClause:
		c.project(clause)
	case *ast.CallClause:
		c.call(clause)
	case *ast.SubqueryClause:
		c.subquery(clause)
	case *ast.CreateClause:
		c.create(clause)
	case *ast.MergeClause:
		c.merge(clause)
	case *ast.SetClause:
		c.set(clause.Items, false)
	case *ast.RemoveClause:
		c.set(clause.Items, true)
	case *ast.DeleteClause:
		c.remove(clause)
	case *ast.ForeachClause:
		c.foreach(clause)
	}
}

func (c *chain) unwind(clause *ast.UnwindClause) {
	slot := c.slot()
	list := c.resolve(clause.List, c.scope)
	op := &Unwind{Step: c.step(c.op), Slot: slot, Name: clause.As, List: list}
	c.op = expecting(op, c.op.Rows()*elements(list))
	c.scope = c.scope.with(clause.As, slot)
}
