package store

import (
	"encoding/binary"
	"math"

	"github.com/penstock-db/penstock/formats"
)

// coverFree is how many integer ids may be their own numbers in any load, and coverRate
// how many for each edge read: so a table for all of them takes little, beside the edges
// to come, in a file with so many edges in its first batch alone.
const (
	coverFree = 1 << 20
	coverRate = 1 << 10
)

// cover lets the integer ids of a batch be their own numbers as far as the table of
// them takes no more than a quarter of Memory, 16 bytes an id. It is true when all are.
func (l *loader) cover(b *formats.EdgeBatch) bool {
	if l.declared > 0 || l.schema.NodesDeclared || b.Src.Strings != nil || b.Dst.Strings != nil {
		return false
	}
	edges := int64(l.manifest.Edges) + int64(b.Src.Len())
	limit := min(max(coverFree, coverRate*edges), max(1, l.opts.Memory/64), math.MaxInt32)
	last := max(largest(b.Src.Ints), largest(b.Dst.Ints))
	if last >= uint64(l.ids.covered) {
		l.ids.cover(int64(min(last, uint64(limit)-1) + 1))
	}
	l.makeDegrees()
	return last < uint64(l.ids.covered)
}

// largest of ids; those below 0, which are none, are larger than any.
func largest(ids []int64) (most uint64) {
	for _, id := range ids {
		most = max(most, uint64(id))
	}
	return most
}

// encodePairs appends a batch's edges, whose ids are their own numbers, to block.
func (l *loader) encodePairs(block []byte, b *formats.EdgeBatch) []byte {
	targets := b.Dst.Ints
	block = block[:8*len(targets)]
	for i, source := range b.Src.Ints[:len(targets)] {
		target := targets[i]
		binary.LittleEndian.PutUint64(block[8*i:], uint64(source)|uint64(target)<<32)
		l.count(uint32(source), uint32(target))
	}
	return block
}
