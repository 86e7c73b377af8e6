package ast

// Position is where something begins in the text of a statement: line and column, counted
// from 1, and the byte.
type Position struct{ Line, Column, Offset int }

// Mode says what to do with a statement.
type Mode uint8

const (
	Execute Mode = iota
	Explain      // only show the plan
	Profile      // execute, and show the plan with what each operator has done
)

// Statement is one statement. Exactly one of Query, Call and Schema is set.
type Statement struct {
	Mode   Mode
	Query  *Query
	Call   *CallClause // standing alone: CALL without YIELD gives all columns, arguments may be implicit
	Schema *SchemaCommand
	Text   string // all of it
}

// Query is single queries joined by UNION.
type Query struct {
	Parts []SingleQuery
	All   []bool // of each UNION, one less than Parts: UNION ALL
}

// SingleQuery is clauses, one after the other. The last is a RETURN, or changes the graph, or
// is a CALL.
type SingleQuery struct{ Clauses []Clause }

// SchemaCommand creates, drops or shows an index or a constraint.
type SchemaCommand struct {
	Position
	Action         SchemaAction
	What           SchemaKind
	Name           string // empty: not given
	IfTolerated    bool   // IF NOT EXISTS, IF EXISTS
	OnRelationship bool
	Label          string // or the relationship type
	Properties     []string
}

// SchemaAction is what a schema command does.
type SchemaAction uint8

const (
	Create SchemaAction = iota
	Drop
	Show
)

// SchemaKind is what a schema command is about.
type SchemaKind uint8

const (
	RangeIndex SchemaKind = iota
	UniqueConstraint
	ExistsConstraint // IS NOT NULL
	KeyConstraint    // IS NODE KEY: unique and there
)
