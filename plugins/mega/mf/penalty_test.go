package mf

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/mega"
)

// noisy are ratings of which little is known: they are made of two factors, and as much noise. A share is held out.
func noisy(r *rand.Rand, users, items, each int, held float64) (g *mega.Graph[Rating], p Params) {
	factors := make([]float64, 2*(users+items))
	for i := range factors {
		factors[i] = r.NormFloat64()
	}
	g = &mega.Graph[Rating]{Rights: items, Offsets: []int64{0}}
	p = Params{Rank: 8, Epochs: 30, Rate: 0.1, BiasL2: 5, Variance: 4, Seed: r.Uint64(), Users: make([]uint32, users),
		Items: make([]uint32, items)}
	for u := range users {
		for _, v := range r.Perm(items)[:each] {
			a, b := factors[2*u:], factors[2*(users+v):]
			out := r.Float64() < held
			g.Targets = append(g.Targets, uint32(v))
			g.Edges = append(g.Edges, Of(float32(a[0]*b[0]+a[1]*b[1]+1.4*r.NormFloat64()), out))
			if !out {
				p.Users[u]++
				p.Items[v]++
			}
		}
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	return g, p
}

// off is the root of the mean square by which rows are off ratings that are held out.
func off(g *mega.Graph[Rating], p Params, s *mega.State[float32, float32]) float64 {
	sum, n := 0.0, 0
	for u := range g.Lefts() {
		for i := g.Offsets[u]; i < g.Offsets[u+1]; i++ {
			if g.Edges[i].Held() {
				row, other := s.Left[u*(Factors+p.Rank+own):], s.Right[int(g.Targets[i])*(Factors+p.Rank):]
				e := g.Edges[i].Value() - float32(p.Mean) - row[Bias] - other[Bias]
				for k := range p.Rank {
					e -= row[Factors+k] * other[Factors+k]
				}
				sum, n = sum+float64(e*e), n+1
			}
		}
	}
	return math.Sqrt(sum / float64(n))
}

// TestPenalty_Follows: from a λ that is far too large it comes to one with which ratings that are held out are said
// better by half of what the best of many brings, at least. It has until the factors have grown to begin, and few
// epochs then: nine times in ten it is nine tenths.
func TestPenalty_Follows(t *testing.T) {
	r := testseed.Rand(t)
	g, p := noisy(r, 800, 200, 40, 0.1)
	learn := func(p Params, o mega.Options) float64 {
		o.Epochs = p.Epochs
		state, _, err := mega.Run(context.Background(), Program(p), g, o)
		if err != nil {
			t.Fatal(err)
		}
		return off(g, p, state)
	}
	best := math.Inf(1)
	for _, p.L2 = range []float64{1, 2, 4, 8} {
		best = min(best, learn(p, mega.Options{}))
	}
	p.L2 = 50
	fixed := learn(p, mega.Options{})
	p.Adapt = true
	for _, o := range []mega.Options{{}, {Workers: 2, Slack: 1}} {
		if found := learn(p, o); found > best+0.5*(fixed-best) {
			t.Errorf("slack %d: the error is %.4f; it is %.4f where λ stays, %.4f at best", o.Slack, found, fixed, best)
		}
	}
}

// TestPenalty_Moves by the slope, but for what may be chance; not before it has settled, nor in the last quarter. It
// does not fall while factors grow.
func TestPenalty_Moves(t *testing.T) {
	for _, c := range []struct {
		epoch                     int
		slope, err, before, moves float64
	}{
		{9, 0.7, 0.2, 1, 0}, {9, 1.3, 0.2, 1, 0}, {9, 1.04, 0, 1, 0}, {9, 0.7, 0.01, 1, 0.56}, {9, 1.3, 0.01, 1, -0.46},
		{9, -3, 0.01, 1, math.Ln2}, {9, 5, 0.01, 1, -math.Ln2}, {2, 0.7, 0.01, 1, 0}, {15, 0.7, 0.01, 1, 0},
		{9, 1.3, 0.01, 0.6, -0.46}, {9, 1.3, 0.01, 0.4, 0}, {9, 0.7, 0.01, 0.4, 0.56},
	} {
		p := newPenalty(Params{Rank: 1, Epochs: 20, L2: 5, Adapt: true})
		p.before = c.before
		p.judge(c.epoch, 0, [][]float64{{c.slope / 2, 0.5, c.err * c.err}, {c.slope / 2, 0.5, 0}})
		want := 5 * math.Exp(c.moves)
		if got := math.Float64frombits(p.lambda.Load()); math.Abs(got-want) > 1e-9 {
			t.Errorf("epoch %d, grown from %v: by a slope of %v ± %v λ comes to %v, not to %v", c.epoch, c.before, c.slope, c.err,
				got, want)
		}
	}
}

// TestHeld_IsLearnedLate or never: a rating that is held out changes nothing, or where it may biases, and in the last
// quarter factors.
func TestHeld_IsLearnedLate(t *testing.T) {
	for _, late := range []bool{false, true} {
		for epoch := range 8 {
			p := Program(Params{Rank: 2, Epochs: 8, Rate: 0.1, L2: 1, Variance: 1, Late: late, Users: []uint32{1},
				Items: []uint32{1}})
			w := &mega.Worker[float32]{Epoch: epoch, Tally: make([]float64, p.Tally)}
			rows := [2][]float32{make([]float32, p.Left.Width()), make([]float32, p.Left.Width())}
			p.StartLeft(0, rows[0])
			p.StartRight(0, rows[1][:p.Right.Shared])
			p.StartMirror(rows[1][p.Right.Shared:], 1)
			rating, before, other := Of(2, true), rows[0][Factors], rows[1][Factors]
			p.Exchange(w, rows[0], rows[1], &rating)
			if biases := rows[0][Bias] != 0 && rows[1][Bias] != 0; biases != late {
				t.Errorf("late: %v, epoch %d: biases learn: %v", late, epoch, biases)
			}
			learned, want := rows[0][Factors] != before || rows[1][Factors] != other, late && epoch >= 6
			if learned != want || (w.Tally[said] == 0) != want || (w.Loss != 0) != late {
				t.Errorf("late: %v, epoch %d: it is learned: %v; of it is said %v, the loss is %v", late, epoch, learned,
					w.Tally[said], w.Loss)
			}
		}
	}
}

// TestRating_IsHeld: the last bit is what says it.
func TestRating_IsHeld(t *testing.T) {
	for _, x := range []float32{0, 1, -3.7, 1e-30, 5} {
		for _, held := range []bool{false, true} {
			if r := Of(x, held); r.Held() != held || math.Abs(float64(r.Value()-x)) > 2e-7*math.Abs(float64(x)) {
				t.Errorf("of %v it is %v, held: %v", x, r.Value(), r.Held())
			}
		}
	}
}
