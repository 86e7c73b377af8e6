package check

import (
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// standalone checks a CALL that is all of a statement. Its arguments may be parameters of their
// names, which are checked when there are values.
func (c *checker) standalone(call *ast.CallClause) {
	s := below(nil)
	p, ok := c.procedure(call)
	if !ok {
		return
	}
	if !call.Implicit {
		c.in(s).arguments(call, p)
	}
	c.in(s).yield(call, p)
}

// call checks a CALL among other clauses.
func (c *checker) call(call *ast.CallClause, s *scope) {
	p, ok := c.procedure(call)
	switch {
	case !ok:
		return
	case call.Implicit && len(p.Arguments) > 0:
		c.syntax("InvalidArgumentPassingMode", call.Position,
			"within a query a procedure needs its arguments in parentheses: CALL %s(…)", call.Procedure)
	case call.YieldAll:
		c.syntax("UnexpectedSyntax", call.Position, "within a query YIELD needs the names of columns")
	}
	c.in(s).arguments(call, p)
	c.in(s).yield(call, p)
}

func (c *checker) procedure(call *ast.CallClause) (Procedure, bool) {
	p, ok := c.known.Procedure(call.Procedure)
	if !ok {
		c.fail(fault.ProcedureError, "ProcedureNotFound", call.Position, "there is no procedure %s%s", call.Procedure,
			didYouMean(call.Procedure, c.known.Procedures()))
	}
	return p, ok
}

func (b bindings) arguments(call *ast.CallClause, p Procedure) {
	b.counted(call.Procedure, len(call.Arguments), required(p.Arguments), len(p.Arguments), call.Position)
	for i, argument := range call.Arguments {
		t := b.place().expression(argument)
		if i < len(p.Arguments) && !t.may(named(p.Arguments[i].Type).kinds) {
			b.syntax("InvalidArgumentType", argument.At(), "argument %s of %s is %s, this is a %s", p.Arguments[i].Name,
				call.Procedure, p.Arguments[i].Type, t.kinds)
		}
	}
}

func required(fields []Field) int {
	n := 0
	for _, f := range fields {
		if !f.Optional {
			n++
		}
	}
	return n
}

func (b bindings) yield(call *ast.CallClause, p Procedure) {
	for _, item := range call.Yield {
		b.unbound(item.As, item.Position)
		b.set(item.As, b.column(call, p, item))
	}
	b.where(call.Where)
}

// column is the type of one that YIELD names.
func (c *checker) column(call *ast.CallClause, p Procedure, item ast.YieldItem) Type {
	var names []string
	for _, f := range p.Columns {
		if f.Name == item.Column {
			return named(f.Type)
		}
		names = append(names, f.Name)
	}
	c.syntax("UndefinedVariable", item.Position, "procedure %s has no column %s%s", call.Procedure, item.Column,
		didYouMean(item.Column, names))
	return anything
}
