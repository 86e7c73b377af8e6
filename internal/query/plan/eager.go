package plan

import (
	"slices"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// separate puts an Eager before a clause that would change what the clauses before it are still
// reading, or read what they are still changing. Each clause so sees the graph as the one before
// has left it, which is what Cypher means; row by row it would see changes half made.
func (c *chain) separate(clause ast.Clause, at int) {
	reads, writes := reading(clause), writing(clause, c.procedures)
	if at > 0 && (c.reads && writes || c.writes && reads) {
		c.op = &Eager{Step: c.step(c.op), Live: c.scope.slots()}
		c.reads, c.writes = false, false
	}
	c.reads, c.writes = c.reads || reads, c.writes || writes
	c.wrote = c.wrote || writes
}

// writing tells whether a clause changes the graph.
func writing(clause ast.Clause, procedures *procedure.Procedures) bool {
	switch clause := clause.(type) {
	case *ast.CreateClause, *ast.MergeClause, *ast.SetClause, *ast.RemoveClause, *ast.DeleteClause, *ast.ForeachClause:
		return true
	case *ast.SubqueryClause:
		return changing(clause.Query, procedures)
	case *ast.CallClause:
		proc, ok := procedures.Lookup(clause.Procedure)
		return ok && proc.Writes
	}
	return false
}

// changing tells whether a query changes the graph.
func changing(q *ast.Query, procedures *procedure.Procedures) bool {
	return slices.ContainsFunc(q.Parts, func(part ast.SingleQuery) bool {
		return slices.ContainsFunc(part.Clauses, func(c ast.Clause) bool { return writing(c, procedures) })
	})
}

// reading tells whether a clause depends on what other clauses can change.
func reading(clause ast.Clause) bool {
	switch clause := clause.(type) {
	case *ast.MatchClause, *ast.MergeClause, *ast.SubqueryClause, *ast.CallClause, *ast.ForeachClause:
		return true
	case *ast.UnwindClause:
		return asks(clause.List)
	case *ast.ProjectClause:
		return clause.Return || projectionAsks(clause)
	case *ast.CreateClause:
		return patternsAsk(clause.Patterns)
	case *ast.SetClause:
		return slices.ContainsFunc(clause.Items, func(i ast.SetItem) bool {
			return asks(i.Value) || !plain(i.Target) ||
				wholesale(i)
		})
	case *ast.DeleteClause:
		return true // of relationships that are there
	}
	return false
}

// wholesale is whether all properties are set from those of something else.
func wholesale(i ast.SetItem) bool { return i.Key == "" && len(i.Labels) == 0 }

func plain(e ast.Expression) bool {
	_, ok := e.(*ast.Variable)
	return ok
}

func projectionAsks(p *ast.ProjectClause) bool {
	for _, item := range p.Items {
		if asks(item.Expression) {
			return true
		}
	}
	for _, key := range p.OrderBy {
		if asks(key.Expression) {
			return true
		}
	}
	return asks(p.Where)
}

func patternsAsk(paths []ast.PathPattern) bool {
	for _, path := range paths {
		for _, n := range path.Nodes {
			if asks(n.Properties) {
				return true
			}
		}
		for _, r := range path.Relationships {
			if asks(r.Properties) {
				return true
			}
		}
	}
	return false
}

// asks tells whether the value of an expression can depend on the graph, and not only on the row.
func asks(e ast.Expression) bool {
	found := false
	if e == nil {
		return false
	}
	ast.Visit(e, func(e ast.Expression) bool {
		switch e.(type) {
		case *ast.Property, *ast.Index, *ast.HasLabels, *ast.MapProjection, *ast.Call,
			*ast.Exists, *ast.PatternExpression, *ast.PatternComprehension:
			found = true
		}
		return !found
	})
	return found
}
