package mega

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// TestRun_Shuffle: left vertices come in another order in each epoch, each once and with all of its edges, whatever the
// batch, and are visited in the batch in which they have come.
func TestRun_Shuffle(t *testing.T) {
	seed := testseed.New(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 20 {
		g := &Graph[int]{Rights: 9, Offsets: []int64{0}}
		for range 40 + r.IntN(40) {
			for range r.IntN(4) {
				g.Targets, g.Edges = append(g.Targets, uint32(r.IntN(g.Rights))), append(g.Edges, 0)
			}
			g.Offsets = append(g.Offsets, int64(len(g.Targets)))
		}
		const epochs = 3
		var orders [epochs][]int
		p := &Program[int, int64, int]{Name: "shuffled", Left: Rows{Mirror: 3}, Right: Rows{Shared: 1}, Shuffle: true,
			StartLeft: func(u int, row []int) { row[0] = u },
			Block: func(w *Worker[int64], u []int, edges Edges[int64, int]) {
				if degree := g.Offsets[u[0]+1] - g.Offsets[u[0]]; int64(len(edges.Targets)) != degree {
					t.Errorf("vertex %d comes with %d edges of %d", u[0], len(edges.Targets), degree)
				}
				u[1], u[2] = u[1]+1, w.Clock
			},
			Visit: func(w *Worker[int64], u []int) {
				orders[w.Epoch] = append(orders[w.Epoch], u[0])
				if has := g.Offsets[u[0]] < g.Offsets[u[0]+1]; has && (u[1] != w.Epoch+1 || u[2] != w.Clock) {
					t.Errorf("vertex %d has come %d times before it is visited, in epoch %d", u[0], u[1], w.Epoch)
				}
			},
			Stages: []Stage{MiniBatch(Exchange(), Visit(), Sync())},
		}
		_, report, err := Run(context.Background(), p, g, Options{Epochs: epochs, Batch: 1 + r.IntN(30), Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if got := report.Workers[0].Edges; got != uint64(epochs*len(g.Targets)) {
			t.Errorf("%d edges were gone along", got)
		}
		if slices.Equal(orders[0], orders[1]) {
			t.Error("two epochs have one order")
		}
		for _, order := range orders {
			if slices.Sort(order); len(slices.Compact(order)) != g.Lefts() || len(order) != g.Lefts() {
				t.Errorf("%d visits of %d vertices", len(order), g.Lefts())
			}
		}
	}
}
