package graphs

import (
	"slices"
	"testing"
)

// TestRenumberKeepsEdges: ids become dense, and their order and the edges stay.
func TestRenumberKeepsEdges(t *testing.T) {
	edge := func(u, v uint64) uint64 { return u<<32 | v }
	edges := []uint64{edge(2, 9), edge(5, 9), edge(2, 5)}
	renumber(edges, 9)
	if want := []uint64{edge(0, 2), edge(1, 2), edge(0, 1)}; !slices.Equal(edges, want) {
		t.Errorf("%x, want %x", edges, want)
	}
}

// TestSimpleGraphs: no loops, no edge twice, no vertex without an edge.
func TestSimpleGraphs(t *testing.T) {
	for _, name := range []string{"rmat-7", "uniform-7", "rmat-6x40"} {
		in, err := LookupGraph(name)
		if err != nil {
			t.Fatal(err)
		}
		edges, err := in.Simple(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		used := map[uint64]bool{}
		for i, e := range edges {
			if u, v := e>>32, uint64(uint32(e)); u >= v || i > 0 && edges[i-1] >= e {
				t.Errorf("%s: edge %d is %d–%d", name, i, u, v)
			}
			used[e>>32], used[uint64(uint32(e))] = true, true
		}
		for v := range uint64(len(used)) {
			if !used[v] {
				t.Errorf("%s: no edge at vertex %d of %d", name, v, len(used))
			}
		}
	}
}

func TestWeightsAreInRange(t *testing.T) {
	seen := map[uint64]bool{}
	for e := range uint64(1 << 16) {
		seen[Weight(e*0x100003)] = true
	}
	if len(seen) != maxWeight || seen[0] || !seen[1] || !seen[maxWeight] {
		t.Errorf("%d different weights", len(seen))
	}
}
