package check

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

// scoped checks expressions that bring variables of their own, and patterns.
func (at env) scoped(e ast.Expression) Type {
	switch e := e.(type) {
	case *ast.ListComprehension:
		return at.comprehension(e)
	case *ast.Quantifier:
		at.through(e.Variable, e.List).conditionIn(e.Where)
		return of(value.Bool, value.Null)
	case *ast.Reduce:
		inner := at.through(e.Variable, e.List)
		inner.set(e.Accumulator, anything)
		return at.value().expression(e.Initial).or(inner.expression(e.Result))
	case *ast.PatternComprehension:
		return at.patternComprehension(e)
	case *ast.PatternExpression:
		return at.patternExpression(e)
	case *ast.Exists:
		return at.exists(e)
	}
	return anything
}

// through is the place of what is done with each element of a list.
func (at env) through(variable string, list ast.Expression) env {
	t := at.needs(list, KindsOf(value.List), "a List is needed here")
	return at.local(variable, t.elements())
}

// conditionIn checks a condition that may be missing.
func (at env) conditionIn(e ast.Expression) {
	if e != nil {
		at.deciding().decides(e)
	}
}

func (at env) comprehension(e *ast.ListComprehension) Type {
	inner := at.through(e.Variable, e.List)
	inner.conditionIn(e.Where)
	if e.Result == nil {
		element, _ := inner.lookup(e.Variable)
		return listOf(element)
	}
	return listOf(inner.expression(e.Result))
}

func (at env) patternComprehension(e *ast.PatternComprehension) Type {
	inner := at.local("", anything)
	inner.bind(e.Pattern, map[string]bool{})
	inner.unbound(e.Pattern.Variable, e.Position)
	inner.set(e.Pattern.Variable, of(value.Path))
	inner.properties(e.Pattern)
	inner.conditionIn(e.Where)
	return listOf(inner.expression(e.Result))
}

// patternExpression is whether a pattern is there, or, of shortestPath, the path itself.
func (at env) patternExpression(e *ast.PatternExpression) Type {
	at.bound(e.Pattern)
	switch {
	case e.Pattern.Shortest == ast.AllShortest:
		return listOf(of(value.Path))
	case e.Pattern.Shortest == ast.ShortestPath:
		return of(value.Path, value.Null)
	case !at.condition:
		at.syntax(
			"UnexpectedSyntax", e.Position, "a pattern can only be a condition here: use [pattern | result], EXISTS { pattern } or COUNT { pattern }")
	}
	return of(value.Bool)
}

// exists is EXISTS { … } or COUNT { … }, which sees all that is around it.
func (at env) exists(e *ast.Exists) Type {
	if e.Query != nil {
		at.reading(e.Query)
		columns := at.query(e.Query, func(ast.SingleQuery) *scope { return correlated(at.scope) })
		if e.Collect {
			return at.collected(e, columns)
		}
	} else {
		inner := correlated(at.scope)
		at.in(inner).patterns(e.Patterns)
		at.in(inner).where(e.Where)
	}
	if e.Count {
		return of(value.Int)
	}
	return of(value.Bool)
}

// collected is what COLLECT { … } gives, whose query has one column.
func (at env) collected(e *ast.Exists, columns []column) Type {
	if len(columns) != 1 {
		at.syntax("InvalidNumberOfColumns", e.Position, "COLLECT needs a query that returns one column, not %d", len(columns))
		return anything
	}
	return listOf(columns[0].Type)
}

// reading refuses clauses that change the graph.
func (c *checker) reading(q *ast.Query) {
	visitor := ast.Visitor{Clause: func(clause ast.Clause) bool {
		if changes(clause) {
			c.syntax("InvalidClauseComposition", clause.At(), "EXISTS, COUNT and COLLECT cannot change the graph")
		}
		return true
	}}
	visitor.Query(q)
}
