package kernel

import (
	"errors"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
)

func TestResultsMustAgree(t *testing.T) {
	exact, close := Kernel{Algorithm: "wcc"}, Kernel{Algorithm: "pagerank", tolerance: 1e-3}
	if err := errors.Join(exact.Agree("GAPBS", 3, 3), close.Agree("GAPBS", 1, 1.0009)); err != nil {
		t.Error(err)
	}
	var disagree *DisagreementError
	if !errors.As(exact.Agree("GAPBS", 3, 4), &disagree) || !errors.As(close.Agree("Kuzu", 1, 0.99), &disagree) {
		t.Error("different results passed")
	}
}

func TestFigures(t *testing.T) {
	for _, c := range []struct {
		got, want float64
	}{
		{largest(algorithms.Values{Floats: []float64{1, 4, 2}}), 4},
		{largest(algorithms.Values{Ints: []int64{1, 4, 2}}), 4},
		{secondOverLargest(algorithms.Values{Floats: []float64{1, 4, 2}}), 0.5},
		{reached(algorithms.Values{Ints: []int64{0, algorithms.Unreached, 2}}), 2},
		{distinct(algorithms.Values{Ints: []int64{5, 5, 2}}), 2},
		{thirdOfSum(algorithms.Values{Ints: []int64{1, 1, 1}}), 1},
	} {
		if c.got != c.want {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}
