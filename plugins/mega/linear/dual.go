package linear

import (
	"math"

	"github.com/penstock-db/penstock/plugins/mega"
)

// The row of a sample in Dual: t = log(β / (1 − β)), and |x|² / λ₂, or 0 before it is known.
const (
	logit = iota
	norm
	dualWidth
)

// The row of a feature's mirror: its weight, then what is the mirror's own.
const (
	moved = iota + 1
	since
)

// Dual minimizes f(w) of a penalty λ₂ alone, by its dual: numbers β of samples, between 0 and 1, that minimize
//
//	λ₂/2 |w|²  +  Σ over samples of β log β + (1 − β) log(1 − β),    w = Σ β z / λ₂,    z = y x
//
// sample by sample, in another random order in each epoch, with all others as they are: the new β is where
//
//	m + q (β' − β) + log(β' / (1 − β')) = 0,    m = w·z,    q = |z|² / λ₂
//
// which Newton's method finds, and w moves by (β' − β) z / λ₂ (Yu, Huang, Lin: Dual Coordinate Descent Methods for
// Logistic Regression and Maximum Entropy Models, 2011). Samples are the left side, and the value of an edge is its
// part of z. What is told of an epoch is f(w), but that the loss of a sample is by the weights that it met, and that
// samples without features are left out.
//
// What K workers move at once, and have not heard of, adds up. So each takes what it moves itself to be K times as
// much, in q and in the weights that it meets; the sum of all moves then makes the dual no larger (Ma et al.: Adding
// vs. Averaging in Distributed Primal-Dual Optimization, 2015). Of a slack s, K is s + 1 times the workers. A mirror
// has two numbers of its own: by how much the worker has moved the weight, and since which clock.
func Dual(p Params) *mega.Program[float64, float64, float32] {
	const none = -18 // β is 1e-8: without it w would have to begin elsewhere
	together := float64(max(p.Workers, 1) * (p.Slack + 1))
	return &mega.Program[float64, float64, float32]{
		Name: "linear", Left: dualWidth, Right: mega.Rows{Shared: 1, Mirror: 2}, Shuffle: true,
		StartLeft: func(_ int, row []float64) { row[logit] = none },
		Block: func(w *mega.Worker[float64], sample []float64, edges mega.Edges[float64, float32]) {
			m, ahead, clock := 0.0, 0.0, float64(w.Clock+1)
			for i, z := range edges.Values {
				feature := edges.Row(i)
				if feature[since] != clock {
					feature[since], feature[moved] = clock, 0
				}
				m += feature[0] * float64(z)
				ahead += feature[moved] * float64(z)
			}
			w.Loss += Loss(m)
			if sample[norm] == 0 {
				for _, z := range edges.Values {
					sample[norm] += float64(z) * float64(z) / p.L2
				}
			}
			before := sigmoid(sample[logit])
			sample[logit] = root(m+(together-1)*ahead, sample[norm]*together, before, sample[logit])
			move := (sigmoid(sample[logit]) - before) / p.L2
			for i, z := range edges.Values {
				feature := edges.Row(i)
				feature[0] += move * float64(z)
				feature[moved] += move * float64(z)
			}
		},
		VisitRight: func(w *mega.Worker[float64], feature []float64) {
			w.Loss += p.L2 / 2 * feature[0] * feature[0]
		},
		Stages: []mega.Stage{mega.MiniBatch(mega.Exchange(), mega.Sync()), mega.VisitRight(), mega.Sync()},
	}
}

// root is the t at which m + q (sigmoid(t) − β) + t is 0, by Newton's method from t on, and by halves where that would
// leave what it must lie in.
func root(m, q, beta, t float64) float64 {
	const steps, near = 50, 1e-9
	low, high := -m-q*(1-beta), -m+q*beta
	for range steps {
		if !(low <= t && t <= high) {
			t = (low + high) / 2
		}
		s := sigmoid(t)
		value := m + q*(s-beta) + t
		if value > 0 {
			high = t
		} else {
			low = t
		}
		if math.Abs(value) <= near*(1+math.Abs(m)) {
			return t
		}
		t -= value / (1 + q*s*(1-s))
	}
	return t
}

func sigmoid(t float64) float64 { return 1 / (1 + math.Exp(-t)) }
