package main

import (
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/planted"
	"github.com/penstock-db/penstock/plugins/mega/mf"
)

// All programs learn: they are off ratings that they have not seen by less than half of what the mean is, but for the
// noise that was planted.
func TestProgramsLearn(t *testing.T) {
	d, err := plant(planted.Options{Users: 800, Items: 300, Ratings: 60000, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	p := mf.Params{Rank: 16, Epochs: 60, Rate: 0.3, L2: 5, BiasL2: 5, Mean: d.mean, Variance: d.variance, Seed: 1,
		Users: d.users.degrees(), Items: d.items.degrees()}
	inMega, err := inMEGA(d, p)
	if err != nil {
		t.Fatal(err)
	}
	most := planted.Noise + 0.5*(math.Sqrt(d.variance)-planted.Noise)
	for name, m := range map[string]model{"MEGA": inMega, "in order": inGAS(d, p, false), "sums": inGAS(d, p, true)} {
		if is := d.rmse(m); !(is < most) {
			t.Errorf("%s: it is off by %.4f, the mean by %.4f", name, is, math.Sqrt(d.variance))
		}
	}
}

// counting adds up what vertices at the other ends have.
type counting struct{}

func (counting) start(gathered, _ []float32) { clear(gathered) }

func (counting) gather(gathered, row, other []float32, value float32) {
	gathered[0] += other[0]*value + row[0]
}

func (counting) apply(row, gathered []float32) { row[0] = gathered[0] }

// A phase gathers from the copy, and brings its own up to date when all have applied.
func TestPhase(t *testing.T) {
	state := []float32{1, 10, 100}
	copied := slices.Clone(state)
	p := &phase{width: 1, from: state, to: copied, others: copied, offsets: []int64{0, 2, 3, 3},
		targets: []uint32{1, 2, 0}, values: []float32{1, 2, 3}, program: counting{}, accumulator: make([]float32, 1)}
	p.run()
	if want := []float32{1 + 10 + 1 + 200, 10 + 3, 0}; !slices.Equal(state, want) || !slices.Equal(copied, want) {
		t.Errorf("it comes to %v, and a copy %v; want %v", state, copied, want)
	}
}
