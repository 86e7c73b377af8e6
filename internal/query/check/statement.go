package check

import (
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// Statement finds the first thing that is wrong with a statement. Errors are *fault.Error.
func Statement(stmt *ast.Statement, known Catalog) error {
	c := &checker{known: known}
	switch {
	case stmt.Query != nil:
		c.query(stmt.Query, func(ast.SingleQuery) *scope { return below(nil) })
		c.ends(stmt.Query)
	case stmt.Call != nil:
		c.standalone(stmt.Call)
	case stmt.Mode != ast.Execute:
		c.syntax("UnexpectedSyntax", stmt.Schema.Position,
			"EXPLAIN and PROFILE show the plan of a query, and this has none: leave them out")
	}
	if c.fault == nil {
		return nil
	}
	c.fault.Text = stmt.Text
	return c.fault
}

// checker goes through a statement.
type checker struct {
	known Catalog
	fault *fault.Error // the first
}

func (c *checker) fail(kind fault.Kind, detail string, at ast.Position, format string, args ...any) {
	if c.fault == nil {
		c.fault = fault.New(kind, detail, at, format, args...)
	}
}

// syntax is a fault of the kind that nearly all are of.
func (c *checker) syntax(detail string, at ast.Position, format string, args ...any) {
	c.fail(fault.SyntaxError, detail, at, format, args...)
}
