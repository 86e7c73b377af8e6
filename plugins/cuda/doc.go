// Package cuda is the device for NVIDIA's GPUs. It keeps state and chunks in a card's own memory; what the host
// puts into the arena is copied there, and results are copied back.
//
//	Compile  task ──lower──▶ PTX ──driver──▶ kernels; one slab of the card's memory          (program.go, slab.go)
//	Upload   arena ──pinned, or by the ring──▶ card, checked and converted there             (upload.go, pins.go, ring.go)
//	         or only the rows of some vertices, which the card counts and gathers out of the arena (select.go)
//	         or another process's card ──▶ card                                              (lending.go, borrowing.go)
//	Init     id, degrees ──▶ state, first active set                                         (program.go)
//	Step     chunk ──push or pull──▶ accumulators                                            (iterate.go)
//	Apply    accumulators ──▶ state, next active set ──▶ arena                               (iterate.go)
//	Iterate  Step over all chunks and Apply until converged                                  (iterate.go)
//	Settle   the same for some vertices, state improved at once                              (settle.go)
//	Restore  arena ──▶ state, active set                                                     (restore.go)
//	Gather, Deliver   accumulators or states of another session                              (exchange.go)
//
// # Streams and answers
//
// A session is one goroutine on one OS thread (thread.go), with four queues on the card (session.go):
//
//	choosing   Upload: which rows, where not all
//	copying    Upload: arena ──▶ card            ─┐ event
//	checking   validate, convert                  └▶ ─┐ event
//	computing  Step, Apply …                          └▶
//
// A command is put into these queues when it comes, and answered when an event says that the card has done it
// (answer.go), in order. So the next chunks are copied while kernels run. What an Upload brings is checked on the
// card as well; a chunk that turns out to be damaged has no rows from then on, for whatever Step is
// in the queue already. While the session waits for an answer within a command it looks at those that come, and begins
// their copies. It waits by asking, never by blocking in the driver: a kernel that hangs
// cannot keep Execute from ending when its context does.
//
// Large copies stand alone in their queue: what is small goes by others. Memory for a chunk is taken in the queue that
// copies it, and given back there once the card is known to be done with it, so that the driver hands it on without
// waiting for kernels. Uploads that have come are begun early, in order.
//
// # What is left to others
//
// Compiled kernels: the driver keeps them, by their text (~/.nv/ComputeCache, CUDA_CACHE_PATH), and the text of a
// program is the same in every session. Files: chunks come by the arena alone, for the host's readers fill it side by
// side, and the card then copies by itself, while a file's pages would pass through this session's one thread. Several
// sources: one after another, each on the whole card.
//
// # What the arena holds
//
// The active set is in the arena after each command that changes it. The state columns are copied there once the
// program has converged, when Execute ends, and after each command where the task says Restorable: nobody reads them
// before, and they are as large as much of what is uploaded.
//
// # Memory
//
// The budget is of the card's memory. Plan.Fixed has the columns that the program reads or writes, the accumulators (8
// bytes a vertex), bitmaps, and the kernels' scratch, which all chunks share; it is one allocation. A chunk takes what
// its lists take, and 8 bytes an edge for every column that is no float64; while its rows are counted, 12 bytes for
// each more, if there is room. Of the host's memory a session takes two buffers of ringBytes and a bit a vertex,
// pinned, none of which counts.
package cuda
