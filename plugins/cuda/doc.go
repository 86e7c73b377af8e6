// Package cuda is the device for NVIDIA's GPUs. It keeps state and chunks in a card's own memory; what the host
// puts into the arena is copied there, and results are copied back.
//
//	New ──▶ device ──Open──▶ session: one thread, one card          (device.go, session.go)
//	Compile  task ──▶ Program or Call, and its Plan                 (session.go)
//	Execute  commands ──▶ internal/commands ──Obey──▶ work in the card's queues   (obey.go)
//
// Data goes from the arena to the card and back:
//
//	arena: chunks ──▶ residency ──▶ chunks on the card ─┐
//	  or some of the rows ──▶ selection ──▶ residency   │    call: a procedure          ──▶ arena: results
//	                                                    ├──▶ engine: Init, Step, Apply ──▶ arena: state
//	arena: columns ─────────────────────────────────────┘
//	arena: another session's values ◀──▶ exchange ◀──▶ engine
//
// Each room is entered at its package comment. Those further down know none that stand above them:
//
//	internal/commands   commands in order, answers in order; Uploads are begun when they come
//	internal/engine     a vertex program runs: where it stands, what is put into the queue
//	internal/call       a procedure runs (package procedure)
//	internal/network    a neural network: lists and inputs are kept on the card, passes are steps in the queue
//	internal/compile    task ──lower──▶ PTX ──driver──▶ kernels; the layout of the card's memory; the Plan
//	internal/exchange   accumulators or states of another session
//	internal/residency  chunks: opened, admitted, copied, checked, let go
//	internal/selection  some rows of a chunk: the card counts and gathers them out of the arena
//	internal/columns    vertex columns in the arena, and their place on the card
//	internal/stream     the card's queues, events, letters and pinned buffers of a session
//	internal/card       what sessions share: context, kernels, pinned blocks of arenas, whether it is lost
//	internal/memory     slabs, spaces, bytes
//
// What they call is public to this module alone: package lower makes a program PTX, kernels has the kernels, solve and
// procedure have algorithms of their own, driver calls libcuda, blas calls cuBLAS, and softcuda stands in for both in
// tests.
//
// # Streams and answers
//
// A session is one goroutine on one OS thread (internal/card), with four queues on the card (internal/stream):
//
//	choosing   Upload: which rows, where not all
//	copying    Upload: arena ──▶ card            ─┐ event
//	checking   validate, convert                  └▶ ─┐ event
//	computing  Step, Apply …                          └▶
//
// A command is put into these queues when it comes, and answered when an event says that the card has done it, in
// order. So the next chunks are copied while kernels run. What an Upload brings is checked on the
// card as well; a chunk that turns out to be damaged has no rows from then on, for whatever Step is
// in the queue already. While the session waits for an answer within a command it looks at those that come, and begins
// their copies.
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
// program has converged, when Execute ends, and after each command where the task says Restorable: they are not read
// before, and they are as large as much of what is uploaded.
//
// # Memory
//
// The budget is of the card's memory. Plan.Fixed has the columns that the program reads or writes, the accumulators (8
// bytes a vertex), bitmaps, and the kernels' scratch, which all chunks share; it is one allocation. A chunk takes what
// its lists take, and 8 bytes an edge for every column that is no float64; while its rows are counted, 12 bytes for
// each more, if there is room. Of the host's memory a session takes two buffers of card.BufferBytes and a bit a vertex,
// pinned, none of which counts.
package cuda
