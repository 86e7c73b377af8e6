package mega

import (
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// TestExchangeOf: a stage of one set goes along all edges of its left vertices, and no others, in any order of vertices
// and any batches; what that changes is told.
func TestExchangeOf(t *testing.T) {
	r := testseed.Rand(t)
	for range 100 {
		g := randomGraph(r)
		sets := make([]uint8, g.Lefts())
		for u := range sets {
			sets[u] = uint8(r.IntN(3))
		}
		want := make([]int64, g.Rights)
		for u := range sets {
			for _, v := range g.Targets[g.Offsets[u]:g.Offsets[u+1]] {
				want[v] += [3]int64{1, 1000, 0}[sets[u]] // nobody scans the third
			}
		}
		p := &Program[int64, int64, int64]{Name: "sets", Left: Rows{Mirror: 1}, Right: Rows{Shared: 1}, Shuffle: r.IntN(2) == 0,
			StartLeft: func(u int, row []int64) { row[0] = int64(sets[u]) },
			Exchange: func(w *Worker[int64], u, v []int64, _ *int64) {
				if int64(w.Set) != u[0] {
					t.Errorf("set %d is said to be scanned, and a vertex of %d comes", w.Set, u[0])
				}
				v[0] += [3]int64{1, 1000, 1000000}[u[0]]
			},
			Stages: []Stage{MiniBatch(ExchangeOf(0), Sync()), ExchangeOf(1), Sync()}}
		g.Sets = sets
		o := Options{Workers: 1 + r.IntN(5), Epochs: 1 + r.IntN(3), Batch: r.IntN(30)}
		s, _, err := Run(t.Context(), p, g, o)
		if err != nil {
			t.Fatal(err)
		}
		for v := range want {
			if s.Right[v] != int64(o.Epochs)*want[v] {
				t.Fatalf("%+v, shuffled %v: vertex %d has %d, want %d epochs of %d", o, p.Shuffle, v, s.Right[v], o.Epochs, want[v])
			}
		}
		g.Sets = sets[1:]
		if _, _, err := Run(t.Context(), p, g, o); err == nil || !strings.Contains(err.Error(), "sets of them") {
			t.Errorf("of one vertex less: %v", err)
		}
	}
}
