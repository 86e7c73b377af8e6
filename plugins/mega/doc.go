// Package mega is the SDK and the engine of MEGA programs: machine learning on bipartite graphs by bounded staleness
// (Xiao et al., TuX²: Distributed Graph Computation for Machine Learning, NSDI'17).
//
// # A program
//
// An edge leads from a left vertex u (a user, a document, a sample) to a right one v (an item, a word, a feature). The
// data of a vertex is a row: so many values of a plain type, which may be numbers or structs of a fixed size. A Program
// says what an epoch does, as a sequence of stages:
//
//	MiniBatch ──▶ for each batch of edges   Exchange(u, v, edge)    both rows may be changed in place
//	                                        ExchangeOf(set)         of the left vertices of one set alone
//	                                        Visit(u)                each left vertex
//	                                        VisitRight              each right vertex, as its master has it
//	                                        Look                    Exchange that changes nothing that travels
//	                                        Sync                    ends a clock: what was changed becomes known
//	                                        Barrier                 a Sync after which it is known, whatever the slack
//	Visit, Exchange, Sync outside of MiniBatch are for all edges of a partition at once.
//
// τ, the global context, is a row as well, of which every worker has a mirror: Worker.Context. What workers add to it
// is added up at Sync, as are the rows of right vertices.
//
// # What travels
//
//	        partition 0                 partition 1
//	left    u0 u1 u2                    u3 u4 u5             each in one partition, in the order of storage
//	edges   by left vertex, each names the index of its mirror
//	right   mirrors [v0 v2]             mirrors [v0 v1 v2]   those that an edge leads to: one array
//	            │  ▲                        │  ▲
//	  changed − │  │ rows that have         │  │
//	  as pulled ▼  │ changed since          ▼  │
//	        masters v0 v1 v2 τ, each owned by the partition with most edges to it, in another array
//
// So it is by the cut Bipartite. By others (see Cut) left vertices have masters and mirrors, too, if the program says
// what of them travels: the shared values of Program.Left.
//
// Of a row the first Rows.Shared values travel; behind them a master and a mirror have values of their own. A mirror
// sends by how much each shared value has changed since it was pulled, and the master applies that: by adding it, or as
// Program.Apply says; or, by Rows.Mean, by adding a share of it, since others that have not heard of it are likely to
// change the row as well. So updates of several workers add up, and one that has gathered a gradient in a shared value
// that its master keeps at 0 sends the gradient. A row of which the owner alone has a mirror is its master's without
// going there and back, unless there is Program.Apply; so with one worker none travels.
//
// # Clocks
//
// A batch is a clock. A worker begins clock t when all have finished clock t − s − 1, s being the slack; it then
// sees all updates of those clocks, and perhaps later ones. With slack 0 (bulk synchronous) it sees exactly the updates
// of all clocks before its own, applied clock by clock and worker by worker: such a run always gives the same bits.
//
// # Processes
//
// Workers are goroutines, or of several processes that run the same (Options.Processes). These meet in memory that they
// map: it has masters, left rows, what has been sent to masters and waits for a clock, clocks, and what workers tell of
// epochs, each guarded by a lock whose waiters the kernel wakes. Mirrors, edges and all that a program has for itself
// are each process's own. The bits are those of one process with as many workers.
//
//	process 0: workers 0, 1 ─┐              ┌─ process 1: workers 2, 3
//	                         masters, clocks, epochs
//
// Nothing is mended when a process dies: whoever has started them ends the others, and starts all again from what was
// kept last (Course.Save), in memory of zeros.
//
// That plain graph computation fits as well, pagerank_test.go shows: a vertex is on both sides then.
//
// Explain says what a run will be, before it is.
//
// A partition has one worker, and nobody else touches its left rows and its mirrors: Exchange needs no lock.
package mega
