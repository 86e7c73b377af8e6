// Package cpu is the device that always is there: the host's own processor. It reads
// chunks in place, in the arena or in the store's files, and vertex columns in the arena,
// and copies neither. Chunks may begin at any address: no atomic operations on them.
//
//	Compile  task ──▶ program: push or pull, fused loop or vectorised     (compile.go)
//	Upload   range of arena or file ──▶ resident chunk, checked once      (resident.go)
//	Init     id, degrees ──▶ state columns, first active set              (init.go)
//	Step     active state ──▶ messages ──edges──▶ accumulators            (push.go, pull.go)
//	Apply    accumulators ──▶ state columns, next active set              (apply.go, improve.go)
//	Iterate  Step over every resident chunk, Apply, until converged       (iterate.go)
//	Call     a procedure over every resident chunk                        (procedure.go)
//
// # Messages
//
// What a message takes from its source alone is computed once a vertex, not once an
// edge (messages.go). Sum and Prod then pull: each row of a chunk is a target that adds
// up its sources, so nobody else writes it; long rows of about equal length are summed
// side by side (abreast.go). Min, Max, And and Or push: each row is a source that lowers the
// accumulators of its targets by compare-and-swap (keys.go), and rows that are not active
// cost nothing. Sums of which the host would send active rows alone are pushed as well, each
// worker to targets of its own (accumulate.go). Where edges lead both ways, an iteration of Iterate whose active rows have
// many edges goes bottom up instead: rows ask their neighbours, and stop at a message that
// none beats (bottomup.go).
//
// Which loop a program gets goes by its shape, once operations that change nothing are
// gone (package shape). Where there is none, blocks of edges are evaluated an
// operator at a time (vectorised.go), after what takes one end alone has been hoisted out
// of Process, once a vertex (hoist.go).
//
// An accumulative program, which sums doubles that all vertices send, has loops of its own
// over vertices as well: for an Apply (acc·w + a)·b + c (affine.go), for messages that are
// a column times w (scaled.go), and for the sum of a column over some vertices (mass.go).
// What no state decides, of these, is computed once (terms.go); x / double(k) then is
// x times 1/k, which may differ in the last bit. Messages that are single(…) are kept in
// single precision, and summed as doubles (single.go). Where the target alone chooses
// between two messages, each row sums those of one (gate.go). Sums that are passed on once they are
// worth it, as in pagerank-delta, have a loop of their own too (threshold.go).
//
// # Settling
//
// Settle takes rounds of its own among the vertices whose edges are all there (settle.go): who departs
// sends, and who is reached is given the next state (arrive.go), in each round those of
// the set, and at the end all. A round looks at a word for 64 vertices, and evaluates
// expressions only for words with somebody in them. Where sums are passed on above a threshold, who
// is about to send takes along what has come meanwhile, so that what chunks sent before
// reaches those sent after in the same pass (as in Gauss and Seidel's method).
//
// # A share
//
// With a Task.Share (share.go) the lists of rows that push are clipped to the share, segments that pull
// for others are left out, and Apply is done for the share alone. Restore, after each Apply, empties the
// accumulators and has messages of all vertices made anew. Solvers are left aside.
//
// # A part
//
// With a Task.Part (part.go) what has come is gathered into a column for another session, in the order that
// sums have without it, or taken from such a column before Apply. Where parts settle, the first state column is
// written as others may read it, by one atomic store a value (publish.go). Solvers are left aside.
//
// # Solvers
//
// Iterate runs programs of some shapes to their end by an algorithm of their own, which
// it knows by what they compute and never by their name (solver.go):
//
//	components      the first column as it is, both ways: Afforest        (components.go,
//	                streamedcomponents.go)
//	flood           all who send hold one value: breadth-first by levels  (flood.go, level.go,
//	                streamedflood.go, lists.go)
//	delta-stepping  the least of first column and weight added up         (deltastepping.go)
//
// Some are certain, from the expressions alone (wanes.go), that they need never give up: components,
// and flood where Init is a constant or nothing and messages only get worse. They also take chunks
// one by one, as Step and Apply bring them, each in a way of its own: components is done after one
// pass over all, or, where lists alone are sent, asks for a few and then for those of whoever is not in
// the largest component; flood asks for chunks with somebody to reach, once those are fewer than the
// frontier, or, where lists alone are sent, for the first entries of the lists of those. Components
// settles as well.
//
// # The same bits
//
// A result does not depend on the number of threads, nor on whether the host steps
// chunk by chunk or iterates: sums have a fixed order. Work is cut into segments of
// segmentEdges edges and blocks of blockVertices vertices, whoever does them; a row
// that spans segments is put together in their order, as are sums over blocks. A chunk that
// has no room is cut between segments, by hosts that know of them. Segments
// of chunks that have no row in common form one list of tasks (wave.go).
//
// # Memory
//
// Beside the arena a program takes 8 bytes a vertex for accumulators, 8 for messages (and, where
// they are read at random, 2 MiB, to begin them with a huge page where there are 2 MiB of them:
// hugepages.go), a
// bit for touched, and about 100 KiB a thread; at most four hoisted columns take 8 bytes
// a vertex each, and so do at most three terms; an aggregate's condition
// takes a bit, and a choice of messages 8 bytes and a bit; cdlp 4 bytes a vertex for each
// thread and 8 more; lcc and triangles 4 bytes an edge, 16 a vertex (lcc 20), 9 a vertex for each
// thread, and as much again as the edges, or 8 MiB if that is less, for the matrix of the
// hubs; lcc on a directed graph has two; k-core 16 bytes a vertex, scc 20, and betweenness
// 119 and 8 for each of up to four threads.
// Solvers take more than their programs do: flood 5 bytes a vertex, delta-stepping 9. Those that are
// certain take 4 (components; and two bits, where lists alone are sent) and 5 (flood) in place of accumulators and messages.
// Plan.Fixed has the exact number, and everything is charged to the budget before it is
// allocated (package charge).
package cpu
