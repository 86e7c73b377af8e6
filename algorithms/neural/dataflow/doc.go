// Package dataflow is what a graph neural network computes, as a graph of values that a device can run in pieces.
//
//	layers of expressions ──neural──▶ values ──Gradient──▶ more values ──Order──▶ a device, or Evaluate
//
// A value is a matrix. Where its rows lie says how a device may cut it:
//
//   - A parameter is small and whole on every device: what is learned, or a number.
//   - A vertex value has one row for each vertex. It is computed row by row, so that intervals of vertices are computed
//     one after the other.
//   - An edge value has one row for each edge, and is never stored. It exists only while a Gather adds it up.
//
// Three operators cross from one kind to another (NeuGraph, Ma et al., ATC 2019, section 3.1). Source and Target take
// a vertex value to the edges: Scatter. Gather takes an edge value to the vertices at one end. Outer and SumRows add
// up rows into a parameter.
//
// # One essay: hoist, fuse, differentiate
//
// 1. Hoist. What an edge computes from one end alone is computed once for each vertex: f(Source(x)) is Source(f(x)).
// The Builder does this when it makes a value, so that no later step has to look for it (section 3.3 of the paper).
//
// 2. Factor out. A sum over the edges into v of a·Target(b) is b times the sum of a. So the normalization of a GCN
// leaves no number at its edges: the gather is a plain sum of rows. A scalar product with what v has goes the same way,
// so that the gradient of attention has none at its edges; and the largest score of a vertex is that of its neighbors'
// parts of the score (linear.go).
//
// 3. Fuse. What is left at the edges is element-wise and belongs to one Gather. A device computes it edge by edge
// while it adds up, which is the paper's Fused-Gather. No tensor of edges is ever stored.
//
// 4. Differentiate. Gradient walks the values backward. The gradient of Source is a Gather to the source, that of a
// Gather is a Source or Target. These are the paper's backward-Scatter and backward-Gather, and they are values as
// all others: a device that can compute forward can compute backward.
//
// Equal values are one value, so that what is written twice is computed once, forward and backward.
package dataflow
