package linear

import (
	"math"

	"github.com/penstock-db/penstock/plugins/mega"
)

// The row of a feature: its weight, how far that may move at once, and its largest c |z|, or 0 before that is known.
const (
	Weight = iota
	reach
	largest
	PrimalWidth
)

// The row of a sample: its margin m = y w·x; then, the mirror's own, 1 / (1 + exp(m)) less a half, and the m that this
// is of. Where there are several workers: how many moves of others one is likely not to know of, how much further the
// margin goes by the moves of this clock if those are alike, and which clock that is.
const (
	margin = iota
	half
	halfOf
	sampleWidth
	unheard = iota - 1
	ahead
	since
	severalWidth
)

// Primal minimizes f(w) feature by feature. Features are the left side, each with an edge to the samples that have it,
// whose value is z = y x. With all other weights as they are, the loss of a move d of weight w_j, |d| ≤ δ_j, is at most
//
//	g d + h d²/2,    g = Σ −z / (1 + exp(m)),    h = Σ z² F(m, δ_j max |z|),
//	F(m, r) = 1/4 where |m| ≤ r, else 1 / (2 + exp(|m| − r) + exp(r − |m|))
//
// so that the best move of this, with the penalties, makes f no larger. It is the proximal step
//
//	w_j' = S(h w_j − g, λ₁) / (h + λ₂),    S(a, λ) = sign(a) max(|a| − λ, 0)
//
// clipped to δ_j, which then is max(2 |d|, δ_j / 2): the history of a feature's moves (Genkin, Lewis, Madigan:
// Large-Scale Bayesian Logistic Regression for Text Categorization, 2007). A batch is a block of features, after which
// margins are told to others: delayed block proximal gradient (Li et al., Communication Efficient Distributed Machine
// Learning with the Parameter Server, 2014).
//
// What several workers move at once adds up, where samples have features of both. A step is safe that is shorter by how
// much blocks that do not know of each other have in common (Li et al., theorem 2: γ < 1 / (L_var + τ L_cov)). Of
// c moves of the margin of a sample, by d_1 to d_c,
//
//	loss(m + d_1 + … + d_c)  ≤  1/c Σ loss(m + c d_k)
//
// for losses are convex. So each worker takes its own moves of a margin to be c times as far, in h, and in the margins
// that it meets until the clock ends; then the sum of all moves is expected to make f no larger. That c is known of
// each sample before a run: 1 and the moves of others that are likely to be unheard of (mega.Program.StartMirror),
// which are few where samples have few of the features (expected separable overapproximation; Qu, Richtárik:
// Coordinate Descent with Arbitrary Sampling II, 2016). Where moves are heard of sooner, or are little alike, less is
// enough: σ' of the c − 1 are taken, see sigma. What is told of an epoch is f(w).
//
// After an epoch nobody moves until all have heard of all moves, and f is known. It is the last where f has fallen by a
// small share since the one before: Newton goes on from there.
func Primal(p Params) *mega.Program[float64, float64, float32] {
	const start = 1 // how far a weight moves at once, at first
	const small = 0.02
	several, width := p.Workers > 1, sampleWidth
	if several {
		width = severalWidth
	}
	caution := newSigma(p)
	program := &mega.Program[float64, float64, float32]{
		Name: "linear", Left: mega.Rows{Mirror: PrimalWidth}, Right: mega.Rows{Shared: 1, Mirror: width - 1}, Shuffle: true,
		StartLeft: func(_ int, row []float64) { row[reach] = start },
		Block: func(w *mega.Worker[float64], feature []float64, edges mega.Edges[float64, float32]) {
			p.descend(feature, concert{float64(w.Clock + 1), caution.share()}, edges)
		},
		Visit: func(w *mega.Worker[float64], feature []float64) {
			w.Loss += p.Penalty(feature[Weight])
		},
		VisitRight: func(w *mega.Worker[float64], sample []float64) {
			w.Loss += Loss(sample[margin])
		},
		Done: func(_ int, f float64, _ [][]float64) bool {
			fallen := -caution.before - f
			caution.judge(-f)
			return p.Tolerance > 0 && fallen >= 0 && fallen <= small*(f+p.Constant)
		},
		Stages: []mega.Stage{mega.MiniBatch(mega.Exchange(), mega.Sync()), mega.Barrier(), mega.Visit(), mega.VisitRight(),
			mega.Barrier()},
	}
	if program.Keeps.All = caution.keep; several {
		program.StartMirror = func(own []float64, together float64) { own[unheard-1] = together - 1 }
	}
	return program
}

