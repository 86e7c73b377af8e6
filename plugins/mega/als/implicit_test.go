package als

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/plugins/mega/mf"
)

// observed is how often users and items were together, some never, though there is an edge; some have nothing.
func observed(r *rand.Rand, users, items int, density float64) *mega.Graph[mf.Rating] {
	g := &mega.Graph[mf.Rating]{Rights: items, Offsets: []int64{0}}
	for range users {
		for _, v := range r.Perm(items) {
			if r.Float64() < density {
				g.Targets = append(g.Targets, uint32(v))
				g.Edges = append(g.Edges, mf.Of(float32(r.IntN(5))/2, false))
			}
		}
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	return g
}

// pairs has r of all pairs.
func pairs(g *mega.Graph[mf.Rating]) [][]float64 {
	all := make([][]float64, g.Lefts())
	for u := range all {
		all[u] = make([]float64, g.Rights)
		for i := g.Offsets[u]; i < g.Offsets[u+1]; i++ {
			all[u][g.Targets[i]] += float64(g.Edges[i].Value())
		}
	}
	return all
}

// counted is the confidence of a pair, and whether it is preferred.
func counted(p Params, r float64) (c, preferred float64) {
	if r > 0 {
		preferred = 1
	}
	return 1 + p.Alpha*r, preferred
}

// plainImplicit is an epoch by the definition: of each vertex the equations of all pairs, solved at once.
func plainImplicit(p Params, r [][]float64, users, items [][]float64) {
	for side, of := range [][][]float64{users, items} {
		others := [][][]float64{items, users}[side]
		for x := range of {
			a, b := make([][]float64, p.Rank), make([]float64, p.Rank)
			for k := range a {
				a[k] = make([]float64, p.Rank)
				a[k][k] = p.L2
			}
			for y, other := range others {
				c, preferred := counted(p, [2]func() float64{func() float64 { return r[x][y] },
					func() float64 { return r[y][x] }}[side]())
				for k := range a {
					for l := range a {
						a[k][l] += c * other[k] * other[l]
					}
					b[k] += c * preferred * other[k]
				}
			}
			dense(a, b)
			copy(of[x], b)
		}
	}
}

// objective is what is made least, over all pairs.
func objective(p Params, r [][]float64, users, items [][]float64) (sum float64) {
	for u := range users {
		for v := range items {
			c, e := counted(p, r[u][v])
			for k := range p.Rank {
				e -= users[u][k] * items[v][k]
			}
			sum += c * e * e
		}
	}
	for _, side := range [][][]float64{users, items} {
		for _, row := range side {
			for _, x := range row {
				sum += p.L2 * x * x
			}
		}
	}
	return sum
}

// sides are the rows of both.
func sides(p Params, j *Joined, row func(x int) []float64) (rows [2][][]float64) {
	for side, of := range [][]uint32{j.Users, j.Items} {
		for _, x := range of {
			rows[side] = append(rows[side], slices.Clone(row(int(x))[:p.Rank]))
		}
	}
	return rows
}

func runImplicit(t *testing.T, p Params, g *mega.Graph[mf.Rating], o mega.Options) (rows [2][][]float64,
	report mega.Report) {
	t.Helper()
	j := Join(g)
	p.Workers = max(o.Workers, 1)
	s, report, err := mega.Run(t.Context(), Implicit(p, j), &j.Graph, o)
	if err != nil {
		t.Fatal(err)
	}
	return sides(p, j, func(x int) []float64 { return s.Right[x*p.Rank:] }), report
}

// TestImplicit_IsLeastSquares: epoch for epoch, rows are the exact solutions of the equations over all pairs, whether
// observed or not, and what is told is the objective, which never rises.
func TestImplicit_IsLeastSquares(t *testing.T) {
	r := testseed.Rand(t)
	for range 60 {
		g := observed(r, 1+r.IntN(15), 1+r.IntN(15), 0.1+0.8*r.Float64())
		if len(g.Edges) == 0 {
			continue
		}
		p := Params{Rank: 1 + r.IntN(6), L2: 0.05 + r.Float64(), Alpha: 40 * r.Float64(), Tolerance: -1, Seed: r.Uint64()}
		all, j := pairs(g), Join(g)
		want := sides(p, j, func(x int) []float64 {
			row := make([]float64, p.Rank)
			Implicit(p, j).StartRight(x, row)
			return row
		})
		o := mega.Options{Workers: 1 + r.IntN(4), Epochs: 1 + r.IntN(4), Batch: r.IntN(20)}
		got, report := runImplicit(t, p, g, o)
		before := math.Inf(1)
		for epoch, told := range report.Losses {
			plainImplicit(p, all, want[0], want[1])
			left := objective(p, all, want[0], want[1])
			if math.Abs(told-left) > 1e-6*(1+left) {
				t.Fatalf("%+v, epoch %d: the objective is said to be %v, it is %v", o, epoch, told, left)
			}
			if told > before*(1+1e-9) {
				t.Errorf("%+v, epoch %d: the objective rises from %v to %v", o, epoch, before, told)
			}
			before = told
		}
		for side := range want {
			for x, row := range want[side] {
				for k, y := range row {
					if math.Abs(got[side][x][k]-y) > 1e-6*(1+math.Abs(y)) {
						t.Fatalf("%+v, side %d, vertex %d: %v, want %v", o, side, x, got[side][x], row)
					}
				}
			}
		}
	}
}

// TestImplicit_SameBits: without slack any number of workers, and any batch, has the same bits and ends with the same
// epoch.
func TestImplicit_SameBits(t *testing.T) {
	r := testseed.Rand(t)
	ended := false
	for range 10 {
		g := observed(r, 30+r.IntN(60), 10+r.IntN(60), 0.2)
		p := Params{Rank: 1 + r.IntN(9), L2: 1, Alpha: 10, Tolerance: 1e-3, Seed: r.Uint64()}
		const most = 40
		want, first := runImplicit(t, p, g, mega.Options{Epochs: most})
		ended = ended || first.Done
		for range 4 {
			o := mega.Options{Workers: 1 + r.IntN(7), Epochs: most, Batch: r.IntN(300)}
			got, report := runImplicit(t, p, g, o)
			for side := range want {
				for x := range want[side] {
					if !slices.Equal(got[side][x], want[side][x]) {
						t.Fatalf("%+v: vertex %d of side %d is %v, of one worker %v", o, x, side, got[side][x], want[side][x])
					}
				}
			}
			if !slices.Equal(report.Losses, first.Losses) || report.Done != first.Done {
				t.Errorf("%+v: losses %v, of one worker %v", o, report.Losses, first.Losses)
			}
		}
	}
	if !ended {
		t.Error("no run ended before its last epoch")
	}
}

// TestGrams_Sum: sums have the same bits in any order, and are what they are to the last bits of the largest; taking
// away what was added leaves nothing.
func TestGrams_Sum(t *testing.T) {
	r := testseed.Rand(t)
	for range 20 {
		g := grams{1 + r.IntN(6)}
		rows := make([][]float64, 200)
		scale := math.Exp(24*r.Float64() - 12) // products stay below 2⁴²
		plain := make([]float64, g.half())
		for i := range rows {
			rows[i] = make([]float64, g.rank)
			for k := range rows[i] {
				rows[i][k] = scale * r.NormFloat64()
			}
			at := 0
			for k, a := range rows[i] {
				for _, b := range rows[i][:k+1] {
					plain[at] += a * b
					at++
				}
			}
		}
		all := func() (sums, side []float64) {
			side = g.side(make([]float64, g.width()), 1)
			for _, i := range r.Perm(len(rows)) {
				g.add(side, rows[i], 1)
			}
			sums = make([]float64, g.half())
			g.sum(side, sums)
			return sums, side
		}
		once, side := all()
		again, _ := all()
		if !slices.Equal(once, again) {
			t.Fatalf("sums %v and, in another order, %v", once, again)
		}
		for i, x := range once {
			if math.Abs(x-plain[i]) > 1e-12*(1+200*scale*scale) {
				t.Errorf("sum %d is %v, not %v", i, x, plain[i])
			}
		}
		for _, row := range rows {
			g.add(side, row, -1)
		}
		if slices.ContainsFunc(side, func(x float64) bool { return x != 0 }) {
			t.Errorf("without all rows there is left %v", side)
		}
	}
}

// TestMerge: a pair with several edges has one of their sum.
func TestMerge(t *testing.T) {
	r := testseed.Rand(t)
	for range 50 {
		g := &mega.Graph[mf.Rating]{Rights: 1 + r.IntN(5), Offsets: []int64{0}}
		for range 1 + r.IntN(6) {
			for range r.IntN(8) {
				g.Targets = append(g.Targets, uint32(r.IntN(g.Rights)))
				g.Edges = append(g.Edges, mf.Of(float32(r.IntN(4)), false))
			}
			g.Offsets = append(g.Offsets, int64(len(g.Targets)))
		}
		want := pairs(g)
		Merge(g)
		for u, row := range pairs(g) {
			if !slices.Equal(row, want[u]) {
				t.Fatalf("user %d: %v, want %v", u, row, want[u])
			}
			targets := g.Targets[g.Offsets[u]:g.Offsets[u+1]]
			for i := 1; i < len(targets); i++ {
				if targets[i-1] >= targets[i] {
					t.Fatalf("user %d has edges to %v", u, targets)
				}
			}
		}
	}
}
