// Package extensions tests what a run of a program or a procedure may ask of a device beyond the core of the contract.
// A group is left out where the device does not take the extension up.
//
//	mapped.go      files: chunks lie in them instead of the arena
//	sorted.go      settle: programs that cycles may leave without a result, in topological order
//	restore.go     restore: one run in two sessions
//	share.go       shares, joins: and in two at once, each with some of the vertices
//	parts.go       parts: and in two at once, each with some of the edges
//	intervals.go   intervals: and in one, two intervals of the vertices at a time
//	lanes.go       lanes: and several runs in one session
//	passes.go      passes: procedures in passes over the chunks
//	properties.go  properties: programs that read those of vertices
//	cycles.go      cycles: the one that leaves a program without a result is named
package extensions
