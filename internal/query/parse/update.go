package parse

import (
	"github.com/antlr4-go/antlr/v4"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

// update is a clause that changes the graph.
func (b *builder) update(c antlr.Tree) ast.Clause {
	switch c := c.(type) {
	case *grammar.CreateClauseContext:
		return &ast.CreateClause{Position: at(c), Patterns: b.pattern(c.Pattern())}
	case *grammar.MergeClauseContext:
		return b.merge(c)
	case *grammar.SetClauseContext:
		return &ast.SetClause{Position: at(c), Items: each(c.AllSetItem(), b.setItem)}
	case *grammar.RemoveClauseContext:
		return &ast.RemoveClause{Position: at(c), Items: each(c.AllPostfix(), b.removeItem)}
	case *grammar.DeleteClauseContext:
		return &ast.DeleteClause{Position: at(c), Detach: is(c.DETACH()), Expressions: each(c.AllExpression(), b.expression)}
	}
	panic("parse: the grammar has a clause that is not built")
}

func (b *builder) merge(c *grammar.MergeClauseContext) ast.Clause {
	merge := &ast.MergeClause{Position: at(c), Pattern: b.patternPart(c.PatternPart())}
	for _, action := range c.AllMergeAction() {
		items := each(action.SetClause().AllSetItem(), b.setItem)
		if is(action.MATCH()) {
			merge.OnMatch = append(merge.OnMatch, items...)
		} else {
			merge.OnCreate = append(merge.OnCreate, items...)
		}
	}
	return merge
}

func (b *builder) setItem(c grammar.ISetItemContext) ast.SetItem {
	item := b.changed(c.GetTarget())
	item.Merge = is(c.PlusEqual())
	item.Value = b.optional(c.Expression())
	switch {
	case item.Value == nil && item.Labels == nil:
		b.fail("UnexpectedSyntax", at(c), "SET needs a value: = or += is missing")
	case item.Value != nil && item.Labels != nil:
		b.fail("UnexpectedSyntax", at(c), "labels have no value: leave it out")
	case item.Merge && item.Key != "":
		b.fail("UnexpectedSyntax", at(c), "+= adds properties to a node or relationship, not to a property: write = and +")
	}
	return item
}

func (b *builder) removeItem(c grammar.IPostfixContext) ast.SetItem {
	item := b.changed(c)
	if item.Key == "" && item.Labels == nil {
		b.fail("UnexpectedSyntax", at(c), "REMOVE needs a property or a label: n.key or n:Label")
	}
	return item
}

// changed is what SET or REMOVE names.
func (b *builder) changed(c grammar.IPostfixContext) ast.SetItem {
	switch e := b.postfix(c).(type) {
	case *ast.Variable:
		return ast.SetItem{Position: at(c), Target: e}
	case *ast.Property:
		return ast.SetItem{Position: at(c), Target: e.Subject, Key: e.Key}
	case *ast.HasLabels:
		return ast.SetItem{Position: at(c), Target: e.Subject, Labels: e.Labels}
	default:
		b.fail(
			"UnexpectedSyntax", at(
				c), "this cannot be changed: name a property (n.key), labels (n:Label) or a node or relationship (n)")
		return ast.SetItem{Position: at(c), Target: e}
	}
}
