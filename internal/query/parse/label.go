package parse

import (
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

// needed is what a pattern asks of labels or types: names that are all joined in one way, or else a test.
func (b *builder) needed(c grammar.ILabelsContext, op ast.LabelOp) ([]string, *ast.LabelTest) {
	if c == nil {
		return nil, nil
	}
	test := b.labelTest(c.LabelExpression())
	if names := test.OnlyJoined(op); names != nil {
		return names, nil
	}
	return nil, &test
}

func (b *builder) labelTest(c grammar.ILabelExpressionContext) ast.LabelTest {
	switch c := c.(type) {
	case *grammar.LabelContext:
		return ast.LabelTest{Position: at(c), Label: schemaName(c.SchemaName())}
	case *grammar.InnerLabelContext:
		return b.labelTest(c.LabelExpression())
	case *grammar.NotLabelContext:
		return ast.LabelTest{Position: at(c), Op: ast.NotLabel, Operands: []ast.LabelTest{b.labelTest(c.LabelExpression())}}
	case *grammar.BothLabelsContext:
		return ast.LabelTest{Position: at(c), Op: ast.BothLabels, Operands: each(c.AllLabelExpression(), b.labelTest)}
	case *grammar.EitherLabelContext:
		return ast.LabelTest{Position: at(c), Op: ast.EitherLabel, Operands: each(c.AllLabelExpression(), b.labelTest)}
	}
	panic("parse: the grammar has a test of labels that is not built")
}

// markBars makes a LabelBar of each "|" that does not part the elements of a list, or of FOREACH or reduce, from what is
// done with them.
func markBars(list []token) {
	var open []bool // whether a "|" directly inside is one between labels
	for i := range list {
		switch kind := int(list[i].kind); kind {
		case grammar.CypherLeftParen, grammar.CypherPatternParen:
			open = append(open, i == 0 || !isNamed(list[i-1], grammar.CypherFOREACH, grammar.CypherREDUCE))
		case grammar.CypherLeftBracket, grammar.CypherLeftBrace:
			open = append(open, true)
		case grammar.CypherComprehensionBracket, grammar.CypherPatternBracket:
			open = append(open, false)
		case grammar.CypherRightParen, grammar.CypherRightBracket, grammar.CypherRightBrace:
			open = open[:max(0, len(open)-1)]
		case grammar.CypherBar:
			if len(open) == 0 || open[len(open)-1] {
				list[i].kind = grammar.CypherLabelBar
			}
		}
	}
}

func isNamed(t token, kinds ...int32) bool {
	for _, kind := range kinds {
		if t.kind == kind {
			return true
		}
	}
	return false
}
