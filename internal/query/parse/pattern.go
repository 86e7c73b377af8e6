package parse

import (
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

func (b *builder) pattern(c grammar.IPatternContext) []ast.PathPattern {
	return each(c.AllPatternPart(), b.patternPart)
}

func (b *builder) patternPart(c grammar.IPatternPartContext) ast.PathPattern {
	return taken(b.patterns, c)
}

func (b *builder) buildPattern(c *grammar.PatternPartContext) ast.PathPattern {
	var p ast.PathPattern
	if shortest := c.ShortestPath(); shortest != nil {
		p = b.shortestPath(shortest)
	} else {
		p = b.chain(c.Chain())
	}
	p.Position, p.Variable = at(c), optionalName(c.Name())
	return p
}

func (b *builder) shortestPath(c grammar.IShortestPathContext) ast.PathPattern {
	p := b.chain(c.Chain())
	p.Shortest = ast.ShortestPath
	if is(c.ALLSHORTESTPATHS()) {
		p.Shortest = ast.AllShortest
	}
	if len(p.Relationships) != 1 {
		b.fail("InvalidRelationshipPattern", at(c), "%s needs a pattern of exactly one relationship, such as (a)-[*]->(b)",
			first(c).GetText())
	}
	return p
}

func (b *builder) chain(c grammar.IChainContext) ast.PathPattern {
	if inner := c.Chain(); inner != nil {
		return b.chain(inner)
	}
	return ast.PathPattern{
		Position: at(c), Nodes: each(c.AllNode(), b.node), Relationships: each(c.AllRelationship(), b.relationship),
	}
}

// relationshipPattern is a chain as an expression.
func (b *builder) relationshipPattern(c *grammar.RelationshipPatternContext) ast.PathPattern {
	head := b.filling(c.Filling())
	head.Position = at(c)
	return ast.PathPattern{
		Position: at(c), Nodes: append([]ast.NodePattern{head}, each(c.AllNode(), b.node)...),
		Relationships: each(c.AllRelationship(), b.relationship),
	}
}

func (b *builder) node(c grammar.INodeContext) ast.NodePattern {
	node := b.filling(c.Filling())
	node.Position = at(c)
	return node
}

func (b *builder) filling(c grammar.IFillingContext) ast.NodePattern {
	return ast.NodePattern{
		Variable: optionalName(c.Name()), Labels: labels(c.Labels()),
		Properties: b.properties(c.Properties()), Where: b.where(c.Where()),
	}
}

func labels(c grammar.ILabelsContext) []string {
	if c == nil {
		return nil
	}
	return each(c.AllSchemaName(), schemaName)
}

func (b *builder) properties(c grammar.IPropertiesContext) ast.Expression {
	switch {
	case c == nil:
		return nil
	case is(c.Parameter()):
		return parameter(symbol(c.Parameter()))
	}
	return b.mapLiteral(c.MapLiteral())
}

func (b *builder) relationship(c grammar.IRelationshipContext) ast.RelationshipPattern {
	r := b.detail(c.RelationshipDetail())
	r.Position = at(c)
	switch {
	case is(c.Less()) && !is(c.Greater()):
		r.Direction = ast.Incoming
	case is(c.Greater()) && !is(c.Less()):
		r.Direction = ast.Outgoing
	}
	return r
}

func (b *builder) detail(c grammar.IRelationshipDetailContext) ast.RelationshipPattern {
	if c == nil {
		return ast.RelationshipPattern{}
	}
	r := ast.RelationshipPattern{
		Variable: optionalName(c.Name()), Length: b.length(c.Length()),
		Properties: b.properties(c.Properties()), Where: b.where(c.Where()),
	}
	if types := c.RelationshipTypes(); types != nil {
		r.Types = each(types.AllSchemaName(), schemaName)
	}
	return r
}

func (b *builder) length(c grammar.ILengthContext) *ast.Length {
	if c == nil {
		return nil
	}
	length := &ast.Length{}
	if low := c.GetLow(); low != nil {
		length.Min = b.bound(low.(*token))
	}
	if high := c.GetHigh(); high != nil {
		length.Max = b.bound(high.(*token))
	}
	if !is(c.DotDot()) {
		length.Max = length.Min
	}
	return length
}

func (b *builder) bound(t *token) *int64 {
	v := b.integer(t, false)
	return &v
}
