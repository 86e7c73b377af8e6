package linear

import (
	"math"

	"github.com/penstock-db/penstock/plugins/mega"
)

// The row of a feature: its weight, how far that may move at once, and its largest |z|, or 0 before that is known.
const (
	Weight = iota
	reach
	largest
	PrimalWidth
)

// The row of a sample: its margin m = y w·x; then, the mirror's own, 1 / (1 + exp(m)) less a half, and the m that this
// is of.
const (
	margin = iota
	half
	halfOf
	sampleWidth
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
// Learning with the Parameter Server, 2014). What several workers move at once adds up, for which h is as many times as
// large as there are workers, times the slack and 1. What is told of an epoch is f(w).
//
// An epoch will do when the slopes of f that features met, as Params.Off adds them up, are at most Tolerance times
// those at w = 0, which are first, and f has settled: see settled.
func Primal(p Params, first float64) *mega.Program[float64, float64, float32] {
	const start = 1 // how far a weight moves at once, at first
	all := &settled{share: p.Tolerance}
	return &mega.Program[float64, float64, float32]{
		Name: "linear", Left: mega.Rows{Mirror: PrimalWidth}, Right: mega.Rows{Shared: 1, Mirror: sampleWidth - 1}, Tally: 1, Shuffle: true,
		StartLeft: func(_ int, row []float64) { row[reach] = start },
		Block: func(w *mega.Worker[float64], feature []float64, edges mega.Edges[float64, float32]) {
			if feature[largest] == 0 {
				feature[largest] = largestOf(edges.Values)
			}
			g, h := slopes(feature[reach]*feature[largest], edges)
			h *= p.together()
			weight := feature[Weight]
			w.Tally[0] += p.Off(weight, g)
			d := proximal(h*weight-g, p.L1)/(h+p.L2) - weight
			d = max(-feature[reach], min(feature[reach], d))
			feature[reach] = max(2*math.Abs(d), feature[reach]/2)
			if d == 0 || math.IsNaN(d) { // of a feature whose values are 0
				return
			}
			feature[Weight] = weight + d
			shift(edges, d)
		},
		Visit: func(w *mega.Worker[float64], feature []float64) {
			w.Loss += p.Penalty(feature[Weight])
		},
		Done:  all.judged(p.done(func(float64) float64 { return first })),
		Keeps: mega.Keeps{All: all.keep},
		VisitRight: func(w *mega.Worker[float64], sample []float64) {
			w.Loss += Loss(sample[margin])
		},
		Stages: []mega.Stage{mega.MiniBatch(mega.Exchange(), mega.Sync()), mega.Visit(), mega.VisitRight(), mega.Sync()},
	}
}

// Off is how far a weight is from where it would be best, all others being as they are: the least slope of f there,
// where that of the losses is g.
func (p Params) Off(weight, g float64) float64 {
	if g += p.L2 * weight; weight != 0 {
		return math.Abs(g + math.Copysign(p.L1, weight))
	}
	return math.Max(math.Abs(g)-p.L1, 0)
}

func largestOf(values []float32) (most float64) {
	for _, z := range values {
		most = math.Max(most, math.Abs(float64(z)))
	}
	return most
}

// slopes are g and h of a feature whose move changes no margin by more than far.
func slopes(far float64, edges mega.Edges[float64, float32]) (g, h float64) {
	grown := math.Exp(far)
	targets := edges.Targets[:len(edges.Values)]
	for i, z := range edges.Values {
		sample := (*[sampleWidth]float64)(edges.Mirrors[int(targets[i])*sampleWidth:])
		if m := sample[margin]; sample[halfOf] != m { // it has come from another, or has moved far
			sample[half], sample[halfOf] = 1/(1+math.Exp(m))-0.5, m
		}
		off := math.Abs(sample[half])
		small, large, bound := (0.5-off)*grown, 0.5+off, 0.25 // exp(|m| − r) is large over small
		if large > small {
			bound = small * large / ((small + large) * (small + large))
		}
		value := float64(z)
		g -= value * (0.5 + sample[half])
		h += value * value * bound
	}
	return g, h
}

// shift moves margins by d z, and what is known of them, where that is little.
func shift(edges mega.Edges[float64, float32], d float64) {
	const little = 0.05
	targets := edges.Targets[:len(edges.Values)]
	for i, z := range edges.Values {
		sample := (*[sampleWidth]float64)(edges.Mirrors[int(targets[i])*sampleWidth:])
		x := d * float64(z)
		sample[margin] += x
		if math.Abs(x) > little {
			continue
		}
		shrink := 1 - x*(1-x/2*(1-x/3*(1-x/4*(1-x/5)))) // exp(−x), to 1e-11
		wrong := 0.5 + sample[half]
		sample[half], sample[halfOf] = wrong*shrink/(1-wrong+wrong*shrink)-0.5, sample[margin]
	}
}

// proximal is S(a, λ).
func proximal(a, by float64) float64 {
	return math.Copysign(max(math.Abs(a)-by, 0), a)
}
