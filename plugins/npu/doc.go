// Package npu is the dense device: it keeps the edges between n vertices as a matrix of n × n
// cells, and has ONNX Runtime multiply messages by it, on whatever hardware that knows. A step
// takes as long whether there are few edges or many. It pays where a graph, or its core, is dense, or
// where many sources are wanted at once.
//
//	Compile  task ──▶ the form of its matrix, and what that takes        (program.go, room.go)
//	Upload   chunk, checked, read in place until it is evicted           (resident.go)
//	Init     id, degrees ──▶ state columns, first active set             (lane.go, apply.go)
//	Step     chunks ──▶ who is linked ──▶ matrix ──▶ accumulators        (compaction.go, matrix.go, iterate.go)
//	Apply    accumulators ──▶ state columns, next active set             (apply.go)
//	Iterate  Step and Apply until converged, or several steps at a time  (iterate.go, hurry.go)
//	Settle   the same for some vertices                                  (settle.go)
//	Gather, Deliver   accumulators or states of another session          (exchange.go)
//	Close    matrix ──▶ the next session on the arena                    (legacy.go)
//
// What is computed a vertex at a time is computed here, on the processor, by plugins/internal/vector:
// Init, Apply, aggregates, norms, who is active. It is exact, and little beside n² cells. What is
// computed of pairs is the runtime's: package model writes it as operators on matrices,
// package ort calls the library, and package onnx writes what that reads.
//
// # The matrix
//
// Only vertices with an edge in the chunks of the session have a row and a column (compaction.go), so that
// memory depends on their number alone. The matrix is made when it is first asked for, of
// all chunks that are resident, and made anew when others are. So a host may stream chunks, but it
// would rather not: Step by Step each makes its own matrix.
//
// # Many sources
//
// With Task.Lanes the state of each set of constants is a lane (lanes.go); the messages of all are
// multiplied at once, which takes little longer than those of one.
//
// # Memory
//
// Plan.Fixed has the columns, an accumulator a vertex and lane, a bit and a half a vertex for the
// compaction, and what package model says that matrix and scratch take for as many vertices as
// Graph.Linked says (all, where it does not). What the weights make it take beyond that, it asks for
// before it is allocated. A matrix that a session leaves behind stays in what the next one's plan has for its own, or is
// freed by its Compile. Without a budget, what memory the machine has is one.
package npu
