// Package neural says what a graph neural network computes: a Model is data, as a vertex program is.
//
//	Model (text) ──parse──▶ expressions ──infer widths──▶ shapes ──translate──▶ dataflow.Program
//
// The model is SAGA-NN (NeuGraph, Ma et al., ATC 2019, section 2.2): each layer is Scatter, ApplyEdge, Gather and
// ApplyVertex. ApplyEdge and ApplyVertex are expressions in CEL, over rows of numbers; Gather is one of a few
// accumulators.
//
//	edge:   sigmoid(dst.h * WH + src.h * WC) * src.h
//	gather: sum
//	vertex: relu(acc * W)
//
// # Names
//
// src, dst and, in a vertex expression, self have h, which the layer before gave; x, the features; in_degree and
// out_degree. edge has the numeric properties of the edge. acc is what Gather gave.
//
// A name that begins with a capital letter is learned. x * W is the matrix product. In other places a learned name is
// one row: x + B, scale(x, S), dot(x, A). Its shape follows from the expressions.
//
// # Widths
//
// Operators go element by element. Where one row is narrower, each of its numbers goes with an equal part of the
// wider: with heads, attention of width heads times rows of width heads·k. Functions are listed by Functions.
// Dividing by 0 gives 0, so that the degree of a vertex without edges needs no care.
package neural
