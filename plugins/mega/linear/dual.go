package linear

import (
	"math"

	"github.com/penstock-db/penstock/plugins/mega"
)

// The row of a sample in Dual: β, the t of which it is the sigmoid, and |x|² / λ₂, or 0 before that is known.
const (
	Beta = iota
	logit
	norm
	DualWidth
)

// The row of a feature's mirror where several move at once: its weight, then what is the mirror's own.
const (
	moved = iota + 1
	movedIn
	featureWidth
)

// Dual minimizes f(w) of a penalty λ₂ alone, by its dual: numbers β of samples, between 0 and 1, that minimize
//
//	λ₂/2 |w|²  +  Σ over samples of β log β + (1 − β) log(1 − β),    w = Σ β z / λ₂,    z = y x
//
// sample by sample, in another random order in each epoch, with all others as they are: the new β is where
//
//	m + q (β' − β) + log(β' / (1 − β')) = 0,    m = w·z,    q = |z|² / λ₂
//
// which Newton's method finds, nearly, and w moves by (β' − β) z / λ₂ (Yu, Huang, Lin: Dual Coordinate Descent Methods
// for Logistic Regression and Maximum Entropy Models, 2011). All begins at 0. Samples are the left side, and the value
// of an edge is its part of z.
//
// How far f(w) is from the least is at most f(w) less the dual, which is a sum over samples of
//
//	log(1 + exp(−m)) + β log β + (1 − β) log(1 − β) + β m
//
// of which an epoch adds up what it meets. It will do when that is at most Tolerance times f(w), but for a half that
// is left for what has changed since it was met; of several workers, when what is looked at after an epoch is, which
// then is added up instead. What is told of the epoch is this and the dual, so f(w); samples without features are left
// out.
//
// What K workers move at once, and have not heard of, adds up. So each takes what it moves itself to be σ' times as
// much, in q and in the weights that it meets; where σ' is K, the sum of all moves makes the dual no smaller (CoCoA+;
// Ma et al.: Adding vs. Averaging in Distributed Primal-Dual Optimization, 2015). With a slack s, each other worker
// counts as s + 1. After an epoch nobody moves until all have heard of all moves, so that the dual is known, and σ'
// adapts: see sigma. A mirror has two numbers of its own: by how much the worker has moved the weight, and since which
// clock.
func Dual(p Params) *mega.Program[float64, float64, float32] {
	program := &mega.Program[float64, float64, float32]{
		Name: "linear", Left: mega.Rows{Mirror: DualWidth}, Right: mega.Rows{Shared: 1}, Tally: 1, Shuffle: true,
		StartLeft: func(_ int, row []float64) { row[logit] = math.Inf(-1) },
		VisitRight: func(w *mega.Worker[float64], feature []float64) {
			w.Loss -= p.L2 / 2 * feature[0] * feature[0]
		},
		Done:   p.near(),
		Stages: []mega.Stage{mega.MiniBatch(mega.Exchange(), mega.Sync()), mega.Barrier(), mega.VisitRight(), mega.Barrier()},
	}
	if together := p.together(); together > 1 {
		program.Right.Mirror = featureWidth - 1
		own := newSigma(p)
		program.Stages = []mega.Stage{mega.MiniBatch(mega.Exchange(), mega.Sync()), mega.Barrier(),
			mega.VisitRight(), mega.Look(), mega.Barrier()}
		program.Keeps.All, program.Done = own.keep, own.judged(dualOf, p.looked())
		program.Block = func(w *mega.Worker[float64], sample []float64, edges mega.Edges[float64, float32]) {
			if !w.Looks {
				gap := oneOfSeveral(w, sample, edges, p.L2, own.get())
				if !p.looks(w.Epoch) {
					count(w, gap)
				}
			} else if p.looks(w.Epoch) {
				count(w, gapOf(marginOf(edges), sample[Beta], sample[logit]))
			}
		}
	} else {
		program.Block = func(w *mega.Worker[float64], sample []float64, edges mega.Edges[float64, float32]) {
			measure(sample, edges.Values, p.L2)
			m := dot(edges.Mirrors, edges.Targets, edges.Values)
			by, gap := move(w, sample, m, m, sample[norm])
			add(edges.Mirrors, edges.Targets, edges.Values, by/p.L2)
			count(w, gap)
		}
	}
	return program
}

// dualOf is the dual, by what is told of an epoch.
func dualOf(loss float64, gaps [][]float64) float64 { return loss - sum(gaps, 0) }

// near says that an epoch will do.
func (p Params) near() doneFunc {
	if p.Tolerance <= 0 {
		return nil
	}
	return func(_ int, loss float64, gaps [][]float64) bool {
		return sum(gaps, 0) <= p.Tolerance/2*(loss+p.Constant)
	}
}

// looks says whether what has come of an epoch is looked at: if there is a tolerance, each time that a tenth more
// epochs have passed.
func (p Params) looks(epoch int) bool {
	const share = 1.1
	nth := func(epochs int) float64 { return math.Floor(math.Log(float64(epochs)) / math.Log(share)) }
	return p.Tolerance > 0 && nth(epoch+1) > nth(epoch)
}

