package check

import (
	"slices"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// visible checks ORDER BY or WHERE of a projection that merges rows: only its columns are left, by
// their names or as the expressions they were written as.
func (p *projection) visible(e ast.Expression, aggregated bool) { p.seen(e, aggregated, nil) }

func (p *projection) seen(e ast.Expression, aggregated bool, local []string) {
	if e == nil {
		return
	}
	if p.isColumn(e) {
		if aggregated && !p.isAggregate(e) && !isSimple(e) {
			p.syntax("AmbiguousAggregationExpression", e.At(),
				"beside an aggregate function only variables and their properties can stand: name this column with AS, and use the name")
		}
		return
	}
	if v, ok := e.(*ast.Variable); ok && !slices.Contains(local, v.Name) {
		p.mustBeColumn(v)
	}
	local = append(slices.Clip(local), locals(e)...)
	for _, operand := range ast.Operands(e) {
		p.seen(operand, aggregated, local)
	}
}

func (p *projection) mustBeColumn(v *ast.Variable) {
	if _, ok := p.after.lookup(v.Name); !ok {
		p.syntax("UndefinedVariable", v.Position, "variable %s is no column of this WITH or RETURN, which merges rows",
			v.Name)
	}
}

func (p *projection) isColumn(e ast.Expression) bool {
	return slices.ContainsFunc(p.Items, func(item ast.Item) bool { return same(item.Expression, e) })
}

// isSimple tells whether an expression is a variable or a property of one.
func isSimple(e ast.Expression) bool {
	if property, ok := e.(*ast.Property); ok {
		return isSimple(property.Subject)
	}
	_, ok := e.(*ast.Variable)
	return ok
}
