package als

import (
	"math"
	"math/rand/v2"

	least "github.com/penstock-db/penstock/algorithms/mega/mf"
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/plugins/mega/mf"
)

// Implicit alternates least squares of implicit feedback: how often each user and item were observed together, r, of
// which the pairs that never were tell as well. See mf.Preferences for what is made least, with α and λ of Params; λ
// counts once for a vertex. There are no biases: a row is the factors.
//
// Scans are those of Program. What a vertex needs of all of the other side is YᵀY, the sum of y yᵀ over it: who solves
// a vertex brings to the context by how much that changes the sum of its own side, so that it is known when that side
// is scanned, and an epoch costs no more than what was observed and the vertices have. Sums are exact (see grams); so
// without slack any number of workers has the same bits. What is told is the objective when an epoch is over, which
// never rises; it is done when its root has hardly fallen. No ratings are held out for that. With slack a vertex may be
// solved by rows and sums of the epoch before, and the objective may rise.
func Implicit(p Params, g *Joined) *mega.Program[float64, float64, mf.Rating] {
	end, of := newEnd(p, g), grams{p.Rank}
	end.held = 0
	start := func(x int, row []float64) {
		random := rand.New(rand.NewPCG(p.Seed, uint64(x)))
		for k := range row {
			row[k] = random.NormFloat64() / math.Sqrt(float64(p.Rank))
		}
	}
	unit := preferred(p, g)
	solvers := make([]*preference, max(p.Workers, 1))
	for k := range solvers {
		solvers[k] = &preference{Params: p, unit: unit, system: least.NewPreferences(p.Rank, p.Alpha), grams: of,
			all: make([]float64, of.half()), solution: make([]float64, p.Rank)}
	}
	return &mega.Program[float64, float64, mf.Rating]{
		Name: "als-implicit", Right: mega.Rows{Shared: p.Rank}, Context: mega.Rows{Shared: of.width()},
		StartRight: start,
		StartContext: func(context []float64) {
			row := make([]float64, p.Rank)
			for x, set := range g.Sets {
				start(x, row)
				of.add(of.side(context, int(set)), row, 1)
			}
		},
		Exchange: func(w *mega.Worker[float64], _, y []float64, rating *mf.Rating) {
			solvers[w.Number].exchange(w, y, *rating)
		},
		Done: end.done, Keeps: mega.Keeps{All: end.keep},
		Stages: []mega.Stage{
			mega.MiniBatch(mega.ExchangeOf(users), mega.Sync()),
			mega.MiniBatch(mega.ExchangeOf(items), mega.Sync()),
		},
	}
}

// preferred is a unit of what is told: a power of two of which float64 has whole numbers up to more than the objective
// ever is. With the factors of one side 0 that is Σ (1 + α r), and the penalty on the other is no more than that.
func preferred(p Params, g *Joined) float64 {
	const bits = 50
	sum := 1.0
	for _, r := range g.Edges {
		if r != own {
			sum += 1 + p.Alpha*float64(r.Value()) // at either end
		}
	}
	_, power := math.Frexp(sum)
	return math.Ldexp(1, power-bits)
}

// preference is what a worker has of the vertex that it scans.
type preference struct {
	Params
	grams
	unit     float64 // of what is told of a vertex
	system   *least.Preferences
	known    int // 1 more than the clock of which all is known
	all      []float64
	solution []float64
}

// exchange goes along an edge of the vertex that is scanned; y is the row of its other end. What is left of the
// objective is known when the items are scanned, but for the penalty on users, which is when these are.
func (s *preference) exchange(w *mega.Worker[float64], y []float64, rating mf.Rating) {
	if rating != own {
		s.system.Add(y, float64(rating.Value()))
		return
	}
	if s.known != w.Clock+1 {
		s.known = w.Clock + 1
		s.sum(s.side(w.Context, 1-w.Set), s.all)
	}
	left := s.system.Solve(s.all, s.L2, s.solution)
	s.system.Reset()
	if w.Set == users {
		left = 0
		for _, x := range s.solution {
			left += s.L2 * x * x
		}
	}
	w.Loss += math.Round(left/s.unit) * s.unit
	side := s.side(w.Context, w.Set)
	s.add(side, y, -1)
	copy(y, s.solution)
	s.add(side, y, 1)
}
