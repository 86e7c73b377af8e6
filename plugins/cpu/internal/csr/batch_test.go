package csr

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Batches hold every segment of every chunk once, in order; within one no row and no head
// is written by two chunks.
func TestBatches_CoverAndDoNotCollide(t *testing.T) {
	random := testseed.Rand(t)
	for range 50 {
		chunks, heads := randomChunks(random), 6
		next := 0
		for _, w := range Batches(chunks, heads) {
			rows, head := uint64(0), 0
			for _, r := range w.Chunks {
				if r != chunks[next] || r.direction != w.Chunks[0].direction || r.Rows.Base < rows || r.FirstHead != head {
					t.Fatalf("chunk %d: rows %+v begin before %d, or its head is %d, not %d", next, r.Rows, rows,
						r.FirstHead, head)
				}
				for s := range r.Segments() {
					if found, at := w.At(head + s); found != r || at != s {
						t.Fatalf("task %d is segment %d of %+v", head+s, at, found.Rows)
					}
				}
				next, rows, head = next+1, r.Rows.End(), head+r.Segments()
			}
			if w.Segments() != head || head > heads {
				t.Fatalf("%d segments, %d counted; expected at most %d", w.Segments(), head, heads)
			}
		}
		if next != len(chunks) {
			t.Fatalf("batches hold %d chunks of %d", next, len(chunks))
		}
	}
}

// randomChunks are of one to five segments, over rows that now and then start anew.
func randomChunks(random *rand.Rand) (list []*Chunk) {
	edges := make([]uint32, 5*segmentEdges)
	base, direction := uint64(0), chunk.Out
	for range 1 + random.IntN(12) {
		switch random.IntN(6) {
		case 0:
			base = 0
		case 1:
			base, direction = 0, chunk.In
		}
		list = append(list, &Chunk{direction: direction, Rows: chunk.Interval{Base: base, Count: 10},
			Neighbors: edges[:random.IntN(len(edges))]})
		base += 10
	}
	return list
}
