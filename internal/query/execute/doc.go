// Package execute runs plans over a graph.
//
// Operators push: each calls the next with one row, which is changed in place; rows are copied
// only where they are kept, or given out. So a row costs no allocation. Expressions are compiled
// to closures once for a run. Nodes and relationships in rows are ids; they are made whole when a
// row is given out.
//
// What operators hold is counted. Beyond the limit, sorting, grouping and rows that wait for a
// change go on in temporary files; other operators end the statement.
package execute
