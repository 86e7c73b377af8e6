package ast

// Visitor sees parts of a statement on the way down; those below one that it answers false to
// are left out.
type Visitor struct {
	Clause     func(Clause) bool     // nil: all
	Expression func(Expression) bool // nil: all
}

// Query visits all of a query.
func (v Visitor) Query(q *Query) {
	if q == nil {
		return
	}
	for _, part := range q.Parts {
		v.Clauses(part.Clauses)
	}
}

// Clauses visits clauses one after the other.
func (v Visitor) Clauses(all []Clause) {
	for _, c := range all {
		if v.Clause == nil || v.Clause(c) {
			v.within(c)
		}
	}
}

func (v Visitor) within(c Clause) {
	switch c := c.(type) {
	case *MatchClause:
		v.patterns(c.Patterns)
		v.One(c.Where)
	case *UnwindClause:
		v.One(c.List)
	case *ProjectClause:
		v.projection(c)
	case *CallClause:
		v.all(c.Arguments)
		v.One(c.Where)
	case *SubqueryClause:
		v.Query(c.Query)
	case *CreateClause:
		v.patterns(c.Patterns)
	case *MergeClause:
		v.Pattern(c.Pattern)
		v.set(c.OnCreate)
		v.set(c.OnMatch)
	case *SetClause:
		v.set(c.Items)
	case *RemoveClause:
		v.set(c.Items)
	case *DeleteClause:
		v.all(c.Expressions)
	case *ForeachClause:
		v.One(c.List)
		v.Clauses(c.Clauses)
	}
}

func (v Visitor) projection(c *ProjectClause) {
	for _, item := range c.Items {
		v.One(item.Expression)
	}
	for _, item := range c.OrderBy {
		v.One(item.Expression)
	}
	v.all([]Expression{c.Skip, c.Limit, c.Where})
}

func (v Visitor) set(items []SetItem) {
	for _, item := range items {
		v.all([]Expression{item.Target, item.Value})
	}
}

func (v Visitor) patterns(all []PathPattern) {
	for _, p := range all {
		v.Pattern(p)
	}
}

// Pattern visits the expressions of a pattern.
func (v Visitor) Pattern(p PathPattern) {
	for _, n := range p.Nodes {
		v.all([]Expression{n.Properties, n.Where})
	}
	for _, r := range p.Relationships {
		v.all([]Expression{r.Properties, r.Where})
	}
}

func (v Visitor) all(expressions []Expression) {
	for _, e := range expressions {
		v.One(e)
	}
}

// One visits an expression, which may be nil, and what it consists of.
func (v Visitor) One(e Expression) {
	if e == nil || v.Expression != nil && !v.Expression(e) {
		return
	}
	v.all(Operands(e))
	switch e := e.(type) {
	case *PatternComprehension:
		v.Pattern(e.Pattern)
	case *PatternExpression:
		v.Pattern(e.Pattern)
	case *Exists:
		v.Query(e.Query)
		v.patterns(e.Patterns)
	}
}

// Operands are the expressions that an expression directly consists of, in the order of the
// text, but for those within patterns and subqueries. Some may be nil.
func Operands(e Expression) []Expression {
	switch e := e.(type) {
	case *Property:
		return []Expression{e.Subject}
	case *HasLabels:
		return []Expression{e.Subject}
	case *ListLiteral:
		return e.Elements
	case *MapLiteral:
		return e.Values
	case *MapProjection:
		operands := []Expression{e.Subject}
		for _, item := range e.Items {
			operands = append(operands, item.Value)
		}
		return operands
	case *Unary:
		return []Expression{e.Operand}
	case *Binary:
		return []Expression{e.Left, e.Right}
	case *Index:
		return []Expression{e.Subject, e.Index}
	case *Slice:
		return []Expression{e.Subject, e.From, e.To}
	case *Call:
		return e.Arguments
	case *Case:
		operands := []Expression{e.Subject}
		for i := range e.When {
			operands = append(operands, e.When[i], e.Then[i])
		}
		return append(operands, e.Else)
	case *ListComprehension:
		return []Expression{e.List, e.Where, e.Result}
	case *PatternComprehension:
		return []Expression{e.Where, e.Result}
	case *Quantifier:
		return []Expression{e.List, e.Where}
	case *Reduce:
		return []Expression{e.Initial, e.List, e.Result}
	case *Exists:
		return []Expression{e.Where}
	}
	return nil
}
