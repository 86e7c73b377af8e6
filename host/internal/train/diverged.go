package train

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/algorithms/neural/trained"
)

// DivergedError is something that is not a number any more, or no finite one.
type DivergedError struct {
	Epoch int
	Rate  float64
	What  string // "the loss", "what the model says"
}

func (e *DivergedError) Error() string {
	return fmt.Sprintf("%s is not finite in epoch %d: try a learning rate below %g, or smaller numbers to learn from",
		e.What, e.Epoch, e.Rate)
}

// NotFinite is the place of the first number that is not finite; -1: all are.
func NotFinite(numbers []float32) int {
	for i, x := range numbers {
		if x-x != 0 {
			return i
		}
	}
	return -1
}

// scored refuses scores of what the model says after an epoch that are not finite. There may be none.
func scored(s *trained.Scores, epoch int, rate float64) (*trained.Scores, error) {
	if s != nil && (math.IsNaN(s.Loss) || math.IsInf(s.Loss, 0)) {
		return nil, &DivergedError{epoch, rate, "what the model says"}
	}
	return s, nil
}

// sound refuses a model that is not finite, or says of vertices what is not. There has been a pass.
func (l *Learned) sound(rate float64, said []float32) error {
	for _, numbers := range append([][]float32{said}, l.Parameters...) {
		if NotFinite(numbers) >= 0 {
			return &DivergedError{l.Best, rate, "what the model says"}
		}
	}
	return nil
}
