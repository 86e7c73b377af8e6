// Package schedule decides which chunks a device gets in an iteration, and in which
// order. One policy a file; each is a function of what is known before the iteration.
//
//	active set ─┐
//	chunks ─────┴─▶ Policy ──▶ chunk numbers, in order ──▶ host reads, uploads, steps them
//
// A policy never changes a result, only what it costs: every chunk from which an active
// vertex sends must be in its answer.
package schedule

import "github.com/penstock-db/penstock/formats/chunk"

// Chunk is what a policy knows of a chunk.
type Chunk struct {
	// Senders are the vertices that may send along the chunk's edges.
	Senders []chunk.Interval
	Edges   uint64
	Bytes   uint64 // encoded, with the edge columns that are needed
}

// State is what is known before an iteration.
type State struct {
	Chunks []Chunk
	Active Bitmap
	All    bool // every vertex is active
}

// Policy answers with the chunks to step, as indexes of State.Chunks.
type Policy func(State) []int

// Bitmap is a set of vertices: v is in it when bit v%64 of word v/64 is set.
type Bitmap []uint64

// Any tells whether some vertex of the interval is in the set. It looks at a word for 64 vertices.
func (b Bitmap) Any(i chunk.Interval) bool {
	if i.Count == 0 {
		return false
	}
	first, last := i.Base/64, (i.End()-1)/64
	head := ^uint64(0) << (i.Base % 64)
	tail := ^uint64(0) >> (63 - (i.End()-1)%64)
	if first == last {
		return b[first]&head&tail != 0
	}
	if b[first]&head != 0 || b[last]&tail != 0 {
		return true
	}
	for _, word := range b[first+1 : last] {
		if word != 0 {
			return true
		}
	}
	return false
}
