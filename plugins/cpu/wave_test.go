package cpu

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Waves hold every segment of every chunk once, in order; within one no row and no head
// is written by two chunks.
func TestWaves_CoverAndDoNotCollide(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 1))
	for range 50 {
		chunks, heads := randomChunks(random), 6
		next := 0
		for _, w := range waves(chunks, heads) {
			rows, head := uint64(0), 0
			for _, r := range w.chunks {
				if r != chunks[next] || r.direction != w.chunks[0].direction || r.rows.Base < rows || r.firstHead != head {
					t.Fatalf("seed %d: chunk %d: rows %+v begin before %d, or its head is %d, not %d", seed, next, r.rows, rows, r.firstHead, head)
				}
				for s := range r.segments() {
					if found, at := w.at(head + s); found != r || at != s {
						t.Fatalf("seed %d: task %d is segment %d of %+v", seed, head+s, at, found.rows)
					}
				}
				next, rows, head = next+1, r.rows.End(), head+r.segments()
			}
			if w.segments() != head || head > heads {
				t.Fatalf("seed %d: %d segments, %d counted; expected at most %d", seed, w.segments(), head, heads)
			}
		}
		if next != len(chunks) {
			t.Fatalf("seed %d: waves hold %d chunks of %d", seed, next, len(chunks))
		}
	}
}

// randomChunks are of one to five segments, over rows that now and then start anew.
func randomChunks(random *rand.Rand) (list []*resident) {
	edges := make([]uint32, 5*segmentEdges)
	base, direction := uint64(0), chunk.Out
	for range 1 + random.IntN(12) {
		switch random.IntN(6) {
		case 0:
			base = 0
		case 1:
			base, direction = 0, chunk.In
		}
		list = append(list, &resident{direction: direction, rows: chunk.Interval{Base: base, Count: 10}, neighbors: edges[:random.IntN(len(edges))]})
		base += 10
	}
	return list
}
