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
		case Small:
			numbers[i] = T(0.2*r.Float64() - 0.1)
		}
	}
}
