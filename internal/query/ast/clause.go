package ast

// Clause is a step of a query.
type Clause interface {
	At() Position
	clause()
}

// At is where a clause or expression begins.
func (p Position) At() Position { return p }

// MatchClause is MATCH and OPTIONAL MATCH.
type MatchClause struct {
	Position
	Optional bool
	Patterns []PathPattern
	Where    Expression // nil: none
}

// UnwindClause makes a row of each element of a list.
type UnwindClause struct {
	Position
	List Expression
	As   string
}

// ProjectClause is WITH and RETURN.
type ProjectClause struct {
	Position
	Return   bool
	Distinct bool
	Star     bool // "*": all variables, before Items
	Items    []Item
	OrderBy  []SortItem
	Skip     Expression // nil: none
	Limit    Expression // nil: none
	Where    Expression // of WITH; nil: none
}

// Item is a column of a projection.
type Item struct {
	Expression Expression
	Alias      string // its name; without AS the text of the expression
	Aliased    bool   // AS was given, or the expression is a variable
}

// SortItem is a key of ORDER BY.
type SortItem struct {
	Expression Expression
	Descending bool
}

// CallClause is CALL of a procedure within a query.
type CallClause struct {
	Position
	Procedure string // with its namespace: "db.labels"
	Arguments []Expression
	Implicit  bool // no parentheses: arguments are parameters of the statement
	Yield     []YieldItem
	YieldAll  bool // YIELD *
	Yields    bool // there is a YIELD
	Where     Expression
}

// YieldItem is a column of a procedure, and the variable that it is given to.
type YieldItem struct {
	Position
	Column, As string
}

// SubqueryClause is CALL { … }.
type SubqueryClause struct {
	Position
	Query *Query
}

// CreateClause creates patterns.
type CreateClause struct {
	Position
	Patterns []PathPattern
}

// MergeClause is MERGE.
type MergeClause struct {
	Position
	Pattern  PathPattern
	OnCreate []SetItem
	OnMatch  []SetItem
}

// SetClause is SET.
type SetClause struct {
	Position
	Items []SetItem
}

// RemoveClause is REMOVE. Its items have no values.
type RemoveClause struct {
	Position
	Items []SetItem
}

// SetItem changes a node or relationship: a property, if Key is given; labels, if there are
// any; else all properties.
type SetItem struct {
	Position
	Target Expression // a variable, or for a property any expression
	Key    string
	Labels []string
	Merge  bool // "+=": properties that are not named stay
	Value  Expression
}

// DeleteClause is DELETE and DETACH DELETE.
type DeleteClause struct {
	Position
	Detach      bool
	Expressions []Expression
}

// ForeachClause is FOREACH (x IN list | clauses).
type ForeachClause struct {
	Position
	Variable string
	List     Expression
	Clauses  []Clause
}

func (*MatchClause) clause()    {}
func (*UnwindClause) clause()   {}
func (*ProjectClause) clause()  {}
func (*CallClause) clause()     {}
func (*SubqueryClause) clause() {}
func (*CreateClause) clause()   {}
func (*MergeClause) clause()    {}
func (*SetClause) clause()      {}
func (*RemoveClause) clause()   {}
func (*DeleteClause) clause()   {}
func (*ForeachClause) clause()  {}

// LoadProcedure is the procedure that LOAD CSV calls: with the URL, whether there are headers, and what parts fields.
const LoadProcedure = "load.csv"