// concert is what workers that move at once go by: the clock, from 1, and what share of the moves that are likely to be
// unheard of they take to be like their own. With none, a worker is alone.
type concert struct{ clock, share float64 }

// descend moves one weight.
func (p Params) descend(feature []float64, c concert, edges mega.Edges[float64, float32]) {
	if feature[largest] == 0 {
		feature[largest] = largestOf(edges)
	}
	g, h := slopes(feature[reach]*feature[largest], c, edges)
	weight := feature[Weight]
	d := proximal(h*weight-g, p.L1)/(h+p.L2) - weight
	d = max(-feature[reach], min(feature[reach], d))
	feature[reach] = max(2*math.Abs(d), feature[reach]/2)
	if d == 0 || math.IsNaN(d) { // of a feature whose values are 0
		return
	}
	feature[Weight] = weight + d
	shift(edges, d, c)
}

func largestOf(edges mega.Edges[float64, float32]) (most float64) {
	for i, z := range edges.Values {
		c := 1.0
		if edges.Width == severalWidth {
			c += edges.Row(i)[unheard]
		}
		most = math.Max(most, c*math.Abs(float64(z)))
	}
	return most
}

// slopes are g and h of a feature whose move changes no margin by more than far.
func slopes(far float64, c concert, edges mega.Edges[float64, float32]) (g, h float64) {
	grown, several := math.Exp(far), edges.Width == severalWidth
	targets := edges.Targets[:len(edges.Values)]
	for i, z := range edges.Values {
		at := int(targets[i]) * edges.Width
		sample := (*[sampleWidth]float64)(edges.Mirrors[at:])
		m, times := sample[margin], 1.0
		if several {
			own := (*[severalWidth]float64)(edges.Mirrors[at:])
			if own[since] != c.clock {
				own[since], own[ahead] = c.clock, 0
			}
			m, times = m+own[ahead], 1+c.share*own[unheard]
		}
		if sample[halfOf] != m { // it has come from another, or has moved far
			sample[half], sample[halfOf] = 1/(1+math.Exp(m))-0.5, m
		}
		off := math.Abs(sample[half])
		small, large, bound := (0.5-off)*grown, 0.5+off, 0.25 // exp(|m| − r) is large over small
		if large > small {
			bound = small * large / ((small + large) * (small + large))
		}
		value := float64(z)
		g -= value * (0.5 + sample[half])
		h += times * value * value * bound
	}
	return g, h
}

// shift moves margins by d z, and what is known of them, where that is little.
func shift(edges mega.Edges[float64, float32], d float64, c concert) {
	const little = 0.05
	several := edges.Width == severalWidth
	targets := edges.Targets[:len(edges.Values)]
	for i, z := range edges.Values {
		at := int(targets[i]) * edges.Width
		sample := (*[sampleWidth]float64)(edges.Mirrors[at:])
		x := d * float64(z)
		sample[margin] += x
		m := sample[margin]
		if several {
			own := (*[severalWidth]float64)(edges.Mirrors[at:])
			further := c.share * own[unheard] * x
			own[ahead] += further
			m, x = m+own[ahead], x+further
		}
		if math.Abs(x) > little {
			continue
		}
		shrink := 1 - x*(1-x/2*(1-x/3*(1-x/4*(1-x/5)))) // exp(−x), to 1e-11
		wrong := 0.5 + sample[half]
		sample[half], sample[halfOf] = wrong*shrink/(1-wrong+wrong*shrink)-0.5, m
	}
}

// proximal is S(a, λ).
func proximal(a, by float64) float64 {
	return math.Copysign(max(math.Abs(a)-by, 0), a)
}
