package plan

import "github.com/penstock-db/penstock/internal/query/ast"

// mentions collects the names that an expression uses, in patterns and queries within it as
// well. Variables of its own are among them: it may name too many, never too few.
type mentions map[string]bool

func mentioned(list ...ast.Expression) mentions {
	m := mentions{}
	for _, e := range list {
		m.expression(e)
	}
	return m
}

func (m mentions) expression(e ast.Expression) {
	if e == nil {
		return
	}
	visit(e, func(e ast.Expression) bool {
		switch e := e.(type) {
		case *ast.Variable:
			m[e.Name] = true
		case *ast.PatternExpression:
			m.path(&e.Pattern)
		case *ast.PatternComprehension:
			m.path(&e.Pattern)
			m.expression(e.Where)
			m.expression(e.Result)
		case *ast.Exists:
			m.paths(e.Patterns)
			m.expression(e.Where)
			if e.Query != nil {
				m.query(e.Query)
			}
		}
		return true
	})
}

func (m mentions) paths(paths []ast.PathPattern) {
	for i := range paths {
		m.path(&paths[i])
	}
}

func (m mentions) path(p *ast.PathPattern) {
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

func (m mentions) query(q *ast.Query) {
	for _, part := range q.Parts {
		for _, c := range part.Clauses {
			m.clause(c)
		}
	}
}

// clause collects those of clauses that only read: others are not allowed in expressions.
func (m mentions) clause(c ast.Clause) {
	switch c := c.(type) {
	case *ast.MatchClause:
		m.paths(c.Patterns)
		m.expression(c.Where)
	case *ast.UnwindClause:
		m.expression(c.List)
	case *ast.ProjectClause:
		for _, item := range c.Items {
			m.expression(item.Expression)
		}
		for _, key := range c.OrderBy {
			m.expression(key.Expression)
		}
		m.expression(c.Where)
	case *ast.CallClause:
		for _, a := range c.Arguments {
			m.expression(a)
		}
		m.expression(c.Where)
	case *ast.SubqueryClause:
		m.query(c.Query)
	}
}
