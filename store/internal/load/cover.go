package load

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

// cover lets the ids of a batch, all integers, be their own numbers, up to coverLimit. It is
// true when all are.
func (l *loader) cover(b *formats.EdgeBatch) bool {
	if l.declared > 0 || l.schema.NodesDeclared {
		return false
	}
	limit := l.coverLimit(int64(l.manifest.Edges) + int64(b.Src.Len()))
	last := max(beyond(b.Src.Ints, 0), beyond(b.Dst.Ints, 0))
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

// shift is by how much all integer ids of a batch exceed their numbers; false: not by the
// same. They do when they are covered, or of nodes declared as base, base+1, …
func (l *loader) shift(b *formats.EdgeBatch) (shift int64, ok bool) {
	if b.Src.Strings != nil || b.Dst.Strings != nil {
		return 0, false
	}
	if l.cover(b) {
		return 0, true
	}
	t := l.ids
	ok = t.covered == 0 && int(t.run) == len(t.ids) && beyond(b.Src.Ints, t.base) < uint64(t.run) && beyond(b.Dst.Ints, t.base) < uint64(t.run)
	return t.base, ok
}

// beyond is the most by which ids exceed base; those below it are far beyond.
func beyond(ids []int64, base int64) (most uint64) {
	for _, id := range ids {
		most = max(most, uint64(id-base))
	}
	return most
}

// encodeShifted appends a batch's records, all of one size, to block: column by column,
// and the ends' numbers are their ids less shift.
func (l *loader) encodeShifted(block []byte, b *formats.EdgeBatch, e *encoder, shift int64) []byte {
	block = l.encodePairs(block, b, shift, e.fixed)
	if e.typed {
		for i := range b.Src.Len() {
			binary.LittleEndian.PutUint32(block[e.fixed*i+8:], l.typeCode(b, i))
		}
	}
	e.fill(block)
	return block
}

// encodePairs appends a batch's edges, whose ends' numbers are their ids less shift, to
// block: as records of some size, of which there are but the ends.
func (l *loader) encodePairs(block []byte, b *formats.EdgeBatch, shift int64, size int) []byte {
	targets := b.Dst.Ints
	block = block[:size*len(targets)]
	for i, source := range b.Src.Ints[:len(targets)] {
		source, target := uint32(source-shift), uint32(targets[i]-shift)
		binary.LittleEndian.PutUint64(block[size*i:], uint64(source)|uint64(target)<<32)
		l.count(source, target)
	}
	return block
}
