package check

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

// scoped checks expressions that bring variables of their own, and patterns.
func (c *checker) scoped(e ast.Expression, at env) Type {
	switch e := e.(type) {
	case *ast.ListComprehension:
		return c.comprehension(e, at)
	case *ast.Quantifier:
		c.conditionIn(e.Where, c.through(e.Variable, e.List, at))
		return of(value.Bool, value.Null)
	case *ast.Reduce:
		inner := c.through(e.Variable, e.List, at)
		inner.set(e.Accumulator, anything)
		return c.expression(e.Initial, at.value()).or(c.expression(e.Result, inner))
	case *ast.PatternComprehension:
		return c.patternComprehension(e, at)
	case *ast.PatternExpression:
		return c.patternExpression(e, at)
	case *ast.Exists:
		return c.exists(e, at)
	}
	return anything
}

// through is the place of what is done with each element of a list.
func (c *checker) through(variable string, list ast.Expression, at env) env {
	t := c.needs(list, at, KindsOf(value.List), "a List is needed here")
	return at.local(variable, t.elements())
}

// conditionIn checks a condition that may be missing.
func (c *checker) conditionIn(e ast.Expression, at env) {
	if e != nil {
		c.condition(e, at.deciding())
	}
}

func (c *checker) comprehension(e *ast.ListComprehension, at env) Type {
	inner := c.through(e.Variable, e.List, at)
	c.conditionIn(e.Where, inner)
	if e.Result == nil {
		element, _ := inner.lookup(e.Variable)
		return listOf(element)
	}
	return listOf(c.expression(e.Result, inner))
}

func (c *checker) patternComprehension(e *ast.PatternComprehension, at env) Type {
	inner := at.local("", anything)
	c.bind(e.Pattern, inner.scope, map[string]bool{})
	c.unbound(e.Pattern.Variable, e.Position, inner.scope)
	inner.set(e.Pattern.Variable, of(value.Path))
	c.properties(e.Pattern, inner.scope)
	c.conditionIn(e.Where, inner)
	return listOf(c.expression(e.Result, inner))
}

// patternExpression is whether a pattern is there, or, of shortestPath, the path itself.
func (c *checker) patternExpression(e *ast.PatternExpression, at env) Type {
	c.bound(e.Pattern, at.scope)
	switch {
	case e.Pattern.Shortest == ast.AllShortest:
		return listOf(of(value.Path))
	case e.Pattern.Shortest == ast.ShortestPath:
		return of(value.Path, value.Null)
	case !at.condition:
		c.syntax("UnexpectedSyntax", e.Position, "a pattern can only be a condition here: use [pattern | result], EXISTS { pattern } or COUNT { pattern }")
	}
	return of(value.Bool)
}

// exists is EXISTS { … } or COUNT { … }, which sees all that is around it.
func (c *checker) exists(e *ast.Exists, at env) Type {
	if e.Query != nil {
		c.reading(e.Query)
		c.query(e.Query, func(ast.SingleQuery) *scope { return correlated(at.scope) })
	} else {
		inner := correlated(at.scope)
		c.patterns(e.Patterns, inner)
		c.where(e.Where, inner)
	}
	if e.Count {
		return of(value.Int)
	}
	return of(value.Bool)
}

// reading refuses clauses that change the graph.
func (c *checker) reading(q *ast.Query) {
	visitor := ast.Visitor{Clause: func(clause ast.Clause) bool {
		if changes(clause) {
			c.syntax("InvalidClauseComposition", clause.At(), "EXISTS and COUNT cannot change the graph")
		}
		return true
	}}
	visitor.Query(q)
}
