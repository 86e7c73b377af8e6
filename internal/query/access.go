package query

import (
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// accessOf tells whether a statement changes the graph, or its indexes and constraints.
func accessOf(s *ast.Statement, procedures *procedure.Procedures) store.Access {
	access := store.ReadAccess
	if s.Schema != nil && s.Schema.Action != ast.Show {
		access = store.WriteAccess
	}
	look := ast.Visitor{Clause: func(c ast.Clause) bool {
		if changes(c, procedures) {
			access = store.WriteAccess
		}
		return true
	}}
	look.Query(s.Query)
	if s.Call != nil {
		look.Clauses([]ast.Clause{s.Call})
	}
	if s.Mode == ast.Explain {
		return store.ReadAccess
	}
	return access
}

func changes(c ast.Clause, procedures *procedure.Procedures) bool {
	switch c := c.(type) {
	case *ast.CreateClause, *ast.MergeClause, *ast.SetClause, *ast.RemoveClause, *ast.DeleteClause, *ast.ForeachClause:
		return true
	case *ast.CallClause:
		called, ok := procedures.Lookup(c.Procedure)
		return ok && called.Writes
	}
	return false
}

// mergesOf tells whether a statement creates what it does not find.
func mergesOf(s *ast.Statement) (merges bool) {
	look := ast.Visitor{Clause: func(c ast.Clause) bool {
		_, merge := c.(*ast.MergeClause)
		merges = merges || merge
		return true
	}}
	look.Query(s.Query)
	return merges
}

// foldsOf tells whether a statement calls what works on the graph's snapshot.
func foldsOf(s *ast.Statement, procedures *procedure.Procedures) (folds bool) {
	look := ast.Visitor{Clause: func(c ast.Clause) bool {
		if call, ok := c.(*ast.CallClause); ok {
			called, ok := procedures.Lookup(call.Procedure)
			folds = folds || ok && called.Folds
		}
		return true
	}, Expression: func(e ast.Expression) bool {
		if call, ok := e.(*ast.Call); ok {
			called, ok := procedures.Gathers(call.Function)
			folds = folds || ok && called.Folds
		}
		return true
	}}
	look.Query(s.Query)
	if s.Call != nil {
		look.Clauses([]ast.Clause{s.Call})
	}
	return folds && s.Mode != ast.Explain
}

// parametersOf are the names of the parameters that a statement has.
func parametersOf(s *ast.Statement) map[string]struct{} {
	names := map[string]struct{}{}
	look := ast.Visitor{Expression: func(e ast.Expression) bool {
		if p, ok := e.(*ast.Parameter); ok {
			names[p.Name] = struct{}{}
		}
		return true
	}}
	look.Query(s.Query)
	if s.Call != nil {
		look.Clauses([]ast.Clause{s.Call})
	}
	return names
}
