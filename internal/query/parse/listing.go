package parse

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

// listing makes SHOW FUNCTIONS and SHOW PROCEDURES a query that calls the procedure whose rows they list. Everybody may
// call everything that there is, as far as EXECUTABLE goes.
func (b *builder) listing(c grammar.IListingContext) *ast.Query {
	of := listed(c.Listed())
	call := &ast.CallClause{Position: at(c), Procedure: of.Procedure, Yields: true,
		Yield: columnsAt(at(c), of.Columns[:of.Shown])}
	query := &ast.Query{Parts: []ast.SingleQuery{{Clauses: []ast.Clause{call}}}}
	where := b.where(c.Where())
	columns := c.ListedColumns()
	if columns == nil {
		call.Where = b.kept(c.Listed(), where)
		return query
	}
	call.Yield = each(columns.AllYieldItem(), yieldItem)
	if is(columns.Star()) {
		call.Yield = columnsAt(at(columns), of.Columns)
	}
	// WHERE is of the rows that ORDER BY, SKIP and LIMIT leave, as after WITH.
	ordered := b.listedOrder(columns)
	if ordered == nil {
		call.Where = b.kept(c.Listed(), where)
	} else {
		call.Where, ordered.Where = b.kept(c.Listed(), nil), where
		query.Parts[0].Clauses = append(query.Parts[0].Clauses, ordered)
	}
	switch result := c.ReturnClause(); {
	case result != nil:
		all := b.projection(result.Projection())
		all.Position, all.Return = at(result), true
		query.Parts[0].Clauses = append(query.Parts[0].Clauses, all)
	case ordered != nil:
		query.Parts[0].Clauses = append(query.Parts[0].Clauses, returning(call.Yield))
	}
	return query
}

func listed(c grammar.IListedContext) ast.Listing {
	if is(c.PROCEDURE()) || is(c.PROCEDURES()) {
		return ast.ProcedureListing
	}
	return ast.FunctionListing
}

// kept is the condition of rows, which no row fulfills where functions are asked for that users have defined: all are
// built in.
func (b *builder) kept(c grammar.IListedContext, where ast.Expression) ast.Expression {
	switch {
	case !is(c.USER()):
		return where
	case where == nil:
		return &ast.Literal{Position: at(c), Value: value.OfBool(false)}
	}
	return &ast.Binary{Position: at(c), Op: ast.And, Left: b.kept(c, nil), Right: where}
}

// listedOrder is ORDER BY, SKIP and LIMIT after YIELD; nil: there is none.
func (b *builder) listedOrder(c grammar.IListedColumnsContext) *ast.ProjectClause {
	p := &ast.ProjectClause{Position: at(c), Star: true, Skip: b.optional(c.GetSkip()), Limit: b.optional(c.GetLimit())}
	if order := c.OrderBy(); order != nil {
		p.OrderBy = each(order.AllSortItem(), b.sortItem)
	}
	if p.OrderBy == nil && p.Skip == nil && p.Limit == nil {
		return nil
	}
	return p
}

// columnsAt are columns under their own names.
func columnsAt(at ast.Position, names []string) []ast.YieldItem {
	return each(names, func(name string) ast.YieldItem { return ast.YieldItem{Position: at, Column: name, As: name} })
}

// returning is RETURN of what a YIELD names, in its order.
func returning(yield []ast.YieldItem) *ast.ProjectClause {
	items := each(yield, func(y ast.YieldItem) ast.Item {
		return ast.Item{Expression: &ast.Variable{Position: y.Position, Name: y.As}, Alias: y.As, Aliased: true}
	})
	return &ast.ProjectClause{Position: yield[0].Position, Return: true, Items: items}
}
