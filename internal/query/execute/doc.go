// Package execute runs plans.
//
//	plan.Plan ─build─▶ operators over one frame ─run─▶ rows, given out one by one
//
// Operators push: each calls the next with one row, which is changed in place; rows are copied
// only where they are kept, or given out. So a row costs no allocation. Expressions are compiled
// to closures once for a run. Nodes and relationships in rows are ids; they are made whole when a
// row is given out.
//
// What operators hold is counted. Beyond the limit, sorting, grouping and rows that wait for a
// change go on in temporary files; other operators end the statement.
//
// An operator is a function of a package of its family, below internal:
//
//	scan         finds nodes
//	expand       follows relationships
//	path         finds shortest paths, and joins parts to paths
//	stream       makes rows of one row at a time
//	materialize  takes all rows before it gives the first
//	join         runs a second plan besides
//	aggregate    makes a row of each group
//	write        changes the graph
//	call         calls a procedure
//
// It takes its children, its slots, its compiled expressions (package expression) and what takes its
// rows as parameters. What all of them share is the frame; what they hold is of its budget, and rows
// that they keep are in package rows. A new operator is a type of package plan, a function of such a
// package, and a case of build.
package execute
