// Package als is matrix factorization by alternating least squares as a MEGA program.
package als

import (
	"math"
	"math/rand/v2"

	least "github.com/penstock-db/penstock/algorithms/mega/mf"
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/plugins/mega/mf"
)

// Params are those of a factorization.
type Params struct {
	Rank      int
	L2        float64 // λ of a vertex's factors, for each of its ratings; of Implicit, once
	Alpha     float64 // α, of Implicit
	BiasL2    float64 // λ' of its bias
	Tolerance float64 // an epoch that lowers the error by no more than this share of it counts as none that does
	Mean      float64 // μ
	Variance  float64 // the ratings' mean square off it
	Seed      uint64
	Workers   int
}

// Penalty is a λ for ratings that deviate by about 1.
const Penalty = 0.1

// A row is the bias, then the factors.
const (
	Bias = iota
	Factors
)

// Program takes a rating r of item v by user u to be r̂ = μ + b_u + c_v + p_u · q_v, and makes least
//
//	Σ (r − r̂)² + λ (Σ_u n_u |p_u|² + Σ_v n_v |q_v|²) + λ' (Σ_u b_u² + Σ_v c_v²)
//
// n being how many ratings each has (weighted-λ-regularization: Zhou, Wilkinson, Schreiber, Pan: Large-Scale Parallel
// Collaborative Filtering for the Netflix Prize, AAIM 2008; which has no biases). With one side as it is, the best for
// a vertex of the other is where, x_v being (q_v, 1) and D having n_u λ, but for the bias λ', on its diagonal,
//
//	(Σ x_v x_vᵀ + D) (p_u, b_u) = Σ (r − μ − c_v) x_v
//
// An epoch scans users, then items. Exchange gathers the equations of the vertex that is scanned, and at the edge to
// itself, which comes behind, solves them. So of each vertex the row alone travels, one number more than its factors,
// and what it is depends on no order but that of its own ratings: without slack any number of workers has the same
// bits. What is told is Σ (r − r̂)² when an epoch is over.
//
// It is done when that has hardly fallen (Params.Tolerance), or where ratings are held out, when their error has hardly
// fallen for five epochs.
//
// Of ratings in another unit factors are its root as large (mf.Unit), and so are those that items begin with. λ goes
// with the unit.
func Program(p Params, g *Joined) *mega.Program[float32, float32, mf.Rating] {
	end, unit := newEnd(p, g), mf.Unit(p.Variance)
	solvers := make([]*solver, max(p.Workers, 1))
	for k := range solvers {
		solvers[k] = &solver{Params: p, unit: end.unit(), system: least.NewSystem(p.Rank), factors: make([]float64, p.Rank),
			solution: make([]float64, p.Rank)}
	}
	return &mega.Program[float32, float32, mf.Rating]{
		Name: "als", Right: mega.Rows{Shared: Factors + p.Rank},
		StartRight: func(x int, row []float32) {
			random := rand.New(rand.NewPCG(p.Seed, uint64(x)))
			for k := range p.Rank {
				row[Factors+k] = float32(random.NormFloat64() * math.Sqrt(unit/float64(p.Rank)))
			}
		},
		Exchange: func(w *mega.Worker[float32], _, y []float32, rating *mf.Rating) {
			solvers[w.Number].exchange(w, w.Set == items, y, *rating)
		},
		Tally: tallies, Done: end.done, Keeps: mega.Keeps{All: end.keep},
		Stages: []mega.Stage{
			mega.MiniBatch(mega.ExchangeOf(users), mega.Sync()),
			mega.MiniBatch(mega.ExchangeOf(items), mega.Sync()),
		},
	}
}

// solver is what a worker has of the vertex that it scans.
type solver struct {
	Params
	unit              float64 // of what is told of a vertex
	system            *least.System
	factors, solution []float64
	bias              float64
}

// exchange goes along an edge of the vertex that is scanned; y is the row of its other end. What is left of the ratings
// is known when the side is scanned that comes last in an epoch.
func (s *solver) exchange(w *mega.Worker[float32], last bool, y []float32, rating mf.Rating) {
	switch {
	case rating == own:
		left := s.solve(y)
		if last {
			w.Loss += s.rounded(left)
		}
	case !rating.Held():
		s.system.Add(s.wide(y), float64(rating.Value())-s.Mean-float64(y[Bias]))
	case last:
		e := float64(rating.Value()) - s.Mean - float64(y[Bias]) - s.bias
		for k, x := range s.wide(y) {
			e -= s.solution[k] * x
		}
		w.Tally[heldSquares] += s.rounded(e * e)
	}
}

// solve brings the solution to the row of the vertex.
func (s *solver) solve(row []float32) (left float64) {
	s.bias, left = s.system.Solve(s.L2*float64(s.system.Ratings()), s.BiasL2, s.solution)
	s.system.Reset()
	row[Bias] = float32(s.bias)
	for k, x := range s.solution {
		row[Factors+k] = float32(x)
	}
	return left
}

// wide are the factors of a row.
func (s *solver) wide(row []float32) []float64 {
	for k, x := range row[Factors:] {
		s.factors[k] = float64(x)
	}
	return s.factors
}

// rounded is x to a whole number of units, sums of which have the same bits in any order.
func (s *solver) rounded(x float64) float64 { return math.Round(x/s.unit) * s.unit }
