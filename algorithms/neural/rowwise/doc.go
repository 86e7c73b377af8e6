// Package rowwise computes a dataflow whose rows look at no other rows, a block of them at a time: what a model says of
// pairs of vertices, and its gradients.
//
//	rows of inputs ──Run──▶ rows of values, and sums over the rows of the block
//
// Dataflow.Evaluate is the oracle. Sums are those of one block: what is made of them by gradients is linear, so that
// the sum over blocks is the sum over all rows.
package rowwise
