package communities

import (
	"slices"
	"testing"
)

// Two communities of vertices of one seed: one is called by it, the other by the first number from 0 that is free.
func TestNaming_NegativeSeeds(t *testing.T) {
	for _, c := range []struct{ seeds, want []int64 }{
		{[]int64{-2, -2}, []int64{-2, 0}},
		{[]int64{3, 3}, []int64{3, 4}},
	} {
		ids := []int64{5, 7}
		n, err := newNaming(ids, c.seeds)
		if err != nil {
			t.Fatal(err)
		}
		if names := n.names(ids, []uint32{0, 1}); !slices.Equal(names, c.want) {
			t.Errorf("communities of seeds %v are called %v, not %v", c.seeds, names, c.want)
		}
	}
}

func TestNaming_NoVertices(t *testing.T) {
	n, err := newNaming(nil, []int64{})
	if err != nil {
		t.Fatal(err)
	}
	if names := n.names(nil, nil); len(names) != 0 {
		t.Errorf("names of no communities: %v", names)
	}
}
