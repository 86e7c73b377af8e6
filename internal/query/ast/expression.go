package ast

import "github.com/penstock-db/penstock/formats/value"

// Expression gives a value for each row.
type Expression interface {
	At() Position
	expression()
}

// Literal is a value that is written out, but for lists and maps.
type Literal struct {
	Position
	Value value.Value
}

// Variable is a name.
type Variable struct {
	Position
	Name string
}

// Parameter is $name.
type Parameter struct {
	Position
	Name string
}

// Property is subject.key.
type Property struct {
	Position
	Subject Expression
	Key     string
}

// HasLabels is subject:Label:Other, true when it has all of them; of a relationship, is of that type.
type HasLabels struct {
	Position
	Subject Expression
	Labels  []string
}

// ListLiteral is [a, b].
type ListLiteral struct {
	Position
	Elements []Expression
}

// MapLiteral is {key: value}.
type MapLiteral struct {
	Position
	Keys   []string // as written
	Values []Expression
}

// MapProjection is subject {.key, key: value, .*, variable}.
type MapProjection struct {
	Position
	Subject Expression
	Items   []MapProjectionItem
}

// MapProjectionItem is .* where All is set; .key where Value is nil; else key: value.
type MapProjectionItem struct {
	All   bool
	Key   string
	Value Expression
}

// Unary is an operator before or after its operand.
type Unary struct {
	Position
	Op      UnaryOp
	Operand Expression
}

// UnaryOp is an operator of one operand.
type UnaryOp uint8

const (
	Not UnaryOp = iota
	Minus
	Plus
	IsNull
	IsNotNull
)

// Binary is an operator between its operands. Chains of comparisons (a < b < c) are
// conjunctions already.
type Binary struct {
	Position
	Op          BinaryOp
	Left, Right Expression
}

// BinaryOp is an operator of two operands.
type BinaryOp uint8

const (
	Or BinaryOp = iota
	Xor
	And
	Equal
	NotEqual
	Less
	LessEqual
	Greater
	GreaterEqual
	Add
	Subtract
	Multiply
	Divide
	Modulo
	Power
	In
	StartsWith
	EndsWith
	Contains
	Matches     // =~
	Concatenate // ||
)

// Index is subject[index], of a list or by key of a map, node or relationship.
type Index struct {
	Position
	Subject, Index Expression
}

// Slice is subject[from..to].
type Slice struct {
	Position
	Subject  Expression
	From, To Expression // nil: from the beginning, to the end
}

// Call is a function, which may be an aggregate one.
type Call struct {
	Position
	Function  string // as written, with its namespace: "duration.between"
	Distinct  bool
	Arguments []Expression
}

// CountStar is count(*).
type CountStar struct{ Position }

// Case is CASE subject WHEN … THEN … ELSE … END.
type Case struct {
	Position
	Subject Expression // nil: each When is a condition
	When    []Expression
	Then    []Expression
	Else    Expression // nil: null
}

// ListComprehension is [variable IN list WHERE where | result].
type ListComprehension struct {
	Position
	Variable string
	List     Expression
	Where    Expression // nil: all
	Result   Expression // nil: the element
}

// PatternComprehension is [pattern WHERE where | result].
type PatternComprehension struct {
	Position
	Pattern PathPattern
	Where   Expression // nil: all
	Result  Expression
}

// PatternExpression is a pattern as an expression: whether it is there. In shortestPath(…) it
// is the path.
type PatternExpression struct {
	Position
	Pattern PathPattern
}

// Quantifier is all, any, none, single (variable IN list WHERE where).
type Quantifier struct {
	Position
	Kind     QuantifierKind
	Variable string
	List     Expression
	Where    Expression // nil: the element itself
}

// QuantifierKind says of how many elements the condition has to be true.
type QuantifierKind uint8

const (
	All QuantifierKind = iota
	Any
	None
	Single
)

// Reduce is reduce(accumulator = initial, variable IN list | result).
type Reduce struct {
	Position
	Accumulator string
	Initial     Expression
	Variable    string
	List        Expression
	Result      Expression
}

// Exists is EXISTS { … }, COUNT { … } or COLLECT { … }. Either Query is given, or Patterns and Where.
type Exists struct {
	Position
	Query    *Query
	Patterns []PathPattern
	Where    Expression
	Count    bool // COUNT { … }: how many rows there are
	Collect  bool // COLLECT { … }: a list of the values of the one column of Query
}

func (*Literal) expression()              {}
func (*Variable) expression()             {}
func (*Parameter) expression()            {}
func (*Property) expression()             {}
func (*HasLabels) expression()            {}
func (*ListLiteral) expression()          {}
func (*MapLiteral) expression()           {}
func (*MapProjection) expression()        {}
func (*Unary) expression()                {}
func (*Binary) expression()               {}
func (*Index) expression()                {}
func (*Slice) expression()                {}
func (*Call) expression()                 {}
func (*CountStar) expression()            {}
func (*Case) expression()                 {}
func (*ListComprehension) expression()    {}
func (*PatternComprehension) expression() {}
func (*PatternExpression) expression()    {}
func (*Quantifier) expression()           {}
func (*Reduce) expression()               {}
func (*Exists) expression()               {}
