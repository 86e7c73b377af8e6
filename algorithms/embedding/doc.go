// Package embedding defines algorithms that make vectors of vertices, and the walks that some learn from: FastRP,
// HashGNN, Node2Vec, RandomWalk.
package embedding
