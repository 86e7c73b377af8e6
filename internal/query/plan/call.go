package plan

import (
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// call plans CALL of a procedure within a query.
func (c *chain) call(clause *ast.CallClause) {
	proc, ok := c.procedure(clause)
	if !ok {
		return
	}
	op := &CallProcedure{Step: c.step(c.op), Procedure: proc, Arguments: c.arguments(clause, proc, c.scope)}
	yields := clause.Yield
	if clause.YieldAll {
		yields = allColumns(proc)
	}
	c.scope, op.Columns = c.yielded(proc, yields, c.scope)
	c.op = op
	if clause.Where != nil {
		c.op = &Filter{c.step(c.op), c.resolve(clause.Where, c.scope)}
	}
}

// standalone plans a CALL that is all of the statement: its columns are those of the procedure.
func (p *planner) standalone(clause *ast.CallClause) (Operator, table) {
	proc, ok := p.procedure(clause)
	if !ok {
		return nil, table{}
	}
	p.writes = proc.Writes
	yields := clause.Yield
	if !clause.Yields || clause.YieldAll {
		yields = allColumns(proc)
	}
	s, slots := p.yielded(proc, yields, nil)
	var root Operator = &CallProcedure{Step: p.step(p.argument()), Procedure: proc,
		Arguments: p.arguments(clause, proc, nil), Columns: slots}
	if clause.Where != nil {
		root = &Filter{p.step(root), p.resolve(clause.Where, s)}
	}
	var out table
	for _, y := range yields {
		out.add(y.As, s[y.As])
	}
	return root, out
}

func (p *planner) procedure(clause *ast.CallClause) (*procedure.Procedure, bool) {
	proc, ok := p.procedures.Lookup(clause.Procedure)
	if !ok {
		p.fail(fault.New(fault.ProcedureError, "ProcedureNotFound", clause.Position,
			"there is no procedure `%s`: SHOW PROCEDURES lists those there are", clause.Procedure))
	}
	return proc, ok
}

// arguments are those that are given; of an implicit call the statement's parameters of the
// arguments' names. Those that are left out have their defaults.
func (p *planner) arguments(clause *ast.CallClause, proc *procedure.Procedure, s scope) []ast.Expression {
	all := p.resolveAll(clause.Arguments, s)
	for i := len(all); i < len(proc.Arguments); i++ {
		field := proc.Arguments[i]
		switch {
		case clause.Implicit:
			all = append(all, &ast.Parameter{Position: clause.Position, Name: field.Name})
		case field.Default != nil:
			all = append(all, &ast.Literal{Position: clause.Position, Value: *field.Default})
		}
	}
	if len(all) != len(proc.Arguments) {
		p.fail(fault.New(fault.SyntaxError, "InvalidNumberOfArguments", clause.Position, "%s takes other arguments: %s",
			proc.Name, proc.Signature()))
	}
	return all
}

func allColumns(proc *procedure.Procedure) []ast.YieldItem {
	all := make([]ast.YieldItem, len(proc.Columns))
	for i, column := range proc.Columns {
		all[i] = ast.YieldItem{Column: column.Name, As: column.Name}
	}
	return all
}

// yielded gives slots to the columns that are asked for.
func (p *planner) yielded(proc *procedure.Procedure, yields []ast.YieldItem, s scope) (scope, []int) {
	slots := make([]int, len(proc.Columns))
	for i, column := range proc.Columns {
		slots[i] = -1
		for _, y := range yields {
			if y.Column == column.Name {
				slots[i] = p.slot()
				s = s.with(y.As, slots[i])
			}
		}
	}
	return s, slots
}

// subquery plans CALL { … }. Without a RETURN it only changes the graph. It sees the variables of
// the row if it begins with a WITH, which takes them in.
func (c *chain) subquery(clause *ast.SubqueryClause) {
	s := scope{}
	if first, ok := clause.Query.Parts[0].Clauses[0].(*ast.ProjectClause); ok && !first.Return {
		s = c.scope
	}
	root, out := c.query(clause.Query, s, c.argument())
	op := &Apply{Step: c.step(c.op), Plan: root, Unit: len(out.names) == 0}
	c.op = expecting(op, c.op.Rows()*root.Rows())
	for i, name := range out.names {
		c.scope = c.scope.with(name, out.slots[i])
	}
}
