package ast

// Mapped is the expression with f of each expression right below it. Patterns and queries within
// are left as they are.
func Mapped(e Expression, f func(Expression) Expression) Expression {
	switch e := e.(type) {
	case *Property:
		c := *e
		c.Subject = f(e.Subject)
		return &c
	case *HasLabels:
		c := *e
		c.Subject = f(e.Subject)
		return &c
	case *ListLiteral:
		c := *e
		c.Elements = MappedAll(e.Elements, f)
		return &c
	case *MapLiteral:
		c := *e
		c.Values = MappedAll(e.Values, f)
		return &c
	case *MapProjection:
		return mappedProjection(e, f)
	case *Unary:
		c := *e
		c.Operand = f(e.Operand)
		return &c
	case *Binary:
		c := *e
		c.Left, c.Right = f(e.Left), f(e.Right)
		return &c
	case *Index:
		c := *e
		c.Subject, c.Index = f(e.Subject), f(e.Index)
		return &c
	case *Slice:
		c := *e
		c.Subject, c.From, c.To = f(e.Subject), mappedSome(e.From, f), mappedSome(e.To, f)
		return &c
	case *Call:
		c := *e
		c.Arguments = MappedAll(e.Arguments, f)
		return &c
	case *Case:
		c := *e
		c.Subject, c.Else = mappedSome(e.Subject, f), mappedSome(e.Else, f)
		c.When, c.Then = MappedAll(e.When, f), MappedAll(e.Then, f)
		return &c
	}
	return mappedLocal(e, f)
}

func mappedLocal(e Expression, f func(Expression) Expression) Expression {
	switch e := e.(type) {
	case *ListComprehension:
		c := *e
		c.List, c.Where, c.Result = f(e.List), mappedSome(e.Where, f), mappedSome(e.Result, f)
		return &c
	case *Quantifier:
		c := *e
		c.List, c.Where = f(e.List), mappedSome(e.Where, f)
		return &c
	case *Reduce:
		c := *e
		c.Initial, c.List, c.Result = f(e.Initial), f(e.List), f(e.Result)
		return &c
	}
	return e
}

func mappedProjection(e *MapProjection, f func(Expression) Expression) Expression {
	c := *e
	c.Subject = f(e.Subject)
	c.Items = make([]MapProjectionItem, len(e.Items))
	for i, item := range e.Items {
		item.Value = mappedSome(item.Value, f)
		c.Items[i] = item
	}
	return &c
}

// MappedAll is f of each expression; nil of nil.
func MappedAll(list []Expression, f func(Expression) Expression) []Expression {
	if list == nil {
		return nil
	}
	all := make([]Expression, len(list))
	for i, e := range list {
		all[i] = f(e)
	}
	return all
}

func mappedSome(e Expression, f func(Expression) Expression) Expression {
	if e == nil {
		return nil
	}
	return f(e)
}

// Visit calls f for the expression and, where that says so, for all below it. Patterns and
// queries within are not visited.
func Visit(e Expression, f func(Expression) bool) {
	if !f(e) {
		return
	}
	Mapped(e, func(child Expression) Expression {
		Visit(child, f)
		return child
	})
}
