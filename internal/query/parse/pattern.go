package parse

import (
	"strings"

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
		b.selected(c.Selector(), &p)
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

// selected says which of the paths that match are meant, if a selector does.
func (b *builder) selected(c grammar.ISelectorContext, p *ast.PathPattern) {
	if c == nil || is(c.ALL()) && !is(c.SHORTEST()) {
		return
	}
	p.Shortest, p.Count = ast.ShortestPaths, 1
	if is(c.ALL()) || is(c.GROUP()) || is(c.GROUPS()) {
		p.Shortest = ast.ShortestGroups
	}
	switch {
	case is(c.Integer()):
		p.Count = *b.bound(symbol(c.Integer()))
		if p.Count < 1 {
			b.fail("InvalidArgumentValue", at(c), "no paths are wanted: give a number from 1 on, such as SHORTEST 3")
		}
	case is(c.SHORTEST()) && !is(c.ANY()) && p.Shortest == ast.ShortestPaths:
		b.fail("UnexpectedSyntax", at(c), "how many of the shortest paths are wanted? Give a number: SHORTEST 3; or ANY SHORTEST, ALL SHORTEST")
	}
	if len(p.Relationships) != 1 {
		b.fail("InvalidRelationshipPattern", at(c), "%s needs a pattern of exactly one relationship, such as (a)-->+(b)",
			strings.ToUpper(first(c).GetText()))
	}
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
	node := ast.NodePattern{
		Variable: optionalName(c.Name()), Properties: b.properties(c.Properties()), Where: b.where(c.Where()),
	}
	node.Labels, node.Is = b.needed(c.Labels(), ast.BothLabels)
	return node
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
	if c.Repetition() != nil {
		r.Length = b.repetition(c.Repetition(), r.Length)
	}
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
	r.Types, r.Is = b.needed(c.Labels(), ast.EitherLabel)
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

// repetition is the length of a quantified relationship: -->+, -->*, -->{2}, -->{1,3}.
func (b *builder) repetition(c grammar.IRepetitionContext, written *ast.Length) *ast.Length {
	if written != nil {
		b.fail("InvalidRelationshipPattern", at(c), "the length is given already, in the brackets: leave one of them out")
	}
	if is(c.Plus()) {
		return &ast.Length{}
	}
	length := &ast.Length{Min: new(int64)}
	if low := c.GetLow(); low != nil {
		length.Min = b.bound(low.(*token))
		if !is(c.Comma()) {
			length.Max = length.Min
		}
	}
	if high := c.GetHigh(); high != nil {
		length.Max = b.bound(high.(*token))
	}
	return length
}

func (b *builder) bound(t *token) *int64 {
	v := b.integer(t, false)
	return &v
}
