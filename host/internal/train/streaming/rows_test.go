package streaming

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Rows that are picked are those of the vertices, however far they lie apart: dense ones, and sparse ones as all of
// their numbers.
func TestRows_Pick(t *testing.T) {
	r := testseed.Rand(t)
	for range 50 {
		n, width := 1+r.IntN(3000), 1+r.IntN(200)
		dense := make([]float32, n*width)
		tensors := []plugins.Tensor{{Name: "dense", Numbers: arena.Range{Length: uint64(4 * len(dense))}}, {Name: "sparse"}}
		for i := range dense {
			if r.IntN(4) == 0 {
				dense[i] = r.Float32()
				tensors[1].Numbers.Length += 4
			}
		}
		tensors[1].Columns, tensors[1].Offsets.Length = tensors[1].Numbers, 8
		rows, err := NewRows(tensors, nil, uint64(n))
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		fill(t, rows, dense, width)
		var vertices []uint32
		var want []float32
		share := r.IntN(12)
		for v := range n {
			if r.IntN(12) <= share {
				vertices, want = append(vertices, uint32(v)), append(want, dense[v*width:(v+1)*width]...)
			}
		}
		for name, of := range rows.inputs {
			got := make([]float32, len(want))
			bytes, err := rows.pick(of, width, vertices, got, new(Window))
			if err != nil || bytes != uint64(4*len(want)) || !slices.Equal(got, want) {
				t.Fatalf("%d of %d %s rows of %d numbers: %d bytes, %v; or other numbers", len(vertices), n, name, width, bytes,
					err)
			}
		}
	}
}

// fill writes rows, all numbers and those that are not 0.
func fill(t *testing.T, to *Rows, dense []float32, width int) {
	t.Helper()
	for name := range to.inputs {
		err := to.Input(name, func(put func(v uint64, numbers []float32, places []uint32) error) error {
			for v := range len(dense) / width {
				row := dense[v*width : (v+1)*width]
				var numbers []float32
				var places []uint32
				for i, x := range row {
					if x != 0 {
						numbers, places = append(numbers, x), append(places, uint32(i))
					}
				}
				if name == "dense" {
					numbers, places = row, nil
				}
				if err := put(uint64(v), numbers, places); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A filter is worth it where what is read and copied of few rows takes less than all of them do; rows that follow each
// other need no copy.
func TestRates_Filters(t *testing.T) {
	const n = 100_000
	every := func(k, run int) (some []uint32) {
		for v := 0; v < n; v += k * run {
			for u := v; u < v+run; u++ {
				some = append(some, uint32(u))
			}
		}
		return some
	}
	rates := Rates{Load: 2, Window: 1, Copy: 2.5}
	for _, c := range []struct {
		name string
		some []uint32
		is   bool
	}{{"all", every(1, 1), false}, {"every second", every(2, 1), false}, {"every third", every(3, 1), true}, {"every tenth", every(10, 1), true},
		{"half, in runs of 20000", every(2, 20_000), true}, {"none", nil, true}} {
		if rates.Filters(c.some, n) != c.is {
			t.Errorf("%s: not %v", c.name, c.is)
		}
	}
	rows, err := NewRows([]plugins.Tensor{{Name: "x", Numbers: arena.Range{Length: 1 << 22}}}, nil, 1<<12)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if rates, err := rows.Measure(); err != nil || rates.Load <= 0 || rates.Window <= 0 || rates.Copy <= 0 {
		t.Errorf("%+v, %v", rates, err)
	}
}
