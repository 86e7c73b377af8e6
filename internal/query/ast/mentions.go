package ast

// Mentions collects the names that an expression uses, in patterns and queries within it as
// well. Variables of its own are among them: it may name too many, never too few.
type Mentions map[string]bool

// Mentioned are the names that expressions use.
func Mentioned(list ...Expression) Mentions {
	m := Mentions{}
	for _, e := range list {
		m.expression(e)
	}
	return m
}

func (m Mentions) expression(e Expression) {
	if e == nil {
		return
	}
	Visit(e, func(e Expression) bool {
		switch e := e.(type) {
		case *Variable:
			m[e.Name] = true
		case *PatternExpression:
			m.path(&e.Pattern)
		case *PatternComprehension:
			m.path(&e.Pattern)
			m.expression(e.Where)
			m.expression(e.Result)
		case *Exists:
			m.paths(e.Patterns)
			m.expression(e.Where)
			if e.Query != nil {
				m.query(e.Query)
			}
		}
		return true
	})
}

func (m Mentions) paths(paths []PathPattern) {
	for i := range paths {
		m.path(&paths[i])
	}
}

func (m Mentions) path(p *PathPattern) {
	for i := range p.Nodes {
		n := &p.Nodes[i]
		m[n.Variable] = true
		m.expression(n.Properties)
		m.expression(n.Where)
	}
	for i := range p.Relationships {
		r := &p.Relationships[i]
		m[r.Variable] = true
		m.expression(r.Properties)
		m.expression(r.Where)
	}
}

func (m Mentions) query(q *Query) {
	for _, part := range q.Parts {
		for _, c := range part.Clauses {
			m.clause(c)
		}
	}
}

// clause collects those of clauses that only read: others are not allowed in expressions.
func (m Mentions) clause(c Clause) {
	switch c := c.(type) {
	case *MatchClause:
		m.paths(c.Patterns)
		m.expression(c.Where)
	case *UnwindClause:
		m.expression(c.List)
	case *ProjectClause:
		for _, item := range c.Items {
			m.expression(item.Expression)
		}
		for _, key := range c.OrderBy {
			m.expression(key.Expression)
		}
		m.expression(c.Where)
	case *CallClause:
		for _, a := range c.Arguments {
			m.expression(a)
		}
		m.expression(c.Where)
	case *SubqueryClause:
		m.query(c.Query)
	}
}
