package topological

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Of a graph without cycles every vertex that is reached comes once, behind all that lead to it; with a cycle, which a
// search for the way back finds, there is no order, but one that is reached.
func TestSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		vertex := rapid.Custom(func(t *rapid.T) uint32 { return uint32(rapid.IntRange(0, n-1).Draw(t, "v")) })
		lists := make([][]uint32, n)
		for v := range lists {
			lists[v] = rapid.SliceOfN(vertex, 0, 2).Draw(t, "list")
		}
		some := rapid.SliceOfDistinct(vertex, func(v uint32) uint32 { return v }).Draw(t, "some")
		var from []uint64
		for _, v := range some {
			from = append(from, uint64(v))
		}
		list := func(_ context.Context, v uint64) ([]uint32, uint64, error) { return lists[v], 0, nil }
		got, cycle, err := Sort(t.Context(), list, slices.Values(from), uint64(n))
		if err != nil {
			t.Fatal(err)
		}
		reached, back := reachable(lists, some), false
		for _, v := range reached {
			back = back || slices.Contains(reachable(lists, lists[v]), v)
		}
		if len(cycle) > 0 != back || !back && len(got) != len(reached) {
			t.Fatalf("cycle %v, %d of %d: %v", cycle, len(got), len(reached), lists)
		}
		for i, v := range cycle {
			next := cycle[(i+1)%len(cycle)]
			if !slices.Contains(reached, uint32(v)) || !slices.Contains(lists[v], uint32(next)) ||
				slices.Contains(cycle[:i], v) {
				t.Fatalf("%v is no cycle that is reached: %v", cycle, lists)
			}
		}
		for i, v := range got {
			for _, u := range lists[v] {
				if at := slices.Index(got, uint64(u)); at >= 0 && at <= i {
					t.Fatalf("%d comes before %d: %v", u, v, got)
				}
			}
			if !slices.Contains(reached, uint32(v)) || slices.Contains(got[:i], v) {
				t.Fatalf("%d: %v", v, got)
			}
		}
	})
}

// reachable is what some reach, and themselves.
func reachable(lists [][]uint32, some []uint32) (all []uint32) {
	all = slices.Compact(slices.Sorted(slices.Values(some)))
	for at := 0; at < len(all); at++ {
		for _, u := range lists[all[at]] {
			if !slices.Contains(all, u) {
				all = append(all, u)
			}
		}
	}
	return all
}

// A list that cannot be read ends it.
func TestSort_Fails(t *testing.T) {
	broken := errors.New("broken")
	list := func(context.Context, uint64) ([]uint32, uint64, error) { return nil, 0, broken }
	if _, _, err := Sort(t.Context(), list, slices.Values([]uint64{0}), 1); !errors.Is(err, broken) {
		t.Fatal(err)
	}
}
