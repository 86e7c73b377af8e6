// Package drive plays the host of one session: it cuts a graph into chunks, passes them through an arena, and leads the
// device from Open to results.
//
//	              Work, Mode, Partition
//	                       │
//	graph ──Encode──▶ chunks, Room ──▶ arena ──Uploader──▶ ┐          ┌▶ events, held to their rules
//	                                                       ├─ Dialog ─┤
//	                                   Rig ──commands────▶ ┘          └▶ State: columns, active set ──▶ Outcome
//
//	partition.go  a graph as chunks, in every way a host may cut one
//	mode.go       how a host drives a task; work.go: which task that is; part.go: with which of the edges
//	rig.go        one session under test, and what it is given; describe.go: what its device says of itself
//	room.go       where its data lies in an arena; state.go: columns and active set; upload.go: chunks
//	dialog.go     the stream of commands and events, and the rules of that stream
//	drive.go      a run from Execute to results, whole or streamed, or in passes
//	settle.go     and settling; nearest.go: in the order of values; sorting.go: in topological order
//	restoring.go  and one iteration after the other, which another session may go on from
package drive
