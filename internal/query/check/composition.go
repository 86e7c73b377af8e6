package check

import "github.com/penstock-db/penstock/internal/query/ast"

// changes tells whether a clause changes the graph.
func changes(clause ast.Clause) bool {
	switch clause.(type) {
	case *ast.CreateClause, *ast.MergeClause, *ast.SetClause, *ast.RemoveClause, *ast.DeleteClause, *ast.ForeachClause:
		return true
	}
	return false
}

// reads tells whether a clause reads the graph or makes rows.
func reads(clause ast.Clause) bool {
	switch clause.(type) {
	case *ast.MatchClause, *ast.UnwindClause:
		return true
	}
	return false
}

// composition checks the order of clauses.
func (c *checker) composition(clauses []ast.Clause) {
	changed := false
	for i, clause := range clauses {
		project, projects := clause.(*ast.ProjectClause)
		switch {
		case projects && project.Return && i < len(clauses)-1:
			c.composed(clauses[i+1], "nothing can follow RETURN: write WITH to go on")
		case reads(clause) && changed:
			c.composed(clause, "a WITH is needed before this clause, which reads, as the graph was changed before")
		}
		changed = (changed || changes(clause)) && !projects
	}
}

func (c *checker) composed(at ast.Clause, message string) {
	c.syntax("InvalidClauseComposition", at.At(), "%s", message)
}

// ends checks that each part of a query has a result or changes something.
func (c *checker) ends(q *ast.Query) {
	for _, part := range q.Parts {
		last := part.Clauses[len(part.Clauses)-1]
		project, projects := last.(*ast.ProjectClause)
		if reads(last) || projects && !project.Return {
			c.composed(
				last, "the statement cannot end with this clause: a RETURN, or a clause that changes the graph, is missing")
		}
	}
}
