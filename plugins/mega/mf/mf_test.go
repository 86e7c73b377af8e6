package mf

import (
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/mega"
)

// TestProgram_IsTheRuleOfItsComment takes one rating, in double precision, by the definition.
func TestProgram_IsTheRuleOfItsComment(t *testing.T) {
	r := testseed.Rand(t)
	for range 100 {
		p := Params{Rank: 1 + r.IntN(40), Epochs: 1 + r.IntN(5), Rate: r.Float64(), L2: 3 * r.Float64(), BiasL2: r.Float64(),
			Mean: r.NormFloat64(), Variance: r.Float64(), Seed: r.Uint64(), Users: []uint32{3}, Items: []uint32{2}}
		program := Program(p)
		width := Factors + p.Rank
		u, v := make([]float32, width+own), make([]float32, width+own)
		program.StartLeft(0, u)
		program.StartRight(0, v[:width])
		mirrors := 1 + 8*r.Float64()
		program.StartMirror(v[width:], mirrors)
		for k := Bias; k < width+further; k++ {
			u[k], v[k] = float32(r.Float64())+0.1, float32(r.Float64())+0.1
		}
		rating, epoch := Of(float32(r.NormFloat64()), false), r.IntN(p.Epochs)
		want := byDefinition(p, epoch, float64(rating.Value()), mirrors, u, v)
		w := &mega.Worker[float32]{Epoch: epoch}
		program.Exchange(w, u, v, &rating)
		for i, x := range append(append([]float32{}, u...), v...) {
			if math.Abs(float64(x)-want[i]) > 1e-4*(1+math.Abs(want[i])) {
				t.Fatalf("value %d of both rows is %v, want %v", i, x, want[i])
			}
		}
	}
}

// byDefinition are both rows after a rating.
func byDefinition(p Params, epoch int, rating, mirrors float64, u, v []float32) (both []float64) {
	rows := [2][]float64{}
	for i, row := range [][]float32{u, v} {
		for _, x := range row {
			rows[i] = append(rows[i], float64(x))
		}
	}
	width := Factors + p.Rank
	e := rating - p.Mean - rows[0][Bias] - rows[1][Bias]
	for k := Factors; k < width; k++ {
		e -= rows[0][k] * rows[1][k]
	}
	k := float64(p.Rank)
	rho := (math.Sqrt(p.L2*p.L2+4*k*p.Variance) - p.L2) / (2 * k)
	ratings := [2]float64{float64(p.Users[0]), float64(p.Items[0])}
	rate := p.Rate * (1 - float64(epoch)/float64(p.Epochs))
	for i, row := range rows {
		rate := rate
		if i == 1 {
			rate *= math.Sqrt(mirrors)
		}
		other, n := rows[1-i], ratings[1-i]
		lambda := p.L2/ratings[i] + 1/(1/rho+n/p.L2)
		after := append([]float64{}, row...)
		for k := Factors; k < width; k++ {
			gradient := lambda*row[k] - e*other[k]
			after[k] -= rate / math.Sqrt(row[width]) * gradient
			after[width] += gradient * gradient / float64(p.Rank)
		}
		gradient := p.BiasL2/ratings[i]*row[Bias] - e
		after[Bias] -= 1.5 * rate / math.Sqrt(row[width+1]) * gradient
		after[width+1] += gradient * gradient
		both = append(both, after...)
	}
	return both
}

// TestRun_FindsWhatWasPlanted: ratings are made of factors, and runs of several workers come close to their noise. How
// far apart workers are that nothing bounds is up to a pretended cluster, not to the machine: one that rests a worker
// for long has it learn from rows that are as old.
func TestRun_FindsWhatWasPlanted(t *testing.T) {
	const users, items, each, noise = 600, 80, 50, 0.1
	for _, o := range []mega.Options{{Workers: 1}, {Workers: 4, Batch: 1000}, {Workers: 4, Batch: 500, Slack: 2},
		{Workers: 3, Batch: 1000, Slack: mega.Asynchronous,
			Cluster: mega.Cluster{Edge: time.Microsecond, Straggler: 2}}} {
		r := rand.New(rand.NewPCG(7, 7))
		factors := make([]float64, 2*(users+items))
		for i := range factors {
			factors[i] = r.NormFloat64()
		}
		g := &mega.Graph[Rating]{Rights: items, Offsets: []int64{0}}
		p := Params{Rank: 4, Epochs: 60, Rate: 0.3, L2: 0.1, Mean: 3, Seed: 1, Users: make([]uint32, users),
			Items: make([]uint32, items)}
		for u := range users {
			for _, v := range r.Perm(items)[:each] {
				a, b := factors[2*u:], factors[2*(users+v):]
				g.Targets = append(g.Targets, uint32(v))
				g.Edges = append(g.Edges, Of(float32(3+a[0]*b[0]+a[1]*b[1]+noise*r.NormFloat64()), false))
				p.Items[v]++
			}
			p.Users[u] = each
			g.Offsets = append(g.Offsets, int64(len(g.Targets)))
		}
		o.Epochs, o.Seed = p.Epochs, 1
		n := float64(len(g.Edges))
		var report mega.Report
		synctest.Test(t, func(t *testing.T) {
			var err error
			if _, report, err = mega.Run(t.Context(), Program(p), g, o); err != nil {
				t.Fatal(err)
			}
		})
		first, last := math.Sqrt(report.Losses[0]/n), math.Sqrt(report.Losses[p.Epochs-1]/n)
		if last > 2*noise || first < 5*last {
			t.Errorf("%d workers, slack %d: RMSE %.3f, and %.3f at first; the noise is %v", o.Workers, o.Slack, last, first, noise)
		}
	}
}
