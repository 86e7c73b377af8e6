package adjacency

import (
	"errors"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// Sections are all vertices in their order, at most so many, and none has more than three times what it should of
// either vertices or edges, unless one vertex has.
func TestSections(t *testing.T) {
	r := testseed.Rand(t)
	for range 200 {
		degrees, edges, most := make([]int64, r.IntN(20_000)), int64(0), int64(0)
		for v := range degrees {
			if degrees[v] = int64(r.IntN(1 + r.IntN(40))); r.IntN(1000) == 0 {
				degrees[v] = int64(r.IntN(20_000))
			}
			edges, most = edges+degrees[v], max(most, degrees[v])
		}
		bounds := Sections(degrees)
		count := len(bounds) - 1
		if bounds[0] != 0 || bounds[count] != len(degrees) || count > MostSections || !slices.IsSorted(bounds) {
			t.Fatalf("%d vertices: %v", len(degrees), bounds)
		}
		for k := range count {
			vertices, own := bounds[k+1]-bounds[k], int64(0)
			for _, d := range degrees[bounds[k]:bounds[k+1]] {
				own += d
			}
			if vertices == 0 || vertices > 3*len(degrees)/count+1 || own > 3*edges/int64(count)+most+1 {
				t.Fatalf("section %d of %d has %d of %d vertices, and %d of %d edges", k, count, vertices, len(degrees), own,
					edges)
			}
		}
	}
}

// Lists are sorted in whatever order edges come, and with loops each vertex has one, with its own property or 1.
func TestBuilder(t *testing.T) {
	build := func(loops bool, rows ...int) (Lists, error) {
		b := NewBuilder(10, []int64{3, 0, 2}, []string{"w"}, loops)
		for _, row := range rows {
			switch row {
			case 0:
				b.Add(0, 8, []uint32{4, 2}, [][]float64{{0.4, 0.2}})
			case 1:
				b.Add(0, 0, []uint32{7}, [][]float64{{0.7}})
			case 2:
				b.Add(2, 0, []uint32{5, 5}, [][]float64{{0.6, 0.5}})
			}
		}
		return b.Complete()
	}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}} {
		l, err := build(true, order...)
		if err != nil || !slices.Equal(l.Offsets, []int64{0, 3, 4, 7}) ||
			!slices.Equal(l.Others, []uint32{7, 10, 12, 11, 5, 5, 12}) ||
			!slices.Equal(l.Properties["w"], []float64{0.7, 0.2, 0.4, 1, 0.5, 0.6, 1}) {
			t.Errorf("%v: %+v, %v", order, l, err)
		}
	}
	var missing *MissingError
	if _, err := build(false, 0, 2); !errors.As(err, &missing) || *missing != (MissingError{10, 2, 3}) {
		t.Errorf("without an edge: %v", err)
	}
	if b := NewBuilder(0, []int64{1}, nil, false); b.Add(0, 0, []uint32{1, 2}, nil) {
		t.Error("more edges than the degree says")
	}
}
