package check

// Catalog knows functions and procedures by name, in whatever case it is written.
type Catalog interface {
	Function(name string) (Function, bool)
	Functions() []string // all names, to suggest one
	Procedure(name string) (Procedure, bool)
	Procedures() []string
}

// Function is how a function is called.
type Function struct {
	Min, Max  int     // arguments; Max -1: any number
	Takes     []Kinds // what each argument may be; the last is of all that follow; none: anything
	Aggregate bool    // of many rows
	Volatile  bool    // another value for each call, as rand()
}

// Procedure is how a procedure is called, and what comes out.
type Procedure struct {
	Arguments []Field
	Columns   []Field
}

// Field is an argument or a column.
type Field struct {
	Name     string
	Type     string // BOOLEAN, INTEGER, FLOAT, NUMBER, STRING, MAP, LIST, NODE, RELATIONSHIP, PATH; else ANY
	Optional bool   // an argument that may be left out
}
