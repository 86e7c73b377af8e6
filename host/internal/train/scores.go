package train

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/host/internal/dataset"
)

// Score compares what a model says of vertices with what is wanted, for those of a part; rows has outputs numbers of
// each. Without any vertex it is nil.
func Score(t dataset.Targets, parts []dataset.Part, part dataset.Part, rows []float32) *trained.Scores {
	s := trained.Scores{}
	outputs := t.Outputs()
	c := newConfusion(outputs)
	right, squares := 0, 0.0
	for v, p := range parts {
		if p != part {
			continue
		}
		s.Vertices++
		said, wanted := rows[v*outputs:(v+1)*outputs], t.Wanted[v*t.Width:(v+1)*t.Width]
		switch t.Task {
		case neural.Classes:
			class := Largest(said)
			s.Loss += crossEntropy(said, int(wanted[0]))
			c.add(int(wanted[0]), class)
			if class == int(wanted[0]) {
				right++
			}
		case neural.Labels:
			all := true
			for k, x := range said {
				has, says := wanted[k] > 0, x > 0
				s.Loss += softplus(float64(x)) - float64(x)*float64(wanted[k])
				c.label(k, has, says)
				all = all && has == says
			}
			if all {
				right++
			}
		case neural.Values:
			for k, x := range said {
				off := float64(x) - float64(wanted[k])
				squares += off * off
			}
		}
	}
	if s.Vertices == 0 {
		return nil
	}
	n := float64(s.Vertices)
	if t.Task == neural.Values {
		s.Loss, s.RMSE = squares/2/n, ref(math.Sqrt(squares/n/float64(outputs)))
		return &s
	}
	s.Loss /= n
	s.Accuracy, s.F1 = ref(float64(right)/n), ref(c.f1())
	return &s
}

// ScoreTwo compares the margins of all vertices with which of two classes those of a part are of. Without any it is
// nil.
func ScoreTwo(t dataset.Targets, parts []dataset.Part, part dataset.Part, margins []float32) *trained.Scores {
	logits := make([]float32, 2*len(margins))
	var said []float32
	var second []bool
	for v, m := range margins {
		if logits[2*v+1] = m; parts[v] == part {
			said, second = append(said, m), append(second, t.Wanted[v] == 1)
		}
	}
	s := Score(t, parts, part, logits)
	if s != nil {
		area, _ := ranking(said, second)
		s.AUC = &area
	}
	return s
}

func ref(x float64) *float64 { return &x }

// Largest is where the largest of some numbers stands, the first of several.
func Largest(row []float32) int {
	at := 0
	for i, x := range row {
		if x > row[at] {
			at = i
		}
	}
	return at
}

// Softmax is the probability of a class by its logits.
func Softmax(logits []float32, class int) float64 { return math.Exp(-crossEntropy(logits, class)) }

func crossEntropy(logits []float32, class int) float64 {
	most, sum := float64(slices.Max(logits)), 0.0
	for _, x := range logits {
		sum += math.Exp(float64(x) - most)
	}
	return math.Log(sum) + most - float64(logits[class])
}

func softplus(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// confusion counts, of each class, what is said to be of it, what is, and what is both.
type confusion struct{ said, is, both []int }

func newConfusion(classes int) confusion {
	return confusion{make([]int, classes), make([]int, classes), make([]int, classes)}
}

func (c confusion) add(is, said int) {
	c.is[is]++
	c.said[said]++
	if is == said {
		c.both[is]++
	}
}

func (c confusion) label(k int, is, said bool) {
	for count, counts := range map[*int]bool{&c.is[k]: is, &c.said[k]: said, &c.both[k]: is && said} {
		if counts {
			*count++
		}
	}
}

// f1 is the mean of the classes' harmonic means of precision and recall, of those classes that are or are said.
func (c confusion) f1() float64 {
	sum, classes := 0.0, 0
	for k := range c.is {
		if c.is[k]+c.said[k] > 0 {
			sum += 2 * float64(c.both[k]) / float64(c.is[k]+c.said[k])
			classes++
		}
	}
	return sum / float64(max(classes, 1))
}
