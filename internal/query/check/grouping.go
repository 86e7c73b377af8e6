package check

import (
	"slices"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// aggregated tells whether there is an aggregate function in an expression, subqueries left out.
func (c *checker) aggregated(e ast.Expression) bool {
	return e != nil && (c.isAggregate(e) || slices.ContainsFunc(ast.Operands(e), c.aggregated))
}

func (c *checker) isAggregate(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.CountStar:
		return true
	case *ast.Call:
		f, ok := c.known.Function(e.Function)
		return ok && f.Aggregate
	}
	return false
}

// grouped checks what stands beside an aggregate function: it must have one value for the rows
// that are aggregated, as only constants and what rows are grouped by have. To group by the sum of
// two properties is not enough for that sum: it would depend on how the expression is nested.
func (p *projection) grouped(e ast.Expression, local []string) {
	if e == nil || p.isAggregate(e) || p.isKey(e) {
		return
	}
	if v, ok := e.(*ast.Variable); ok && !slices.Contains(local, v.Name) && !p.constant(v) {
		p.syntax("AmbiguousAggregationExpression", v.Position,
			"beside an aggregate function, %s has many values: make it a column of its own, and name it with WITH before",
			v.Name)
	}
	local = append(slices.Clip(local), locals(e)...)
	for _, operand := range ast.Operands(e) {
		p.grouped(operand, local)
	}
}

// constant tells whether a variable has one value for all rows: that of the statement around.
func (p *projection) constant(v *ast.Variable) bool {
	_, ok := p.before.outer.lookup(v.Name)
	return ok
}

// isKey tells whether rows are grouped by a variable or a property.
func (p *projection) isKey(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.Variable:
		if _, known := p.before.lookup(e.Name); known && p.Star {
			return true
		}
	case *ast.Property:
	default:
		return false
	}
	return slices.ContainsFunc(p.Items, func(item ast.Item) bool { return same(item.Expression, e) })
}

// locals are the variables that an expression brings for its operands.
func locals(e ast.Expression) []string {
	switch e := e.(type) {
	case *ast.ListComprehension:
		return []string{e.Variable}
	case *ast.Quantifier:
		return []string{e.Variable}
	case *ast.Reduce:
		return []string{e.Accumulator, e.Variable}
	case *ast.PatternComprehension:
		return patternVariables(e.Pattern)
	case *ast.Exists:
		var names []string
		for _, p := range e.Patterns {
			names = append(names, patternVariables(p)...)
		}
		return names
	}
	return nil
}

func patternVariables(p ast.PathPattern) []string {
	names := []string{p.Variable}
	for _, n := range p.Nodes {
		names = append(names, n.Variable)
	}
	for _, r := range p.Relationships {
		names = append(names, r.Variable)
	}
	return names
}
