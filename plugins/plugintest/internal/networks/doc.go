// Package networks tests neural networks. Their oracle is dataflow.Evaluate.
//
//	networks.go     a network over a graph, however that is cut; varying.go: whose inputs change from pass to pass
//	grids.go        and piece by piece; sharedgrids.go: by several sessions, by turns
//	batches.go      batches: over graphs that come one after the other
//	portions.go     portions: the vertices of such a graph are told by their rows in the whole
//	halves.go       halves: those of its stages that look at edges, or go row by row, by themselves
package networks
