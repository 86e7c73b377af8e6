// Package plan says how a statement is executed: which operators make and change rows, in which
// order. It starts each pattern at the node that is cheapest to find, by the statistics of the
// graph, and follows relationships from there, filtering as early as it can.
//
//	Statement ─New─▶ Plan: a tree of operators; each takes the rows of its input
//
// A row has a slot for each variable. Expressions in a plan are those of package ast, but for
// variables, which are Slots, and what needs a plan of its own, which is Nested.
package plan
