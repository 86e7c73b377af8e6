package parse

import (
	"github.com/antlr4-go/antlr/v4"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

// early builds what there may be very many of, as soon as the parser is through with one, and
// drops the contexts below it.
type early struct {
	*builder
	antlr.BaseParseTreeListener
}

func (e *early) ExitEveryRule(c antlr.ParserRuleContext) {
	switch c := c.(type) {
	case *grammar.PatternPartContext:
		e.patterns[c] = e.buildPattern(c)
	case *grammar.MapLiteralContext:
		e.maps[c] = e.buildMap(c)
	case *grammar.ElementContext:
		e.elements[c] = e.expression(c.Expression())
	default:
		return
	}
	clear(c.GetChildren()) // as the array stays
	for c.GetChildCount() > 0 {
		c.RemoveLastChild()
	}
}

// taken is what was built of a context, which is not asked for again.
func taken[C comparable, T any](built map[C]T, c C) T {
	t := built[c]
	delete(built, c)
	return t
}

func (b *builder) element(c grammar.IElementContext) ast.Expression { return taken(b.elements, c) }

func (b *builder) mapLiteral(c grammar.IMapLiteralContext) *ast.MapLiteral { return taken(b.maps, c) }

func (b *builder) buildMap(c *grammar.MapLiteralContext) *ast.MapLiteral {
	return &ast.MapLiteral{
		Position: at(c), Keys: each(c.AllSchemaName(), schemaName), Values: each(c.AllExpression(), b.expression),
	}
}
