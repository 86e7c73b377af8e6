package linear

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/algorithms/mega"
)

// Samples are rows of features that are not 0: those of sample i lie at Offsets[i] to Offsets[i+1].
type Samples struct {
	Features int
	Labels   []float64 // -1 or 1
	Offsets  []int
	Index    []uint32
	Values   []float64
}

// Check refuses samples that nothing can be learned from.
func (s Samples) Check(learner string) error {
	if len(s.Labels) == 0 || s.Features == 0 {
		return &mega.DataError{Learner: learner, What: "there are no samples or no features",
			Do: "load a bipartite graph whose relationships go from samples to features"}
	}
	var seen [2]bool
	for i, y := range s.Labels {
		if y != 1 && y != -1 {
			return &mega.DataError{Learner: learner, Where: fmt.Sprintf("sample %d", i),
				What: fmt.Sprintf("its label is %v", y), Do: "give one class the label 1 and the other -1"}
		}
		seen[int(y+1)/2] = true
		for k := s.Offsets[i]; k < s.Offsets[i+1]; k++ {
			where := fmt.Sprintf("sample %d, feature %d", i, s.Index[k])
			if int(s.Index[k]) >= s.Features {
				return &mega.DataError{Learner: learner, Where: where,
					What: fmt.Sprintf("there are %d features", s.Features), Do: "number features from 0"}
			}
			if math.IsNaN(s.Values[k]) || math.IsInf(s.Values[k], 0) {
				return &mega.DataError{Learner: learner, Where: where, What: fmt.Sprintf("its value is %v", s.Values[k]),
					Do: "leave it out, or give it a finite number"}
			}
		}
	}
	if !seen[0] || !seen[1] {
		return &mega.DataError{Learner: learner, What: "all samples have the same label",
			Do: "give samples of both classes"}
	}
	return nil
}

// dot is w·x of sample i.
func (s Samples) dot(i int, w []float64) float64 {
	sum := 0.0
	for k := s.Offsets[i]; k < s.Offsets[i+1]; k++ {
		sum += w[s.Index[k]] * s.Values[k]
	}
	return sum
}

// add adds a multiple of sample i to a vector of all features.
func (s Samples) add(i int, by float64, to []float64) {
	for k := s.Offsets[i]; k < s.Offsets[i+1]; k++ {
		to[s.Index[k]] += by * s.Values[k]
	}
}

// margins are y w·x.
func (s Samples) margins(w []float64) []float64 {
	all := make([]float64, len(s.Labels))
	for i, y := range s.Labels {
		all[i] = y * s.dot(i, w)
	}
	return all
}

// Objective is f(w).
func (s Samples) Objective(w []float64, l1, l2 float64) float64 {
	sum := 0.0
	for _, m := range s.margins(w) {
		sum += loss(m)
	}
	for _, x := range w {
		sum += l1*math.Abs(x) + l2/2*x*x
	}
	return sum
}

// Accuracy is the share of samples on the right side.
func (s Samples) Accuracy(w []float64) float64 {
	right := 0
	for _, m := range s.margins(w) {
		if m > 0 {
			right++
		}
	}
	return float64(right) / float64(len(s.Labels))
}

// loss is log(1 + exp(−m)), for any m.
func loss(m float64) float64 { return math.Max(-m, 0) + math.Log1p(math.Exp(-math.Abs(m))) }

// wrong is the probability that a model gives to the other class: −dloss/dm; wrong (1 − wrong) is the second
// derivative.
func wrong(m float64) float64 { return 1 / (1 + math.Exp(m)) }
