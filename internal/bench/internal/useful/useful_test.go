package useful

import (
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/measuretest"
	"github.com/penstock-db/penstock/store"
)

// TestUseful_BFS: useful are, in the iteration of a depth, the edges of vertices at that
// depth, which the oracle tells; what has been useful is never used again.
func TestUseful_BFS(t *testing.T) {
	o := measure.Options{Kernels: []string{"bfs"}, Streamed: true}
	in, err := graphs.LookupGraph("rmat-7")
	if err != nil {
		t.Fatal(err)
	}
	edges, err := in.Simple(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	g, err := graphs.Prepare(t.Context(), t.TempDir(), "rmat-7", false, o)
	if err != nil {
		t.Fatal(err)
	}
	err = g.WithSnapshot(graphs.Plain, func(snapshot *store.Snapshot) error {
		k := kernel.Kernels[slices.IndexFunc(kernel.Kernels, func(k kernel.Kernel) bool { return k.Algorithm == "bfs" })]
		shares, err := usefulIn(t.Context(), k, snapshot, 2)
		if err != nil {
			return err
		}
		checkUseful(t, shares, edges)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkUseful(t *testing.T, shares []Shares, edges []uint64) {
	t.Helper()
	neighbors := map[uint64][]uint64{}
	for _, e := range edges {
		u, v := e>>32, uint64(uint32(e))
		neighbors[u], neighbors[v] = append(neighbors[u], v), append(neighbors[v], u)
	}
	hub := uint64(0)
	for v := range uint64(len(neighbors)) {
		if len(neighbors[v]) > len(neighbors[hub]) {
			hub = v
		}
	}
	seen, front, ever := map[uint64]bool{hub: true}, []uint64{hub}, 0.0
	var want []float64
	for len(front) > 0 {
		led := 0
		var next []uint64
		for _, u := range front {
			led += len(neighbors[u])
			for _, v := range neighbors[u] {
				if !seen[v] {
					seen[v] = true
					next = append(next, v)
				}
			}
		}
		want, front = append(want, float64(led)/float64(2*len(edges))), next
		ever += want[len(want)-1]
	}
	if len(shares) != len(want) {
		t.Fatalf("%d iterations, want %d", len(shares), len(want))
	}
	for i, s := range shares {
		ever -= want[i]
		if !near(s.Useful, want[i]) || !near(s.Potential, ever) || !near(s.Useful+s.Potential+s.Never, 1) {
			t.Errorf("iteration %d: %+v, want %v useful, %v later", i+1, s, want[i], ever)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestDrawing_Charts(t *testing.T) {
	useful := &Usefulness{Graphs: []UsefulGraph{{"rmat-20",
		[]UsefulKernel{{"bfs", []Shares{{0.5, 0.25, 0, 1}, {}}}, {"wcc", nil}}}}}
	measuretest.Drawn(t, useful.WriteSVG)
}
