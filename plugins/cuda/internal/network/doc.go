// Package network computes neural networks on a card: plugins.ExtensionNetworks.
//
//	New       dataflow ──compiler──▶ a program for each pass: steps, and where their numbers lie   (task.go)
//	Init      room for lists                                                                      (edges.go)
//	Step      chunk ──▶ lists at an end of edges, on the card
//	Apply     lists are sorted and counted; inputs are copied                                     (input.go)
//	Pass      parameters ──▶ steps, in a queue ──▶ roots         (program.go)
//	          of passes over batches: the graph as well, by another set of lists and inputs       (batch.go)
//
// A step is a kernel or two (step.go), after which the card has the rows of a value:
//
//	gather     an expression, added up over the lists of vertices. It is computed in registers, edge by edge: no number
//	           of an edge is ever stored                                                          (code.go)
//	rows       an expression of values at the same row: what one value reads alone, element by element, is a part of it
//	product    x·P, x·Pᵀ, xᵀ·y of rows: by cuBLAS, or by a kernel where there is none             (product.go)
//	           of sparse rows: rows of P, or of y, are gathered along lists of what is not 0      (input.go)
//	sum        an expression, over all rows
//	loss       cross entropy, and its gradient
//
// An expression is code for a machine with a stack, which each thread runs for one column
// (kernels/network_evaluate.cuh): vertex programs are lowered to PTX instead, where the driver has to compile each.
// An expression of networks has loops, as of a product at edges, and there are dozens in a model.
//
// Sums are taken in an order that goes by the graph and the model alone. There are no atomic additions of numbers.
//
// # Piece by piece
//
// With a grid (package algorithms/neural/grid) rows and edges come and go. A stage is a unit of steps for each cell and
// one for the rows of each wave (stage.go); where their numbers lie is known when the piece has come (grid.go,
// cell.go). Folds go on from cell to cell as if all edges came at once (fold.go, kernels/network_cell.cuh).
//
//	copying    Rows 1  Cell 1  Cell 2  ───────  Rows 2  Cell 1 …     to slots by turns
//	computing          ──────  Cell 1  Cell 2   Rows 1  ──────  …    what a stage stores is copied after that
//
// # Memory
//
// One slab has everything: lists, inputs, parameters, what is computed once, and what a pass stores of its values,
// which share their places as they come and go (buffer.go). Its size is known before anything is computed, and is the
// plan's Fixed.
package network
