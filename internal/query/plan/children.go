package plan

import "github.com/penstock-db/penstock/internal/query/ast"

// mapped is the expression with f of each expression right below it. Patterns and queries within
// are left as they are.
func mapped(e ast.Expression, f func(ast.Expression) ast.Expression) ast.Expression {
	switch e := e.(type) {
	case *ast.Property:
		c := *e
		c.Subject = f(e.Subject)
		return &c
	case *ast.HasLabels:
		c := *e
		c.Subject = f(e.Subject)
		return &c
	case *ast.ListLiteral:
		c := *e
		c.Elements = mappedAll(e.Elements, f)
		return &c
	case *ast.MapLiteral:
		c := *e
		c.Values = mappedAll(e.Values, f)
		return &c
	case *ast.MapProjection:
		return mappedProjection(e, f)
	case *ast.Unary:
		c := *e
		c.Operand = f(e.Operand)
		return &c
	case *ast.Binary:
		c := *e
		c.Left, c.Right = f(e.Left), f(e.Right)
		return &c
	case *ast.Index:
		c := *e
		c.Subject, c.Index = f(e.Subject), f(e.Index)
		return &c
	case *ast.Slice:
		c := *e
		c.Subject, c.From, c.To = f(e.Subject), mappedSome(e.From, f), mappedSome(e.To, f)
		return &c
	case *ast.Call:
		c := *e
		c.Arguments = mappedAll(e.Arguments, f)
		return &c
	case *ast.Case:
		c := *e
		c.Subject, c.Else = mappedSome(e.Subject, f), mappedSome(e.Else, f)
		c.When, c.Then = mappedAll(e.When, f), mappedAll(e.Then, f)
		return &c
	}
	return mappedLocal(e, f)
}

func mappedLocal(e ast.Expression, f func(ast.Expression) ast.Expression) ast.Expression {
	switch e := e.(type) {
	case *ast.ListComprehension:
		c := *e
		c.List, c.Where, c.Result = f(e.List), mappedSome(e.Where, f), mappedSome(e.Result, f)
		return &c
	case *ast.Quantifier:
		c := *e
		c.List, c.Where = f(e.List), mappedSome(e.Where, f)
		return &c
	case *ast.Reduce:
		c := *e
		c.Initial, c.List, c.Result = f(e.Initial), f(e.List), f(e.Result)
		return &c
	}
	return e
}

func mappedProjection(e *ast.MapProjection, f func(ast.Expression) ast.Expression) ast.Expression {
	c := *e
	c.Subject = f(e.Subject)
	c.Items = make([]ast.MapProjectionItem, len(e.Items))
	for i, item := range e.Items {
		item.Value = mappedSome(item.Value, f)
		c.Items[i] = item
	}
	return &c
}

func mappedAll(list []ast.Expression, f func(ast.Expression) ast.Expression) []ast.Expression {
	if list == nil {
		return nil
	}
	all := make([]ast.Expression, len(list))
	for i, e := range list {
		all[i] = f(e)
	}
	return all
}

func mappedSome(e ast.Expression, f func(ast.Expression) ast.Expression) ast.Expression {
	if e == nil {
		return nil
	}
	return f(e)
}

// visit calls f for the expression and, where that says so, for all below it. Patterns and
// queries within are not visited.
func visit(e ast.Expression, f func(ast.Expression) bool) {
	if !f(e) {
		return
	}
	mapped(e, func(child ast.Expression) ast.Expression {
		visit(child, f)
		return child
	})
}