// looked says that an epoch will do where it has been looked at, and f is near enough, but for a little that may be
// lost where weights are kept in 32 bits.
func (p Params) looked() doneFunc {
	if p.Tolerance <= 0 {
		return nil
	}
	return func(epoch int, f float64, gaps [][]float64) bool {
		const kept = 0.999
		return p.looks(epoch) && sum(gaps, 0) <= kept*p.Tolerance*(f+p.Constant)
	}
}

// count adds up the gap of a sample.
func count(w *mega.Worker[float64], gap float64) {
	w.Tally[0] += gap
	w.Loss += gap
}

// oneOfSeveral moves the β of a sample, where others are moved at once. The gap is what it meets.
func oneOfSeveral(w *mega.Worker[float64], sample []float64, edges mega.Edges[float64, float32], l2, sigma float64) (
	gap float64) {
	measure(sample, edges.Values, l2)
	m, mine, clock := 0.0, 0.0, float64(w.Clock+1)
	targets := edges.Targets[:len(edges.Values)]
	for i, z := range edges.Values {
		feature := (*[featureWidth]float64)(edges.Mirrors[int(targets[i])*featureWidth:])
		if feature[movedIn] != clock {
			feature[movedIn], feature[moved] = clock, 0
		}
		m += feature[0] * float64(z)
		mine += feature[moved] * float64(z)
	}
	by, gap := move(w, sample, m, m+(sigma-1)*mine, sample[norm]*sigma)
	by /= l2
	for i, z := range edges.Values {
		feature := (*[featureWidth]float64)(edges.Mirrors[int(targets[i])*featureWidth:])
		feature[0] += by * float64(z)
		feature[moved] += by * float64(z)
	}
	return gap
}

// marginOf is that of a sample, by weights that nobody moves.
func marginOf(edges mega.Edges[float64, float32]) (m float64) {
	for i, z := range edges.Values {
		m += edges.Row(i)[0] * float64(z)
	}
	return m
}

// measure finds |x|² / λ₂ of a sample that has come first.
func measure(sample []float64, z []float32, l2 float64) {
	if sample[norm] != 0 {
		return
	}
	for _, x := range z {
		sample[norm] += float64(x) * float64(x) / l2
	}
}

// move moves the β of a sample of margin m, which takes itself to be of margin at, and says by how much, and what the
// gap was before.
func move(w *mega.Worker[float64], sample []float64, m, at, q float64) (by, gap float64) {
	before := sample[Beta]
	gap = gapOf(m, before, sample[logit])
	beta, t := root(at, q, before, sample[logit])
	sample[Beta], sample[logit] = beta, t
	w.Loss += math.Max(t, 0) - math.Log(math.Max(beta, 1-beta)) - beta*t // the entropy
	return beta - before, gap
}

// gapOf is the part of the gap that a sample of margin m has, which is β (1 − β) (m + t)² / 2 near 0.
func gapOf(m, beta, t float64) float64 {
	const near = 0.05
	off := m + t
	if math.Abs(off) < near {
		return beta * (1 - beta) * off * off / 2
	}
	if beta == 0 {
		return Loss(m)
	}
	return Loss(m) - Loss(-t) + beta*off
}

// root is the β' at which m + q (β' − β) + t' is 0, where t' is its logit, from that of β on: by Newton's method, until
// that is a hundredth of what it was, and by halves where a step would leave what t' must lie in.
func root(m, q, beta, t float64) (to, logit float64) {
	const steps, enough, near = 50, 1e-2, 1e-12
	low, high := -m-q*(1-beta), -m+q*beta
	s, value := beta, m+t
	if math.IsInf(t, -1) {
		t = (low + high) / 2
		s = sigmoid(t)
		value = m + q*(s-beta) + t
	}
	goal := math.Max(enough*math.Abs(value), near*(1+math.Abs(m)))
	for range steps {
		if math.Abs(value) <= goal {
			break
		}
		if value > 0 {
			high = math.Min(high, t)
		} else {
			low = math.Max(low, t)
		}
		if t -= value / (1 + q*s*(1-s)); !(low <= t && t <= high) {
			t = (low + high) / 2
		}
		s = sigmoid(t)
		value = m + q*(s-beta) + t
	}
	return s, t
}

func sigmoid(t float64) float64 { return 1 / (1 + math.Exp(-t)) }

// dot is Σ w z.
func dot(weights []float64, at []uint32, z []float32) float64 {
	at = at[:len(z)]
	var a, b float64 // two sums at a time: one would wait for each addition
	i := 0
	for ; i+1 < len(z); i += 2 {
		a += weights[at[i]] * float64(z[i])
		b += weights[at[i+1]] * float64(z[i+1])
	}
	if i < len(z) {
		a += weights[at[i]] * float64(z[i])
	}
	return a + b
}

// add moves weights by so many times z.
func add(weights []float64, at []uint32, z []float32, by float64) {
	at = at[:len(z)]
	for i, x := range z {
		weights[at[i]] += by * float64(x)
	}
}
