package parse

import (
	"strings"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

func (b *builder) clause(c grammar.IClauseContext) ast.Clause {
	switch c := c.GetChild(0).(type) {
	case *grammar.MatchClauseContext:
		return &ast.MatchClause{Position: at(c), Optional: is(c.OPTIONAL()), Patterns: b.pattern(c.Pattern()),
			Where: b.where(c.Where())}
	case *grammar.UnwindClauseContext:
		return &ast.UnwindClause{Position: at(c), List: b.expression(c.Expression()), As: name(c.Name())}
	case *grammar.WithClauseContext:
		with := b.projection(c.Projection())
		with.Position, with.Where = at(c), b.where(c.Where())
		return with
	case *grammar.ReturnClauseContext:
		result := b.projection(c.Projection())
		result.Position, result.Return = at(c), true
		return result
	case *grammar.CallClauseContext:
		return b.call(c)
	case *grammar.SubqueryClauseContext:
		return &ast.SubqueryClause{Position: at(c), Query: b.query(c.Query())}
	case *grammar.ForeachClauseContext:
		return b.foreach(c)
	}
	return b.update(c.GetChild(0))
}

func (b *builder) projection(c grammar.IProjectionContext) *ast.ProjectClause {
	p := &ast.ProjectClause{
		Distinct: is(c.DISTINCT()), Star: is(c.Star()),
		Items: each(c.AllItem(), b.item),
		Skip:  b.optional(c.GetSkip()), Limit: b.optional(c.GetLimit()),
	}
	if order := c.OrderBy(); order != nil {
		p.OrderBy = each(order.AllSortItem(), b.sortItem)
	}
	return p
}

// item without AS is named by its text, as it is written.
func (b *builder) item(c grammar.IItemContext) ast.Item {
	e := b.expression(c.Expression())
	if c.Name() != nil {
		return ast.Item{Expression: e, Alias: name(c.Name()), Aliased: true}
	}
	if v, ok := e.(*ast.Variable); ok {
		return ast.Item{Expression: e, Alias: v.Name, Aliased: true}
	}
	return ast.Item{Expression: e, Alias: b.tokens.GetTextFromTokens(c.GetStart(), c.GetStop())}
}

func (b *builder) sortItem(c grammar.ISortItemContext) ast.SortItem {
	return ast.SortItem{Expression: b.expression(c.Expression()), Descending: is(c.DESC()) || is(c.DESCENDING())}
}

func (b *builder) call(c *grammar.CallClauseContext) ast.Clause {
	call := &ast.CallClause{
		Position: at(c), Procedure: procedureName(c.ProcedureName()),
		Arguments: each(c.AllExpression(), b.expression), Implicit: !is(c.LeftParen()),
	}
	if yield := c.Yield(); yield != nil {
		call.Yields, call.YieldAll = true, is(yield.Star())
		call.Yield = each(yield.AllYieldItem(), yieldItem)
		call.Where = b.where(yield.Where())
	}
	return call
}

func procedureName(c grammar.IProcedureNameContext) string {
	parts := []string{name(c.Name())}
	for _, part := range c.AllSchemaName() {
		parts = append(parts, schemaName(part))
	}
	return strings.Join(parts, ".")
}

func yieldItem(c grammar.IYieldItemContext) ast.YieldItem {
	item := ast.YieldItem{Position: at(c), Column: name(c.GetColumn())}
	item.As = item.Column
	if c.GetAs() != nil {
		item.As = name(c.GetAs())
	}
	return item
}

func (b *builder) foreach(c *grammar.ForeachClauseContext) ast.Clause {
	return &ast.ForeachClause{
		Position: at(c), Variable: name(c.Name()), List: b.expression(c.Expression()),
		Clauses: each(c.AllClause(), b.clause),
	}
}

func (b *builder) where(c grammar.IWhereContext) ast.Expression {
	if c == nil {
		return nil
	}
	return b.expression(c.Expression())
}
