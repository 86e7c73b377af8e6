package ast

// Listing is what SHOW lists: the rows of a procedure. Of its columns the first are shown where YIELD names none.
type Listing struct {
	Procedure string
	Columns   []string
	Shown     int
}

// What statements can call, with the columns that Neo4j 5 has.
var (
	FunctionListing = Listing{"dbms.functions", []string{
		"name", "category", "description",
		"signature", "isBuiltIn", "argumentDescription", "returnDescription", "aggregating", "isDeprecated", "deprecatedBy",
	}, 3}
	ProcedureListing = Listing{"dbms.procedures", []string{
		"name", "description", "mode", "worksOnSystem",
		"signature", "argumentDescription", "returnDescription", "admin", "isDeprecated", "deprecatedBy", "option",
	}, 4}
)
