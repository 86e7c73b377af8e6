package check

import (
	"slices"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// query checks the parts of a UNION, each in a scope of its own. It returns the columns.
func (c *checker) query(q *ast.Query, scopeOf func(ast.SingleQuery) *scope) []column {
	c.unions(q)
	var first []column
	for i, part := range q.Parts {
		columns := c.single(part, scopeOf(part))
		if i == 0 {
			first = columns
		} else if !slices.EqualFunc(first, columns, column.sameName) {
			c.syntax("DifferentColumnsInUnion", part.Clauses[0].At(),
				"all parts of a UNION need columns of the same names, in the same order")
		}
	}
	return first
}

func (c *checker) unions(q *ast.Query) {
	for i, all := range q.All {
		if all != q.All[0] {
			c.syntax("InvalidClauseComposition", q.Parts[i+1].Clauses[0].At(),
				"UNION and UNION ALL cannot be mixed: all have to be of one kind")
		}
	}
}

// column is one of a result.
type column struct {
	name string
	Type
}

func (c column) sameName(other column) bool { return c.name == other.name }

// single checks clauses from the first to the last, and returns the columns of a RETURN.
func (c *checker) single(q ast.SingleQuery, s *scope) []column {
	c.composition(q.Clauses)
	var columns []column
	for _, clause := range q.Clauses {
		if c.fault != nil {
			return nil
		}
		s, columns = c.clause(clause, s)
	}
	return columns
}

// clause checks one, and returns what can be named after it.
func (c *checker) clause(clause ast.Clause, s *scope) (*scope, []column) {
	switch clause := clause.(type) {
	case *ast.MatchClause:
		c.in(s).match(clause)
	case *ast.UnwindClause:
		c.in(s).unwind(clause)
	case *ast.ProjectClause:
		return c.project(clause, s)
	case *ast.CallClause:
		c.call(clause, s)
	case *ast.SubqueryClause:
		c.subquery(clause, s)
	case *ast.ForeachClause:
		c.foreach(clause, s)
	default:
		c.in(s).update(clause)
	}
	return s, nil
}

func (b bindings) unwind(u *ast.UnwindClause) {
	list := b.place().expression(u.List)
	b.unbound(u.As, u.Position)
	b.set(u.As, list.elements())
}

// unbound refuses the name of a variable that is there already.
func (b bindings) unbound(name string, at ast.Position) {
	if _, bound := b.lookup(name); bound && name != "" {
		b.syntax("VariableAlreadyBound", at, "variable %s is there already: choose another name", name)
	}
}

// subquery is CALL { … }: what its leading WITH names is all it sees, and its columns are added.
func (c *checker) subquery(q *ast.SubqueryClause, s *scope) {
	c.ends(q.Query)
	columns := c.query(q.Query, func(part ast.SingleQuery) *scope {
		if imports(part) {
			return &scope{parent: s, vars: map[string]Type{}}
		}
		return below(nil)
	})
	for _, column := range columns {
		c.in(s).unbound(column.name, q.Position)
		s.set(column.name, column.Type)
	}
}

// imports tells whether a subquery begins with a WITH of nothing but variables.
func imports(q ast.SingleQuery) bool {
	with, ok := q.Clauses[0].(*ast.ProjectClause)
	return ok && !with.Return && !slices.ContainsFunc(with.Items, func(item ast.Item) bool {
		v, ok := item.Expression.(*ast.Variable)
		return !ok || v.Name != item.Alias
	})
}

func (c *checker) foreach(f *ast.ForeachClause, s *scope) {
	list := c.in(s).place().expression(f.List)
	inner := below(s)
	inner.set(f.Variable, list.elements())
	for _, clause := range f.Clauses {
		if !changes(clause) {
			c.syntax("InvalidClauseComposition", clause.At(),
				"FOREACH can only change the graph: CREATE, MERGE, SET, REMOVE, DELETE and FOREACH")
		}
		c.clause(clause, inner)
	}
}
