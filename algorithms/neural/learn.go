package neural

import (
	"math"
	"math/rand/v2"
)

// Draw fills the numbers of a parameter as they are before it is learned.
func Draw[T float32 | float64](l Learned, r *rand.Rand, numbers []T) {
	bound := math.Sqrt(6 / float64(l.Fan))
	for i := range numbers {
		switch l.Start {
		case Glorot:
			numbers[i] = T(bound * (2*r.Float64() - 1))
		case Zeros:
			numbers[i] = 0
		case Ones:
			numbers[i] = 1
		}
	}
}

// Adam learns the numbers of one parameter: Kingma and Ba, ICLR 2015, algorithm 1, with its constants. Weight decay is
// added to the gradient, as half of the squared norm in the loss would.
type Adam[T float32 | float64] struct {
	Mean   []T // of gradients, and of their squares, both biased to 0 at first
	Square []T
	Steps  int
}

const (
	decayMean   = 0.9
	decaySquare = 0.999
	leastRoot   = 1e-8
)

// NewAdam begins with so many numbers.
func NewAdam[T float32 | float64](n int) *Adam[T] {
	return &Adam[T]{Mean: make([]T, n), Square: make([]T, n)}
}

// Step moves numbers against their gradient.
func (a *Adam[T]) Step(numbers, gradient []T, rate, decay float64) {
	a.Steps++
	mean := 1 - math.Pow(decayMean, float64(a.Steps))
	square := 1 - math.Pow(decaySquare, float64(a.Steps))
	step, root := T(rate/mean), T(1/math.Sqrt(square))
	for i, x := range numbers {
		g := gradient[i] + T(decay)*x
		a.Mean[i] += (1 - decayMean) * (g - a.Mean[i])
		a.Square[i] += (1 - decaySquare) * (g*g - a.Square[i])
		numbers[i] = x - step*a.Mean[i]/(T(math.Sqrt(float64(a.Square[i])))*root+leastRoot)
	}
}
