// Package npu is the dense device: it keeps the edges between n vertices as a matrix of n × n
// cells, and has ONNX Runtime multiply messages by it, on whatever hardware that knows. A step
// takes as long whether there are few edges or many. It pays where a graph, or its core, is dense, or
// where many sources are wanted at once.
//
//	New ──▶ device ──Open──▶ session: the kit's, and what it leaves the next    (device.go, session.go)
//
// The rest is in rooms of its own, each entered at its package comment:
//
//	internal/engine   Step, Apply, Iterate, Settle: calls the three below in order
//	internal/lane     what is computed a vertex at a time: initial state, Apply, active set
//	internal/edges    resident chunks, and numbers of the vertices that they link
//	internal/matrix   chunks to a matrix that the runtime multiplies by; what one session leaves the next
//
// What is computed a vertex at a time is computed here, on the processor, by plugins/internal/vector:
// Init, Apply, aggregates, norms, who is active. It is exact, and little beside n² cells. What is
// computed of pairs is the runtime's: package model writes it as operators on matrices,
// package ort calls the library, and package onnx writes what that reads.
//
// # The matrix
//
// Only vertices with an edge in the chunks of the session have a row and a column (internal/edges), so that
// memory depends on their number alone. The matrix is made when it is first asked for, of
// all chunks that are resident, and made anew when others are. So a host may stream chunks, but it
// would rather not: Step by Step each makes its own matrix.
//
// # Many sources
//
// With Task.Lanes the state of each set of constants is a lane (internal/lane); the messages of all are
// multiplied at once, which takes little longer than those of one.
//
// # Memory
//
// Plan.Fixed has the columns, an accumulator a vertex and lane, a bit and a half a vertex for the compaction, and what
// package model says that matrix and scratch take for as many vertices as Graph.Linked says (all, where it does not).
// What the weights make it take beyond that, it asks for before it is allocated. A matrix that a session leaves behind
// stays in what the next one's plan has for its own, or is freed by its Compile. Without a budget, what memory the
// machine has is one.
package npu
