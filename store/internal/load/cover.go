package load

import (
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

// cover lets the ids of a batch, all integers, be their own numbers, below limit. It is
// true when all are.
func (v *vertices) cover(b *formats.EdgeBatch, limit int64) bool {
	if v.declared > 0 || v.closed {
		return false
	}
	last := max(beyond(b.Src.Ints, 0), beyond(b.Dst.Ints, 0))
	if last >= uint64(v.ids.covered) {
		v.ids.cover(int64(min(last, uint64(limit)-1) + 1))
	}
	return last < uint64(v.ids.covered)
}

// coverLimit is below what ids may be covered once so many edges are read. bounded: of a load whose memory is.
func coverLimit(edges int64, bounded bool) int64 {
	limit := max(coverFree, coverRate*edges)
	if !bounded {
		limit = max(limit, min(coverLoose*edges, coverMost))
	}
	return min(limit, math.MaxInt32)
}

// shift is by how much all integer ids of a batch exceed their numbers; false: not by the
// same. They do when they are covered, below limit, or of nodes declared as base, base+1, …
func (v *vertices) shift(b *formats.EdgeBatch, limit int64) (shift int64, ok bool) {
	if b.Src.Strings != nil || b.Dst.Strings != nil {
		return 0, false
	}
	if v.cover(b, limit) {
		return 0, true
	}
	t := v.ids
	ok = t.covered == 0 && int(t.run) == len(t.ids) &&
		beyond(b.Src.Ints, t.base) < uint64(t.run) && beyond(b.Dst.Ints, t.base) < uint64(t.run)
	return t.base, ok
}

// beyond is the most by which ids exceed base; those below it are far beyond.
func beyond(ids []int64, base int64) (most uint64) {
	for _, id := range ids {
		most = max(most, uint64(id-base))
	}
	return most
}
