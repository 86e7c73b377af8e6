package kmeans

import (
	"context"
	"testing"

	"github.com/penstock-db/penstock/algorithms/community"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// Nothing is computed in double precision of vectors whose nearest center there is several times.
func TestAssigner_SameCentersLeaveNoDoubt(t *testing.T) {
	const n = 32
	s := &kmeans{Input: procedures.Input{N: n, Pool: parallel.New(1)}, vectors: make([]float32, 2*n), width: 2,
		clusters: 7, community: make([]int64, n)}
	s.vectors[0] = 1
	l := newLloyd(s)
	for c, v := range []uint32{0, 1, 2, 3, 0, 5, 6} {
		l.center(c, v)
	}
	l.round()
	a := l.assigner[0]
	a.assign(0, n)
	for v, c := range s.community {
		if want := int64(min(v, 1)); c != want || a.square[v] >= 0 {
			t.Errorf("vertex %d has center %d, whose square is computed: %v; expected %d", v, c, a.square[v], want)
		}
	}
	if err := l.means(context.Background()); err != nil {
		t.Fatal(err)
	}
	for c := range s.clusters {
		if got, want := community.SquaredFrom(l.vector(0), l.centerOf(c)), float64(min(c, 1)); c != 4 && got != want {
			t.Errorf("center %d is %v from vertex 0; expected %v", c, got, want)
		}
	}
}
