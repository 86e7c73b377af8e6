// Package execute runs plans over a graph.
//
// Operators push: each calls the next with one row, which is changed in place; rows are copied
// only where they are kept, or given out. So a row costs no allocation. Expressions are compiled
// to closures once for a run. Nodes and relationships in rows are ids; they are made whole when a
// row is given out.
package execute
