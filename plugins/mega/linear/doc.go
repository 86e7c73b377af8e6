// Package linear is logistic regression as MEGA programs: labels y of −1 and 1, samples x, weights w that minimize
//
//	f(w) = Σ over samples of log(1 + exp(−y w·x))  +  λ₂/2 |w|²  +  λ₁ Σ over features of |w_j|
//
//	Primal  any penalty; features are the left side, and what travels are the margins of samples
//	Dual    λ₁ = 0 < λ₂; samples are the left side, and what travels are the weights of features
//
// Both end by how far f(w) may be from the least, as the dual has it: Dual by what samples met on their way in an
// epoch, which is nearly what there is in the end; Primal where f hardly falls, and Newton goes the rest of the way.
package linear

import "math"

// Params are those of a regression.
type Params struct {
	L1, L2    float64 // λ₁, λ₂
	Tolerance float64 // when an epoch will do, a share; 0: none does
	Workers   int
	Slack     int // at least 0: how far moves add up goes by it
	// Constant is what f has beside what a program tells: of samples that it does not know, or that are none.
	Constant float64
}

// Blocks is of how many blocks an epoch is, of edges that lead to so many vertices: as many as were asked for, if any.
// Where they are more, workers hear of moves sooner, and look at all of their mirrors more often. So a block is about
// as many edges as a worker may have mirrors, but an epoch is of neither fewer than 20 nor more than 100.
func (p Params) Blocks(asked, edges, rights int) int {
	const fewest, most = 20, 100
	switch {
	case p.Workers <= 1:
		return 1 // there is nobody to be told
	case asked > 0:
		return asked
	}
	return min(max(edges/max(rights*p.Workers, 1), fewest), most)
}

// together is how many moves may add up that have not heard of each other: one, and of each other worker those of all
// clocks that it may be ahead.
func (p Params) together() float64 { return float64(1 + max(p.Workers-1, 0)*(p.Slack+1)) }

// Sooner says whether Dual converges sooner than Primal, of samples with so large a sum of squares on average. It takes
// about 1 + |x|² / (4 λ₂) epochs to come e times as near (Shalev-Shwartz, Zhang: Stochastic Dual Coordinate Ascent
// Methods, 2013), where Primal takes some hundreds in all.
func (p Params) Sooner(squares float64) bool {
	const most = 30
	return squares <= most*4*p.L2
}

// doneFunc is that of a mega.Program.
type doneFunc = func(epoch int, loss float64, tallies [][]float64) bool

// sum is that of a tally of all workers.
func sum(tallies [][]float64, of int) (all float64) {
	for _, each := range tallies {
		all += each[of]
	}
	return all
}

// Loss is log(1 + exp(−m)), for any m.
func Loss(m float64) float64 { return math.Max(-m, 0) + math.Log1p(math.Exp(-math.Abs(m))) }

// Penalty is that of a weight.
func (p Params) Penalty(w float64) float64 { return p.L1*math.Abs(w) + p.L2/2*w*w }

// Conjugate is what the dual loses by a feature whose samples have the sum v of β z: f(w) is nowhere below the sum of
// Entropy over samples less that of Conjugate over features, whatever the β from 0 to 1, if they are feasible.
func (p Params) Conjugate(v float64) float64 {
	over := math.Max(math.Abs(v)-p.L1, 0)
	if over == 0 {
		return 0
	}
	return over * over / (2 * p.L2)
}

// Feasible is by how much β are to be smaller that Conjugate may be asked, where the steepest v is so much. With λ₂ all
// are feasible; without, no v may be above λ₁.
func (p Params) Feasible(steepest float64) float64 {
	const rounding = 1e-12
	if p.L2 > 0 || steepest <= p.L1 {
		return 1
	}
	return (1 - rounding) * p.L1 / steepest
}

// Entropy is −β log β − (1 − β) log(1 − β).
func Entropy(beta float64) float64 {
	if beta <= 0 || beta >= 1 {
		return 0
	}
	return -beta*math.Log(beta) - (1-beta)*math.Log1p(-beta)
}
