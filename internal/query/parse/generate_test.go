package parse

import (
	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

// generator draws syntax trees. depth bounds how deep they are.
type generator struct {
	*rapid.T
	depth int
}

var names = rapid.OneOf(rapid.SampledFrom([]string{"a", "n", "match", "Count", "a`b", "é", "x y", "ALL"}),
	rapid.StringN(1, 4, 8))

func (g generator) yes() bool    { return rapid.Bool().Draw(g.T, "yes") }
func (g generator) name() string { return names.Draw(g.T, "name") }

func (g generator) oneOf(n int) int { return rapid.IntRange(0, n-1).Draw(g.T, "choice") }

func (g generator) optionalName() string {
	if g.yes() {
		return g.name()
	}
	return ""
}

// some draws up to three, and at least least.
func some[T any](g generator, least int, draw func() T) []T {
	var all []T
	for range rapid.IntRange(least, max(least, 3)).Draw(g.T, "some") {
		all = append(all, draw())
	}
	return all
}

func (g generator) deeper() generator { return generator{g.T, g.depth - 1} }

func (g generator) literal() *ast.Literal {
	switch g.oneOf(5) {
	case 0:
		return &ast.Literal{Value: value.OfInt(rapid.Int64().Draw(g.T, "int"))}
	case 1:
		return &ast.Literal{Value: value.OfFloat(rapid.Float64().Draw(g.T, "float"))}
	case 2:
		return &ast.Literal{Value: value.OfString(rapid.String().Draw(g.T, "string"))}
	case 3:
		return &ast.Literal{Value: value.OfBool(g.yes())}
	}
	return &ast.Literal{}
}

func (g generator) variable() *ast.Variable { return &ast.Variable{Name: g.name()} }

func (g generator) optional() ast.Expression {
	if g.depth > 0 && g.yes() {
		return g.expression()
	}
	return nil
}

func (g generator) expression() ast.Expression {
	if g.depth <= 0 {
		switch g.oneOf(3) {
		case 0:
			return g.literal()
		case 1:
			return &ast.Parameter{Name: g.name()}
		}
		return g.variable()
	}
	d := g.deeper()
	switch g.oneOf(20) {
	case 0:
		return &ast.Property{Subject: d.expression(), Key: g.name()}
	case 1:
		return &ast.HasLabels{Subject: d.variable(), Labels: some(d, 1, d.name)}
	case 2:
		return &ast.ListLiteral{Elements: some(d, 0, d.expression)}
	case 3:
		return d.mapLiteral()
	case 4:
		return &ast.MapProjection{Subject: d.variable(), Items: some(d, 0, d.mapProjectionItem)}
	case 5:
		return &ast.Unary{Op: ast.UnaryOp(g.oneOf(5)), Operand: d.expression()}
	case 6, 7, 8:
		return &ast.Binary{Op: ast.BinaryOp(g.oneOf(20)), Left: d.expression(), Right: d.expression()}
	case 9:
		return &ast.Index{Subject: d.expression(), Index: d.expression()}
	case 10:
		return &ast.Slice{Subject: d.expression(), From: d.optional(), To: d.optional()}
	case 11:
		return &ast.Call{Function: []string{"f", "duration.between", "range", "Exists"}[g.oneOf(4)], Distinct: g.yes(),
			Arguments: some(d, 1, d.expression)}
	case 12:
		return &ast.CountStar{}
	case 13:
		c := &ast.Case{Subject: d.optional(), When: some(d, 1, d.expression), Else: d.optional()}
		for range c.When {
			c.Then = append(c.Then, d.expression())
		}
		return c
	case 14:
		return &ast.ListComprehension{Variable: g.name(), List: d.expression(), Where: d.optional(), Result: d.optional()}
	case 15:
		return &ast.PatternComprehension{Pattern: d.path(true, 1), Where: d.optional(), Result: d.expression()}
	case 16:
		return &ast.PatternExpression{Pattern: d.path(false, 1)}
	case 17:
		return &ast.Quantifier{Kind: ast.QuantifierKind(g.oneOf(4)), Variable: g.name(), List: d.expression(),
			Where: d.optional()}
	case 18:
		return &ast.Reduce{Accumulator: g.name(), Initial: d.expression(), Variable: g.name(), List: d.expression(),
			Result: d.expression()}
	}
	return d.exists()
}

func (g generator) exists() ast.Expression {
	if g.yes() {
		return &ast.Exists{Query: g.query(), Count: g.yes()}
	}
	return &ast.Exists{Patterns: some(g, 1, func() ast.PathPattern { return g.path(true, 0) }), Where: g.optional(),
		Count: g.yes()}
}

func (g generator) mapLiteral() *ast.MapLiteral {
	m := &ast.MapLiteral{Keys: some(g, 0, g.name)}
	for range m.Keys {
		m.Values = append(m.Values, g.expression())
	}
	return m
}

func (g generator) mapProjectionItem() ast.MapProjectionItem {
	switch g.oneOf(3) {
	case 0:
		return ast.MapProjectionItem{All: true}
	case 1:
		return ast.MapProjectionItem{Key: g.name()}
	}
	return ast.MapProjectionItem{Key: g.name(), Value: g.expression()}
}

func (g generator) path(named bool, least int) ast.PathPattern {
	p := ast.PathPattern{Relationships: some(g, least, g.relationship)}
	if named {
		p.Variable = g.optionalName()
	}
	for range len(p.Relationships) + 1 {
		p.Nodes = append(p.Nodes, g.node())
	}
	return p
}

func (g generator) properties() ast.Expression {
	switch g.oneOf(3) {
	case 0:
		return g.mapLiteral()
	case 1:
		return &ast.Parameter{Name: g.name()}
	}
	return nil
}

func (g generator) node() ast.NodePattern {
	return ast.NodePattern{Variable: g.optionalName(), Labels: some(g, 0, g.name), Properties: g.properties(),
		Where: g.optional()}
}

func (g generator) relationship() ast.RelationshipPattern {
	r := ast.RelationshipPattern{
		Variable: g.optionalName(), Types: some(g, 0, g.name), Direction: ast.Direction(g.oneOf(3)),
		Properties: g.properties(), Where: g.optional(),
	}
	if g.yes() {
		r.Length = &ast.Length{Min: g.bound(), Max: g.bound()}
	}
	return r
}

func (g generator) bound() *int64 {
	if n := rapid.Int64Range(-1, 9).Draw(g.T, "bound"); n >= 0 {
		return &n
	}
	return nil
}

func (g generator) query() *ast.Query {
	q := &ast.Query{Parts: some(g, 1, g.single)}
	for range len(q.Parts) - 1 {
		q.All = append(q.All, g.yes())
	}
	return q
}

func (g generator) single() ast.SingleQuery { return ast.SingleQuery{Clauses: some(g, 1, g.clause)} }

func (g generator) pattern() ast.PathPattern {
	p := g.path(true, 0)
	if len(p.Relationships) == 1 {
		p.Shortest = ast.Shortest(g.oneOf(5))
	}
	if p.Shortest >= ast.ShortestPaths {
		p.Count = int64(1 + g.oneOf(9))
	}
	return p
}

func (g generator) clause() ast.Clause {
	switch g.oneOf(12) {
	case 0:
		return &ast.MatchClause{Optional: g.yes(), Patterns: some(g, 1, g.pattern), Where: g.optional()}
	case 1:
		return &ast.UnwindClause{List: g.expression(), As: g.name()}
	case 2:
		return g.projection(false)
	case 3:
		return g.projection(true)
	case 4:
		return g.call()
	case 5:
		if g.depth > 0 {
			return &ast.SubqueryClause{Query: g.deeper().query()}
		}
	case 6:
		return &ast.MergeClause{Pattern: g.pattern(), OnCreate: some(g, 0, g.setItem), OnMatch: some(g, 0, g.setItem)}
	case 7:
		return &ast.SetClause{Items: some(g, 1, g.setItem)}
	case 8:
		return &ast.RemoveClause{Items: some(g, 1, g.removeItem)}
	case 9:
		return &ast.DeleteClause{Detach: g.yes(), Expressions: some(g, 1, g.expression)}
	case 10:
		if g.depth > 0 {
			return &ast.ForeachClause{Variable: g.name(), List: g.expression(), Clauses: some(g, 1, g.deeper().clause)}
		}
	}
	return &ast.CreateClause{Patterns: some(g, 1, g.pattern)}
}

func (g generator) projection(result bool) ast.Clause {
	p := &ast.ProjectClause{
		Return: result, Distinct: g.yes(), Star: g.yes(), OrderBy: some(g, 0, g.sortItem), Skip: g.optional(),
		Limit: g.optional(),
	}
	least := 1
	if p.Star {
		least = 0
	}
	p.Items = some(g, least, func() ast.Item { return ast.Item{Expression: g.expression(), Alias: g.name()} })
	if !result {
		p.Where = g.optional()
	}
	return p
}

func (g generator) sortItem() ast.SortItem {
	return ast.SortItem{Expression: g.expression(), Descending: g.yes()}
}

func (g generator) call() ast.Clause {
	c := &ast.CallClause{Procedure: "db.labels", Implicit: g.yes(), Yields: g.yes()}
	if !c.Implicit {
		c.Arguments = some(g, 0, g.expression)
	}
	if c.Yields {
		c.Where = g.optional()
		c.Yield = some(g, 0, func() ast.YieldItem { return ast.YieldItem{Column: g.name(), As: g.name()} })
		c.YieldAll = len(c.Yield) == 0
	}
	return c
}

func (g generator) setItem() ast.SetItem {
	switch g.oneOf(3) {
	case 0:
		return ast.SetItem{Target: g.expression(), Key: g.name(), Value: g.expression()}
	case 1:
		return ast.SetItem{Target: g.variable(), Labels: some(g, 1, g.name)}
	}
	return ast.SetItem{Target: g.variable(), Value: g.expression(), Merge: g.yes()}
}

func (g generator) removeItem() ast.SetItem {
	if g.yes() {
		return ast.SetItem{Target: g.expression(), Key: g.name()}
	}
	return ast.SetItem{Target: g.variable(), Labels: some(g, 1, g.name)}
}

func (g generator) schema() *ast.SchemaCommand {
	s := &ast.SchemaCommand{Action: ast.SchemaAction(g.oneOf(3)), What: ast.SchemaKind(g.oneOf(2))}
	if s.Action == ast.Show {
		return s
	}
	s.Name, s.IfTolerated = g.name(), g.yes()
	if s.Action == ast.Create {
		s.What, s.Name, s.OnRelationship = ast.SchemaKind(g.oneOf(4)), g.optionalName(), g.yes()
		s.Label, s.Properties = g.name(), some(g, 1, g.name)
	}
	return s
}

func (g generator) statement() *ast.Statement {
	s := &ast.Statement{Mode: ast.Mode(g.oneOf(3))}
	if g.oneOf(8) == 0 {
		s.Schema = g.schema()
		return s
	}
	s.Query = g.query()
	if call := standalone(s.Query); call != nil {
		s.Query, s.Call = nil, call
	}
	return s
}
