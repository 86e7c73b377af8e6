package heldout

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// Places are even, and those of one seed say nothing of those of the next: 10,000 edges of a grid of vertices.
func TestPlacesAreEven(t *testing.T) {
	seed := testseed.New(t)
	var tenths, next [10]int
	for u := range uint64(100) {
		for v := range uint64(100) {
			x := Place(seed, u, v)
			if x != Place(seed, u, v) || x < 0 || x >= 1 {
				t.Fatalf("%d → %d: %v", u, v, x)
			}
			if tenths[int(10*x)]++; x < 0.1 {
				next[int(10*Place(seed+1, u, v))]++
			}
		}
	}
	for i := range tenths {
		if math.Abs(float64(tenths[i])-1000) > 200 || math.Abs(float64(next[i])-100) > 70 {
			t.Errorf("tenth %d has %d of 10,000 edges, and %d of the first tenth by the next seed", i, tenths[i], next[i])
		}
	}
}
