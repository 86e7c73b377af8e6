// Package neighborhood has the lists of neighbors of an undirected or simple view of a graph.
package neighborhood
