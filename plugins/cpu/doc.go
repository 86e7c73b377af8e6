// Package cpu is the device that always is there: the host's own processor. It reads
// chunks in place, in the arena or in the store's files, and vertex columns in the arena,
// and copies neither. Chunks may begin at any address: no atomic operations on them.
//
//	New ──▶ device ──Open──▶ session: Compile, then commands      (device.go, session.go)
//	    Upload   range of arena or file ──▶ csr.Chunk, checked once
//	    Call     a procedure over every resident chunk            (procedures.go)
//	    others   the engine's, for a vertex program               (exchange.go)
//
// The rest is in rooms of its own, each entered at its package comment:
//
//	internal/compile      a vertex program to column code
//	internal/kernels      messages along edges into accumulators: push, pull, bottom up
//	internal/solvers      whole-graph solvers by a program's shape: components, bfs, deltastepping
//	internal/engine       Step, Apply, Iterate, Settle: calls the three above in order
//	internal/procedures   algorithms that are no vertex programs: triangles, lcc, betweenness, …
//	internal/csr          resident chunks as compressed sparse rows
//	internal/parallel     numbered tasks on a fixed number of workers
//	internal/worklist, hugepages
//
// # The same bits
//
// A result does not depend on the number of threads, nor on whether the host steps
// chunk by chunk or iterates: sums have a fixed order. Work is cut into segments of
// chunk.SumEdges edges and blocks of parallel.BlockVertices vertices, whichever workers do
// them; a row that spans segments is put together in their order, as are sums over blocks. A
// chunk that has no room is cut between segments, by hosts that know of them.
//
// # Memory
//
// Beside the arena a program takes 8 bytes a vertex for accumulators, 8 for messages (4 in
// single precision; and, where they are read at random, 2 MiB, to begin them with a huge page
// where there are 2 MiB of them), a bit for touched, and what its code and its solver take.
// A solver that is a Stepper takes its own in place of accumulators and messages. Each package
// says what it takes. Plan.Fixed has the exact number, and everything is charged to the budget
// before it is allocated (package charge).
package cpu
