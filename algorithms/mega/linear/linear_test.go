package linear

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms/mega"
	"github.com/penstock-db/penstock/algorithms/mega/megatest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

func a9a(t *testing.T) Samples {
	s := Samples{Offsets: []int{0}}
	megatest.Lines(t, "libsvm-a9a/a9a", func(f []string) {
		s.Labels = append(s.Labels, megatest.Number(t, f[0]))
		for _, pair := range f[1:] {
			index, value, _ := strings.Cut(pair, ":")
			j := int(megatest.Number(t, index)) - 1
			s.Features = max(s.Features, j+1)
			s.Index, s.Values = append(s.Index, uint32(j)), append(s.Values, megatest.Number(t, value))
		}
		s.Offsets = append(s.Offsets, len(s.Index))
	})
	return s
}

// What LIBLINEAR minimizes on a9a with C = 1, and an exact Newton method of others.
func TestPublished(t *testing.T) {
	s, params := a9a(t), Defaults()
	params.L2 = 1
	w, err := Newton(s, params)
	if err != nil {
		t.Fatal(err)
	}
	if is := s.Objective(w, 0, 1); math.Abs(is-10529.56258464) > 1e-4 {
		t.Errorf("L2: %v", is)
	}
	if is := s.Accuracy(w); is != 27647./32561 {
		t.Errorf("accuracy %v", is)
	}
}

// LIBLINEAR's -s 6 comes to 10558.72 with some 96 weights.
func TestPublishedL1(t *testing.T) {
	if !long.Tests() {
		t.Skip("takes a minute: set PENSTOCK_LONG=1")
	}
	s := a9a(t)
	w, err := Coordinates(s, Params{L1: 1, Tolerance: 1e-4, Steps: 300})
	if err != nil {
		t.Fatal(err)
	}
	weights := 0
	for _, x := range w {
		if x != 0 {
			weights++
		}
	}
	is := s.Objective(w, 1, 0)
	t.Log("L1", is, weights)
	if math.Abs(is-10558.72) > 0.001*10558.72 || weights < 90 || weights > 102 {
		t.Errorf("L1: %v with %d weights", is, weights)
	}
}

func random(t *testing.T) Samples {
	r := testseed.Rand(t)
	s := Samples{Features: 8, Offsets: []int{0}}
	for i := range 60 {
		s.Labels = append(s.Labels, float64(2*r.IntN(2)-1))
		for j := range 8 {
			if r.IntN(2) == 0 || i+j == 0 {
				s.Index, s.Values = append(s.Index, uint32(j)), append(s.Values, r.NormFloat64())
			}
		}
		s.Offsets = append(s.Offsets, len(s.Index))
	}
	s.Labels[0], s.Labels[1] = 1, -1
	return s
}

// Both ways find the same minimum, and no step away from it makes f smaller.
func TestMinimum(t *testing.T) {
	s := random(t)
	newton, err := Newton(s, Params{L2: 0.5, Tolerance: 1e-9, Steps: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, l1 := range []float64{0, 2} {
		w, err := Coordinates(s, Params{L1: l1, L2: 0.5, Tolerance: 1e-7, Steps: 1000})
		if err != nil {
			t.Fatal(err)
		}
		least := s.Objective(w, l1, 0.5)
		for j := range w {
			if l1 == 0 && math.Abs(w[j]-newton[j]) > 1e-6 {
				t.Errorf("weight %d is %v, and %v by Newton's method", j, w[j], newton[j])
			}
			for _, d := range []float64{-1e-3, 1e-3} {
				was := w[j]
				w[j] += d
				if is := s.Objective(w, l1, 0.5); is < least {
					t.Errorf("λ₁ = %v: %v at the minimum, %v beside", l1, least, is)
				}
				w[j] = was
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	one := func(label, value float64) Samples {
		return Samples{1, []float64{1, label}, []int{0, 1, 2}, []uint32{0, 0}, []float64{1, value}}
	}
	for _, s := range []Samples{{}, one(3, 1), one(1, 1), one(-1, math.NaN())} {
		var refused *mega.DataError
		if _, err := Coordinates(s, Defaults()); !errors.As(err, &refused) {
			t.Errorf("%+v: %v", s, err)
		}
	}
	for _, p := range []Params{{L2: -1, Tolerance: 1, Steps: 1}, {Tolerance: 1, Steps: 1}, {L2: 1, Steps: 1},
		{L2: 1, Tolerance: 1}, {L1: math.NaN(), L2: 1, Tolerance: 1, Steps: 1}} {
		var refused *mega.ParamError
		if _, err := Newton(one(-1, 1), p); !errors.As(err, &refused) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}
