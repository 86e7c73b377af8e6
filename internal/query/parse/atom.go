package parse

import (
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

func (b *builder) postfix(c grammar.IPostfixContext) ast.Expression {
	e := b.atom(c.Atom())
	suffixes := c.AllSuffix()
	b.limit(len(suffixes), c)
	for _, suffix := range suffixes {
		e = b.suffix(e, suffix)
	}
	return e
}

func (b *builder) suffix(subject ast.Expression, c grammar.ISuffixContext) ast.Expression {
	switch {
	case is(c.Dot()):
		return &ast.Property{Position: subject.At(), Subject: subject, Key: schemaName(c.SchemaName())}
	case is(c.LeftBracket()):
		return b.subscript(subject, c)
	case is(c.LeftParen()):
		return b.function(subject, c)
	}
	return b.labelTest(c.Labels().LabelExpression()).Of(subject)
}

// subscript is [index] or [from..to].
func (b *builder) subscript(subject ast.Expression, c grammar.ISuffixContext) ast.Expression {
	if is(c.DotDot()) {
		return &ast.Slice{Position: subject.At(), Subject: subject, From: b.optional(c.GetFrom()), To: b.optional(c.GetTo())}
	}
	if c.GetFrom() == nil {
		b.fail("UnexpectedSyntax", at(c), "an index is missing: [0], ['key'] or [1..3]")
		return subject
	}
	return &ast.Index{Position: subject.At(), Subject: subject, Index: b.expression(c.GetFrom())}
}

func (b *builder) function(subject ast.Expression, c grammar.ISuffixContext) ast.Expression {
	function := strings.Join(b.dotted(subject), ".")
	if is(c.Star()) {
		if !strings.EqualFold(function, "count") {
			b.fail("UnexpectedSyntax", at(c), "only count can be of *, not %s", function)
		}
		return &ast.CountStar{Position: subject.At()}
	}
	return &ast.Call{
		Position: subject.At(), Function: function, Distinct: is(c.DISTINCT()),
		Arguments: each(c.AllExpression(), b.expression),
	}
}

// dotted is the parts of the name of a function, which were taken for a variable and its properties.
func (b *builder) dotted(e ast.Expression) []string {
	switch e := e.(type) {
	case *ast.Variable:
		return []string{e.Name}
	case *ast.Property:
		return append(b.dotted(e.Subject), e.Key)
	}
	b.fail("UnexpectedSyntax", e.At(), "only functions can be called: a name is missing before (")
	return nil
}

func (b *builder) atom(c grammar.IAtomContext) ast.Expression {
	switch c := c.GetChild(0).(type) {
	case *grammar.CaseExpressionContext:
		return b.caseExpression(c)
	case *grammar.ListLiteralContext:
		return &ast.ListLiteral{Position: at(c), Elements: each(c.AllElement(), b.element)}
	case *grammar.ListComprehensionContext:
		return &ast.ListComprehension{
			Position: at(c), Variable: name(c.Name()), List: b.expression(c.GetList()),
			Where: b.where(c.Where()), Result: b.optional(c.GetResult()),
		}
	case *grammar.PatternComprehensionContext:
		return b.patternComprehension(c)
	case *grammar.MapLiteralContext:
		return b.mapLiteral(c)
	case *grammar.SubqueryExpressionContext:
		return b.subquery(c)
	case *grammar.QuantifierContext:
		return b.quantifier(c)
	case *grammar.ReduceContext:
		return &ast.Reduce{
			Position: at(c), Accumulator: name(c.GetAccumulator()), Initial: b.expression(c.GetInitial()),
			Variable: name(c.GetVariable()), List: b.expression(c.GetList()), Result: b.expression(c.GetResult()),
		}
	case *grammar.ShortestPathContext:
		return &ast.PatternExpression{Position: at(c), Pattern: b.shortestPath(c)}
	case *grammar.RelationshipPatternContext:
		return &ast.PatternExpression{Position: at(c), Pattern: b.relationshipPattern(c)}
	case *grammar.MapProjectionContext:
		return b.mapProjection(c)
	case *grammar.NameContext:
		return variable(c)
	}
	return b.simple(c)
}

// simple is a single token, or an expression in parentheses.
func (b *builder) simple(c grammar.IAtomContext) ast.Expression {
	switch t := first(c); t.kind {
	case grammar.CypherLeftParen:
		return b.expression(c.Expression())
	case grammar.CypherParameter:
		return parameter(t)
	default:
		return b.literal(t)
	}
}

func (b *builder) caseExpression(c *grammar.CaseExpressionContext) ast.Expression {
	e := &ast.Case{Position: at(c), Subject: b.optional(c.GetSubject()), Else: b.optional(c.GetOtherwise())}
	for _, alternative := range c.AllCaseAlternative() {
		e.When = append(e.When, b.expression(alternative.GetCondition()))
		e.Then = append(e.Then, b.expression(alternative.GetResult()))
	}
	return e
}

func (b *builder) patternComprehension(c *grammar.PatternComprehensionContext) ast.Expression {
	e := &ast.PatternComprehension{
		Position: at(c), Pattern: b.chain(c.Chain()), Where: b.where(c.Where()), Result: b.expression(c.Expression()),
	}
	e.Pattern.Variable = optionalName(c.Name())
	return e
}

func (b *builder) mapProjection(c *grammar.MapProjectionContext) ast.Expression {
	return &ast.MapProjection{
		Position: at(c), Subject: variable(c.Name()), Items: each(c.AllMapProjectionItem(), b.mapProjectionItem),
	}
}

func (b *builder) mapProjectionItem(c grammar.IMapProjectionItemContext) ast.MapProjectionItem {
	switch {
	case is(c.Star()):
		return ast.MapProjectionItem{All: true}
	case c.Expression() != nil:
		return ast.MapProjectionItem{Key: schemaName(c.SchemaName()), Value: b.expression(c.Expression())}
	case c.Name() != nil:
		v := variable(c.Name())
		return ast.MapProjectionItem{Key: v.Name, Value: v}
	}
	return ast.MapProjectionItem{Key: schemaName(c.SchemaName())}
}

func (b *builder) subquery(c *grammar.SubqueryExpressionContext) ast.Expression {
	e := &ast.Exists{Position: at(c), Count: is(c.COUNT()), Collect: is(c.COLLECT()), Where: b.where(c.Where())}
	if e.Collect && c.Query() == nil {
		b.fail("UnexpectedSyntax", at(c), "COLLECT needs a query that returns one column: COLLECT { MATCH … RETURN … }")
	}
	if c.Query() != nil {
		e.Query = b.query(c.Query())
	} else {
		e.Patterns = b.pattern(c.Pattern())
	}
	return e
}

var quantifiers = map[int32]ast.QuantifierKind{
	grammar.CypherALL: ast.All, grammar.CypherANY: ast.Any, grammar.CypherNONE: ast.None, grammar.CypherSINGLE: ast.Single,
}

func (b *builder) quantifier(c *grammar.QuantifierContext) ast.Expression {
	return &ast.Quantifier{
		Position: at(c), Kind: quantifiers[first(c).kind], Variable: name(c.Name()),
		List: b.expression(c.Expression()), Where: b.where(c.Where()),
	}
}

func (b *builder) literal(t *token) ast.Expression {
	l := &ast.Literal{Position: t.at()}
	switch t.kind {
	case grammar.CypherTRUE, grammar.CypherFALSE:
		l.Value = value.OfBool(t.kind == grammar.CypherTRUE)
	case grammar.CypherInteger, grammar.CypherFloat:
		l.Value = b.number(t, false)
	case grammar.CypherString_:
		l.Value = value.OfString(b.text(t))
	}
	return l
}
