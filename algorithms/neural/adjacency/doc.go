// Package adjacency has the edges of vertices as lists, as neural networks go through them: sorted, so that sums have
// the same bits in whatever order edges come, and with each vertex as its own neighbor where a model wants that.
//
//	edges in any order ──Builder──▶ Lists
//	degrees ──Sections──▶ runs of vertices with about as much to do
package adjacency
