package neural

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms/neural/internal/adam"
)

// What a model may be trained by, and how its learning rate may go.
const (
	Adam = "adam" // where nothing is said
	SGD  = "sgd"

	Constant = "constant" // where nothing is said
	Linear   = "linear"   // falls to 0
	Cosine   = "cosine"   // falls to 0 along half a wave: Loshchilov and Hutter, ICLR 2017, equation 5
)

var (
	optimizers = []string{"", Adam, SGD}
	schedules  = []string{"", Constant, Linear, Cosine}
)

// check refuses what no model can be trained by.
func (t Training) check() error {
	switch {
	case t.Epochs < 1 || t.Patience < 0:
		return fmt.Errorf("%d epochs with patience %d: there must be an epoch, and patience is not negative", t.Epochs,
			t.Patience)
	case !(t.LearningRate > 0) || !(t.WeightDecay >= 0):
		return fmt.Errorf("learning rate %g with weight decay %g: the rate is above 0, and decay is not negative",
			t.LearningRate, t.WeightDecay)
	case !slices.Contains(optimizers, t.Optimizer):
		return fmt.Errorf("there is no optimizer %q; there are %s", t.Optimizer, strings.Join(optimizers[1:], " and "))
	case !slices.Contains(schedules, t.Schedule):
		return fmt.Errorf("there is no schedule %q of the learning rate; there are %s", t.Schedule,
			strings.Join(schedules[1:], ", "))
	case !(t.Momentum >= 0 && t.Momentum < 1) || t.Momentum > 0 && t.Optimizer != SGD:
		return fmt.Errorf("momentum %g with %s: it is at least 0, below 1, and of %s alone", t.Momentum, t.optimizer(), SGD)
	}
	return nil
}

func (t Training) optimizer() string {
	if t.Optimizer == "" {
		return Adam
	}
	return t.Optimizer
}

// Rate is the learning rate of an epoch, of which the first is 1.
func (t Training) Rate(epoch int) float64 {
	gone := float64(epoch-1) / float64(t.Epochs)
	switch t.Schedule {
	case Linear:
		return t.LearningRate * (1 - gone)
	case Cosine:
		return t.LearningRate * (1 + math.Cos(math.Pi*gone)) / 2
	}
	return t.LearningRate
}

// Optimizer learns the numbers of one parameter. Weight decay is added to the gradient, as half of the squared norm in
// the loss would.
type Optimizer[T float32 | float64] struct {
	// Mean is, of Adam, the mean of gradients, biased to 0 at first; of SGD, the velocity.
	Mean     []T
	Square   []T // of Adam: likewise, of their squares
	Steps    int
	momentum T
}

// NewOptimizer begins with so many numbers.
func NewOptimizer[T float32 | float64](t Training, n int) *Optimizer[T] {
	o := &Optimizer[T]{Mean: make([]T, n), momentum: T(t.Momentum)}
	if t.optimizer() == Adam {
		o.Square = make([]T, n)
	}
	return o
}

// Step moves numbers against their gradient.
func (o *Optimizer[T]) Step(numbers, gradient []T, rate, decay float64) {
	o.Steps++
	if o.Square != nil {
		adam.Step(numbers, gradient, adam.Means[T]{Gradient: o.Mean, Square: o.Square}, rate, decay, o.Steps)
		return
	}
	for i, x := range numbers { // Sutskever et al., ICML 2013, equation 1, with the rate outside
		o.Mean[i] = o.momentum*o.Mean[i] + gradient[i] + T(decay)*x
		numbers[i] = x - T(rate)*o.Mean[i]
	}
}
