// Package network computes the passes of a neural network on ONNX Runtime, stage by stage of dataflow.Schedule:
//
//	NewTask  values ──lowering──▶ what stages take, before anything is computed     (task.go, size.go)
//	Step     chunks ──▶ lists                                                       (lists.go)
//	Apply    lists ──▶ matrices of pairs; stages ──▶ sessions with memory bound     (pairs.go, stage.go)
//	Pass     dropouts drawn; each stage, a block of rows after the other ──▶ roots  (run.go, dropout.go)
//
// Where the task has a grid, rows and edges come and go, and blocks are tiles of the same size:
//
//	NewGridTask  waves ──lowering──▶ tiles, as large as the budget lets them be     (grid.go, tile.go)
//	Rows, Cell   rows of an interval; rows and columns of a cell, a tile at a time  (interval.go, cell.go)
//
// Rows of vertices are matrices. Edges are a matrix of how many lead from each vertex to each, n × n, so that a graph
// takes memory by the square of its vertices; a network that looks at no edges takes none of it. A block has as many
// rows as its operators may bring (scratchBytes): what lies at pairs exists for a block at a time.
//
// Numbers come in the same order whenever a pass is computed, and however chunks are cut: lists are sorted, blocks
// depend on the graph and the budget alone, and what blocks add to a parameter is added up in their order.
package network
