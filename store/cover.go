package store

import (
	"encoding/binary"
	"math"

	"github.com/penstock-db/penstock/formats"
)

// Up to coverFree integer ids may be their own numbers in any load, and coverRate for each
// edge read so far: were two in 16 met, a table of them would take no less. Of a load whose
// memory for vertices is not bounded, coverLoose are for each edge, up to coverMost: of a
// large graph the first batch names few.
const (
	coverFree  = 1 << 20
	coverRate  = 16
	coverLoose = 1 << 10
	coverMost  = 1 << 25
)

// cover lets the integer ids of a batch be their own numbers, up to coverLimit. It is
// true when all are.
func (l *loader) cover(b *formats.EdgeBatch) bool {
	if l.declared > 0 || l.schema.NodesDeclared || b.Src.Strings != nil || b.Dst.Strings != nil {
		return false
	}
	limit := l.coverLimit(int64(l.manifest.Edges) + int64(b.Src.Len()))
	last := max(largest(b.Src.Ints), largest(b.Dst.Ints))
	if last >= uint64(l.ids.covered) {
		l.ids.cover(int64(min(last, uint64(limit)-1) + 1))
	}
	return last < uint64(l.ids.covered)
}

func (l *loader) coverLimit(edges int64) int64 {
	limit := max(coverFree, coverRate*edges)
	if l.opts.Memory == 0 {
		limit = max(limit, min(coverLoose*edges, coverMost))
	}
	return min(limit, math.MaxInt32)
}

// largest of ids; those below 0, which are none, are larger than any.
func largest(ids []int64) (most uint64) {
	for _, id := range ids {
		most = max(most, uint64(id))
	}
	return most
}

// encodeCovered appends a batch's records, all of one size, to block: column by column,
// and the ids of the ends are their own numbers.
func (l *loader) encodeCovered(block []byte, b *formats.EdgeBatch, e *encoder) []byte {
	targets := b.Dst.Ints
	block = block[:e.fixed*len(targets)]
	for i, source := range b.Src.Ints[:len(targets)] {
		target := targets[i]
		binary.LittleEndian.PutUint64(block[e.fixed*i:], uint64(source)|uint64(target)<<32)
		l.count(uint32(source), uint32(target))
	}
	if e.typed {
		for i := range targets {
			binary.LittleEndian.PutUint32(block[e.fixed*i+8:], l.typeCode(b, i))
		}
	}
	e.fill(block)
	return block
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
