package schedule

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Against what the words say, from every iteration's active set.
func TestAccounting_AgreesWithItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := draw(t)
		var lists []Lists
		for _, c := range g.state.Chunks {
			lists = append(lists, Lists{c.Senders[0], g.degrees})
		}
		most := rapid.IntRange(1, 6).Draw(t, "most")
		a := NewAccounting(g.n, most)
		var sets []Bitmap
		for range rapid.IntRange(0, 6).Draw(t, "iterations") {
			set := make(Bitmap, len(g.state.Active))
			for _, v := range rapid.SliceOfN(rapid.Uint64Range(0, g.n-1), 0, 60).Draw(t, "active") {
				set[v/64] |= 1 << (v % 64)
			}
			var demand []uint64
			for _, l := range lists {
				demand = append(demand, set.Demand(l.Rows, g.degrees, chunk.Places{}))
			}
			a.Begin(set, demand)
			sets = append(sets, set)
		}
		uses := a.Uses(lists)
		if len(uses) != min(most, len(sets)) {
			t.Fatalf("of %d iterations, %d at most: %d", len(sets), most, len(uses))
		}
		for i, each := range uses {
			for c, got := range each {
				if want := useOf(lists[c], sets[i], sets[i+1:]); got != want {
					t.Fatalf("iteration %d, chunk %d: %+v, want %+v", i, c, got, want)
				}
			}
		}
	})
}

func useOf(lists Lists, now Bitmap, later []Bitmap) (u Use) {
	for v := lists.Rows.Base; v < lists.Rows.End(); v++ {
		edges := uint64(lists.Degrees[v])
		in := func(set Bitmap) bool { return set[v/64]>>(v%64)&1 != 0 }
		again := false
		for _, set := range later {
			again = again || in(set)
		}
		switch {
		case in(now):
			u.Useful += edges
		case again:
			u.Potentially += edges
		default:
			u.Never += edges
		}
	}
	return u
}
