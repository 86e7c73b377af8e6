package parse

import (
	"strings"

	"github.com/penstock-db/penstock/formats/value"
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
		return b.subqueryClause(c)
	case *grammar.LoadClauseContext:
		return b.load(c)
	case *grammar.OrderClauseContext:
		return b.order(c)
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

// order is ORDER BY, SKIP and LIMIT without WITH: all variables go on.
func (b *builder) order(c *grammar.OrderClauseContext) *ast.ProjectClause {
	p := &ast.ProjectClause{Position: at(c), Star: true, Skip: b.optional(c.GetSkip()), Limit: b.optional(c.GetLimit())}
	if order := c.OrderBy(); order != nil {
		p.OrderBy = each(order.AllSortItem(), b.sortItem)
	}
	return p
}

// subqueryClause is CALL { … }. What CALL (a, b) { … } names is imported by each of its parts, as WITH a, b does.
func (b *builder) subqueryClause(c *grammar.SubqueryClauseContext) ast.Clause {
	clause := &ast.SubqueryClause{Position: at(c), Query: b.query(c.Query())}
	imported := c.Imported()
	if imported == nil {
		return clause
	}
	if is(imported.Star()) {
		b.fail("UnexpectedSyntax", at(imported), "name the variables that the subquery takes: CALL (a, b) { … }")
	}
	for i, part := range clause.Query.Parts {
		if with := importing(at(imported), imported.AllName()); with != nil {
			clause.Query.Parts[i].Clauses = append([]ast.Clause{with}, part.Clauses...)
		}
	}
	return clause
}

// load makes LOAD CSV a call of the procedure that reads the file.
func (b *builder) load(c *grammar.LoadClauseContext) ast.Clause {
	separator := value.OfString(",")
	if is(c.String_()) {
		separator = value.OfString(b.text(symbol(c.String_())))
	}
	return &ast.CallClause{
		Position: at(c), Procedure: ast.LoadProcedure, Yields: true,
		Arguments: []ast.Expression{b.expression(c.Expression()),
			&ast.Literal{Position: at(c), Value: value.OfBool(is(c.HEADERS()))},
			&ast.Literal{Position: at(c), Value: separator}},
		Yield: []ast.YieldItem{{Position: at(c.Name()), Column: "row", As: name(c.Name())}},
	}
}

// importing is WITH of names; of none nil.
func importing(at ast.Position, names []grammar.INameContext) ast.Clause {
	if len(names) == 0 {
		return nil
	}
	return &ast.ProjectClause{Position: at, Items: each(names, func(c grammar.INameContext) ast.Item {
		v := variable(c)
		return ast.Item{Expression: v, Alias: v.Name, Aliased: true}
	})}
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
