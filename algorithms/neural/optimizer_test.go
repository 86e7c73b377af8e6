package neural_test

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
)

// SGD on half of x squared shrinks x by a factor each step; with momentum it goes as a damped wave does, whose numbers
// are those of its recurrence. Adam's first step is the rate, whatever the gradient.
func TestOptimizer(t *testing.T) {
	const rate, decay, momentum = 0.1, 0.5, 0.9
	training := neural.Training{Optimizer: neural.SGD}
	x := []float64{3}
	o := neural.NewOptimizer[float64](training, 1)
	for range 5 {
		o.Step(x, []float64{x[0]}, rate, decay)
	}
	if want := 3 * math.Pow(1-rate*(1+decay), 5); math.Abs(x[0]-want) > 1e-12 {
		t.Errorf("SGD comes to %v, not %v", x[0], want)
	}
	training.Momentum = momentum
	o, x = neural.NewOptimizer[float64](training, 1), []float64{3}
	before, now := 3.0, 3.0
	for range 20 {
		o.Step(x, []float64{x[0]}, rate, 0)
		before, now = now, now-rate*now+momentum*(now-before)
		if math.Abs(x[0]-now) > 1e-12 {
			t.Fatalf("momentum comes to %v, not %v", x[0], now)
		}
	}
	for _, gradient := range []float64{1e-3, -50} {
		o, x := neural.NewOptimizer[float64](neural.Training{}, 1), []float64{1}
		o.Step(x, []float64{gradient}, rate, 0)
		if moved := 1 - x[0]; math.Abs(moved-math.Copysign(rate, gradient)) > 1e-5 {
			t.Errorf("Adam's first step is %v", moved)
		}
	}
}

// Where a gradient has become 0, Adam's mean of gradients comes near 0 too, but not among the subnormal numbers.
func TestOptimizer_ZeroGradient(t *testing.T) {
	o, x := neural.NewOptimizer[float32](neural.Training{}, 2), []float32{1, -1}
	for step := range 2000 {
		gradient := []float32{0, 0}
		if step < 10 {
			gradient = []float32{1e-3, -2}
		}
		o.Step(x, gradient, 0.01, 0)
		for i, m := range o.Mean {
			if m != 0 && math.Abs(float64(m)) < 0x1p-126 {
				t.Fatalf("after %d steps, mean %d is %g, a subnormal number", step+1, i, m)
			}
		}
	}
	if math.Abs(float64(o.Mean[0])) > 1e-30 || math.Abs(float64(o.Mean[1])) > 1e-30 {
		t.Errorf("means are %g after 1990 gradients of 0", o.Mean)
	}
}

// A schedule begins with the learning rate; those that fall are at half of it in the middle, and near 0 in the end.
func TestTraining_Rate(t *testing.T) {
	for schedule, last := range map[string]float64{"": 0.2, neural.Constant: 0.2, neural.Linear: 0.002, neural.Cosine: 5e-5} {
		training := neural.Training{Epochs: 100, LearningRate: 0.2, Schedule: schedule}
		middle := 0.1
		if schedule == "" || schedule == neural.Constant {
			middle = 0.2
		}
		for epoch, want := range map[int]float64{1: 0.2, 51: middle, 100: last} {
			if got := training.Rate(epoch); math.Abs(got-want) > 1e-6 {
				t.Errorf("%q: %v in epoch %d, not %v", schedule, got, epoch, want)
			}
		}
	}
}
