package parse

import (
	"slices"

	"github.com/antlr4-go/antlr/v4"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

// longestChain bounds the depth of the tree that a + b + c + … makes.
const longestChain = 10_000

func (b *builder) expression(c grammar.IExpressionContext) ast.Expression {
	switch c := c.(type) {
	case *grammar.OperandContext:
		return b.postfix(c.Postfix())
	case *grammar.BinaryContext:
		return b.binary(c)
	case *grammar.ComparisonContext:
		return b.comparison(c)
	case *grammar.SignContext:
		return b.sign(c)
	case *grammar.NotContext:
		return &ast.Unary{Position: at(c), Op: ast.Not, Operand: b.expression(c.Expression())}
	case *grammar.NullTestContext:
		return b.nullTest(c)
	}
	panic("parse: the grammar has an expression that is not built")
}

// optional is an expression, or nil.
func (b *builder) optional(c grammar.IExpressionContext) ast.Expression {
	if c == nil {
		return nil
	}
	return b.expression(c)
}

// nullTest builds IS NULL, which may stand many times, one after the other.
func (b *builder) nullTest(c *grammar.NullTestContext) ast.Expression {
	chain := []*grammar.NullTestContext{c}
	operand := c.Expression()
	for inner, ok := operand.(*grammar.NullTestContext); ok; inner, ok = operand.(*grammar.NullTestContext) {
		chain, operand = append(chain, inner), inner.Expression()
	}
	b.limit(len(chain), c)
	e := b.expression(operand)
	for _, c := range slices.Backward(chain) {
		op := ast.IsNull
		if is(c.NOT()) {
			op = ast.IsNotNull
		}
		e = &ast.Unary{Position: e.At(), Op: op, Operand: e}
	}
	return e
}

var operators = map[int]ast.BinaryOp{
	grammar.CypherOR: ast.Or, grammar.CypherXOR: ast.Xor, grammar.CypherAND: ast.And,
	grammar.CypherEqual: ast.Equal, grammar.CypherNotEqual: ast.NotEqual, grammar.CypherLess: ast.Less,
	grammar.CypherLessEqual: ast.LessEqual, grammar.CypherGreater: ast.Greater,
	grammar.CypherGreaterEqual: ast.GreaterEqual,
	grammar.CypherDoubleBar:    ast.Concatenate,
	grammar.CypherPlus:         ast.Add, grammar.CypherMinus: ast.Subtract, grammar.CypherStar: ast.Multiply,
	grammar.CypherSlash: ast.Divide, grammar.CypherPercent: ast.Modulo, grammar.CypherCaret: ast.Power,
	grammar.CypherIN: ast.In, grammar.CypherSTARTS: ast.StartsWith, grammar.CypherENDS: ast.EndsWith,
	grammar.CypherCONTAINS: ast.Contains, grammar.CypherMatches: ast.Matches,
}

// binary builds a chain of operators from the left, without recursion: it may be long.
func (b *builder) binary(c *grammar.BinaryContext) ast.Expression {
	chain := []*grammar.BinaryContext{c}
	left := c.Expression(0)
	for inner, ok := left.(*grammar.BinaryContext); ok; inner, ok = left.(*grammar.BinaryContext) {
		chain, left = append(chain, inner), inner.Expression(0)
	}
	b.limit(len(chain), c)
	e := b.expression(left)
	for _, c := range slices.Backward(chain) {
		e = &ast.Binary{Position: e.At(), Op: operators[kind(c.GetChild(1))], Left: e, Right: b.expression(c.Expression(1))}
	}
	return e
}

func (b *builder) limit(length int, c antlr.ParserRuleContext) {
	if length > longestChain {
		b.fail(
			"UnexpectedSyntax", at(c), "the expression that begins here has more than %d operators: use a list, or parameters",
			longestChain)
	}
}

// comparison makes a < b < c to a < b AND b < c.
func (b *builder) comparison(c *grammar.ComparisonContext) ast.Expression {
	chain := []*grammar.ComparisonContext{c}
	left := c.Expression(0)
	for inner, ok := left.(*grammar.ComparisonContext); ok; inner, ok = left.(*grammar.ComparisonContext) {
		chain, left = append(chain, inner), inner.Expression(0)
	}
	b.limit(len(chain), c)
	var all ast.Expression
	operand := b.expression(left)
	for _, c := range slices.Backward(chain) {
		right := b.expression(c.Expression(1))
		all = and(all, &ast.Binary{Position: operand.At(), Op: operators[kind(c.GetChild(1))], Left: operand, Right: right})
		operand = right
	}
	return all
}

func and(left, right ast.Expression) ast.Expression {
	if left == nil {
		return right
	}
	return &ast.Binary{Position: left.At(), Op: ast.And, Left: left, Right: right}
}

// sign of a number is part of it.
func (b *builder) sign(c *grammar.SignContext) ast.Expression {
	minus := is(c.Minus())
	if number := number(c.Expression()); number != nil && minus {
		return &ast.Literal{Position: at(c), Value: b.number(number, true)}
	}
	op := ast.Plus
	if minus {
		op = ast.Minus
	}
	return &ast.Unary{Position: at(c), Op: op, Operand: b.expression(c.Expression())}
}

// number is the token of an expression that is but a number; else nil.
func number(c antlr.RuleContext) *token {
	t, ok := c.(antlr.ParserRuleContext)
	if !ok || t.GetStart() != t.GetStop() {
		return nil
	}
	switch number := first(t); number.kind {
	case grammar.CypherInteger, grammar.CypherFloat:
		return number
	}
	return nil
}
