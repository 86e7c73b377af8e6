// Package catalog joins the families of algorithms to what is built in:
//
//	centrality  community  components  embedding  paths  similarity  structure
//	                              │
//	                              ▼
//	          All ──▶ algorithms.Catalog ──Lookup(name)──▶ *algorithms.Algorithm
//
// Its tests hold every algorithm to its verifier, to the interpreter where it is a vertex program, and to the reference
// results of LDBC Graphalytics and LAGraph.
package catalog
