// Package stats tells what a graph looks like, in numbers and in a picture: its degrees, where
// in the adjacency matrix its edges are, and how dense the core is that vertices of high degree
// make.
//
//	degrees ─┬─▶ Distribution
//	         └─▶ rank ─┬─ Counter, Grid (internal/core) ─▶ Core
//	            chunks ┴─▶ Spy
//
// The lists are gone through once, a chunk at a time; all else is at most 24 bytes a vertex.
package stats
