package als

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/plugins/mega/mf"
)

// planted are ratings that two factors of each end have made, with noise, some held out; users and items may have none.
func planted(r *rand.Rand, users, items int, density, noise, held float64) *mega.Graph[mf.Rating] {
	factors := make([]float64, 2*(users+items))
	for i := range factors {
		factors[i] = r.NormFloat64()
	}
	g := &mega.Graph[mf.Rating]{Rights: items, Offsets: []int64{0}}
	for u := range users {
		for _, v := range r.Perm(items) {
			a, b := factors[2*u:], factors[2*(users+v):]
			if r.Float64() < density {
				g.Targets = append(g.Targets, uint32(v))
				g.Edges = append(g.Edges, mf.Of(float32(3+a[0]*b[0]+a[1]*b[1]+noise*r.NormFloat64()), r.Float64() < held))
			}
		}
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	return g
}

// wanted are parameters that fit the ratings.
func wanted(g *mega.Graph[mf.Rating], p Params) Params {
	n := 0.0
	for _, r := range g.Edges {
		if !r.Held() {
			p.Mean, n = p.Mean+float64(r.Value()), n+1
		}
	}
	p.Mean /= max(n, 1)
	for _, r := range g.Edges {
		p.Variance += (float64(r.Value()) - p.Mean) * (float64(r.Value()) - p.Mean) / max(n, 1)
	}
	return p
}

// dense solves a x = b by Gauss's elimination, with the largest pivot of each column.
func dense(a [][]float64, b []float64) {
	for c := range b {
		most := c
		for i := c; i < len(b); i++ {
			if math.Abs(a[i][c]) > math.Abs(a[most][c]) {
				most = i
			}
		}
		a[c], a[most], b[c], b[most] = a[most], a[c], b[most], b[c]
		for i := range b {
			if f := a[i][c] / a[c][c]; i != c {
				for j := c; j < len(b); j++ {
					a[i][j] -= f * a[c][j]
				}
				b[i] -= f * b[c]
			}
		}
	}
	for c := range b {
		b[c] /= a[c][c]
	}
}

// plain is an epoch by the definition: of each vertex of a side all equations, solved at once.
func plain(p Params, g *mega.Graph[mf.Rating], users, items [][]float64) {
	for side, of := range [][][]float64{users, items} {
		for x := range of {
			a, b, n := make([][]float64, p.Rank+1), make([]float64, p.Rank+1), 0.0
			for i := range a {
				a[i] = make([]float64, p.Rank+1)
			}
			for u := range users {
				for i := g.Offsets[u]; i < g.Offsets[u+1]; i++ {
					v := int(g.Targets[i])
					other := items[v]
					if side == 1 {
						other = users[u]
					}
					if g.Edges[i].Held() || []int{u, v}[side] != x {
						continue
					}
					with := append([]float64{1}, other[1:]...)
					for k, y := range with {
						for l, z := range with {
							a[k][l] += y * z
						}
						b[k] += y * (float64(g.Edges[i].Value()) - p.Mean - other[0])
					}
					n++
				}
			}
			a[0][0] += p.BiasL2
			for k := 1; k <= p.Rank; k++ {
				a[k][k] += p.L2 * n
			}
			if n == 0 {
				clear(of[x])
				continue
			}
			dense(a, b)
			copy(of[x], b)
		}
	}
}

// errors are the sums of squares of ratings that are learned from, and that are held out.
func errors(p Params, g *mega.Graph[mf.Rating], users, items [][]float64) (sums [2]float64) {
	for u := range users {
		for i := g.Offsets[u]; i < g.Offsets[u+1]; i++ {
			v := items[g.Targets[i]]
			e := float64(g.Edges[i].Value()) - p.Mean - users[u][0] - v[0]
			for k := 1; k <= p.Rank; k++ {
				e -= users[u][k] * v[k]
			}
			which := 0
			if g.Edges[i].Held() {
				which = 1
			}
			sums[which] += e * e
		}
	}
	return sums
}

// run runs the program, and gives the rows of both sides.
func run(t *testing.T, p Params, g *mega.Graph[mf.Rating], o mega.Options) (rows [2][][]float64, report mega.Report) {
	t.Helper()
	j := Join(g)
	p.Workers = max(o.Workers, 1)
	users, items := j.Users, j.Items
	s, report, err := mega.Run(t.Context(), Program(p, j), &j.Graph, o)
	if err != nil {
		t.Fatal(err)
	}
	for side, of := range [][]uint32{users, items} {
		for _, x := range of {
			row := make([]float64, 1+p.Rank)
			for k := range row {
				row[k] = float64(s.Right[int(x)*(1+p.Rank)+k])
			}
			rows[side] = append(rows[side], row)
		}
	}
	return rows, report
}

// TestProgram_IsLeastSquares: epoch for epoch, rows are the exact solutions of the equations of the definition, and
// what is told is what is left of the ratings.
func TestProgram_IsLeastSquares(t *testing.T) {
	r := testseed.Rand(t)
	for range 60 {
		g := planted(r, 1+r.IntN(15), 1+r.IntN(15), 0.2+0.8*r.Float64(), 0.5, 0.2*float64(r.IntN(2)))
		if len(g.Edges) == 0 {
			continue
		}
		p := wanted(g, Params{Rank: 1 + r.IntN(6), L2: 0.05 + r.Float64(), BiasL2: 0.1 + 3*r.Float64(), Tolerance: -1,
			Seed: r.Uint64()})
		var rows [2][][]float64
		j := Join(g)
		for side, of := range [][]uint32{j.Users, j.Items} {
			for _, x := range of {
				row := make([]float32, 1+p.Rank)
				Program(p, j).StartRight(int(x), row)
				rows[side] = append(rows[side], make([]float64, 1+p.Rank))
				for k, y := range row {
					rows[side][len(rows[side])-1][k] = float64(y)
				}
			}
		}
		o := mega.Options{Workers: 1 + r.IntN(4), Epochs: 1 + r.IntN(4), Batch: r.IntN(20)}
		got, report := run(t, p, g, o)
		for epoch := range o.Epochs {
			plain(p, g, rows[0], rows[1])
			if left := errors(p, g, rows[0], rows[1])[0]; math.Abs(report.Losses[epoch]-left) > 1e-4*(1+left) {
				t.Fatalf("%+v, epoch %d: %v is said to be left, it is %v", o, epoch, report.Losses[epoch], left)
			}
		}
		for side := range rows {
			for x, row := range rows[side] {
				for k, want := range row {
					if math.Abs(got[side][x][k]-want) > 1e-4*(1+math.Abs(want)) {
						t.Fatalf("%+v, side %d, vertex %d: %v, want %v", o, side, x, got[side][x], row)
					}
				}
			}
		}
	}
}

// TestProgram_SameBits: without slack any number of workers, and any batch, has the same bits and ends with the same
// epoch.
func TestProgram_SameBits(t *testing.T) {
	r := testseed.Rand(t)
	ended := false
	for range 10 {
		g := planted(r, 30+r.IntN(60), 10+r.IntN(60), 0.4, 0.5, 0.2)
		p := wanted(g, Params{Rank: 1 + r.IntN(9), L2: 0.1, BiasL2: 1, Tolerance: 1e-3, Seed: r.Uint64()})
		const most = 40
		want, first := run(t, p, g, mega.Options{Epochs: most})
		ended = ended || first.Done
		for range 4 {
			o := mega.Options{Workers: 1 + r.IntN(7), Epochs: most, Batch: r.IntN(300)}
			got, report := run(t, p, g, o)
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

// TestProgram_Ends with the first epoch that lowers the error by less than the tolerance; of ratings that are held out,
// with the fifth in a row that does not bring it as much below what it was.
func TestProgram_Ends(t *testing.T) {
	r := testseed.Rand(t)
	for _, held := range []float64{0, 0.2} {
		g := planted(r, 60, 40, 0.5, 0.5, held)
		p := wanted(g, Params{Rank: 3, L2: 0.1, BiasL2: 1, Tolerance: 0.003, Seed: 1})
		_, report := run(t, p, g, mega.Options{Epochs: 50})
		if !report.Done {
			t.Fatal("it has not ended")
		}
		p.Tolerance = -1
		of, most := 0, 1
		if held > 0 {
			of, most = 1, 5
		}
		least, stays := math.Inf(1), 0
		for epochs := 1; epochs <= len(report.Losses); epochs++ {
			rows, _ := run(t, p, g, mega.Options{Epochs: epochs})
			is := math.Sqrt(errors(p, g, rows[0], rows[1])[of])
			if stays++; is < least*(1-0.003) {
				least, stays = is, 0
			}
			if ends := stays >= most; ends != (epochs == len(report.Losses)) {
				t.Errorf("held %v: after %d of %d epochs the error is %v, the least %v", held, epochs, len(report.Losses), is,
					least)
			}
		}
	}
}

// TestProgram_FindsWhatWasPlanted, with slack as well. Without a bound on staleness it finds most of it. How old the
// rows are that a worker reads is then up to a pretended cluster, not to the machine and its load.
func TestProgram_FindsWhatWasPlanted(t *testing.T) {
	r := testseed.Rand(t)
	const noise = 0.1
	g := planted(r, 300, 80, 0.5, noise, 0.1)
	p := wanted(g, Params{Rank: 4, L2: 0.01, BiasL2: 1, Tolerance: 1e-4, Seed: r.Uint64()})
	held, sum, squares := 0.0, 0.0, 0.0
	for _, rating := range g.Edges {
		if rating.Held() {
			held++
			sum += float64(rating.Value())
			squares += float64(rating.Value()) * float64(rating.Value())
		}
	}
	deviation := math.Sqrt(squares/held - sum/held*sum/held)
	for _, c := range []struct {
		mega.Options
		most float64
	}{
		{mega.Options{}, 1.3 * noise},
		{mega.Options{Workers: 4, Batch: 500}, 1.3 * noise},
		{mega.Options{Workers: 4, Batch: 500, Slack: 2}, 1.3 * noise},
		{mega.Options{Workers: 3, Batch: 500, Slack: mega.Asynchronous,
			Cluster: mega.Cluster{Edge: time.Microsecond, Straggler: 2}}, deviation / 4},
	} {
		c.Epochs = 40
		var rows [2][][]float64
		synctest.Test(t, func(t *testing.T) { rows, _ = run(t, p, g, c.Options) })
		if is := math.Sqrt(errors(p, g, rows[0], rows[1])[1] / held); is > c.most {
			t.Errorf("%d workers, slack %d: the error is %.4f, above %.4f; the noise %v, the deviation %.4f",
				c.Workers, c.Slack, is, c.most, noise, deviation)
		}
	}
}

// TestJoin: sides are merged evenly, and each edge is at both ends, what is held out behind the edge to oneself.
func TestJoin(t *testing.T) {
	r := testseed.Rand(t)
	for range 50 {
		g := planted(r, 1+r.IntN(40), 1+r.IntN(40), r.Float64(), 1, 0.3)
		j := Join(g)
		edges := map[[2]uint32]mf.Rating{}
		for u := range g.Lefts() {
			for i := g.Offsets[u]; i < g.Offsets[u+1]; i++ {
				x, y := j.Users[u], j.Items[g.Targets[i]]
				edges[[2]uint32{x, y}], edges[[2]uint32{y, x}] = g.Edges[i], g.Edges[i]
			}
		}
		of, most, ofUsers := [2]int64{}, int64(0), map[uint32]bool{}
		for _, x := range j.Users {
			ofUsers[x] = true
		}
		for x := range j.Lefts() {
			behind := false
			for i := j.Offsets[x]; i < j.Offsets[x+1]; i++ {
				y, rating := j.Targets[i], j.Edges[i]
				switch {
				case rating == own && int(y) == x && !behind:
					behind = true
				case rating == own || rating != edges[[2]uint32{uint32(x), y}] || rating.Held() != behind:
					t.Fatalf("vertex %d has an edge %v to %d", x, rating, y)
				default:
					delete(edges, [2]uint32{uint32(x), y})
				}
			}
			degree := j.Offsets[x+1] - j.Offsets[x]
			most = max(most, degree)
			if ofUsers[uint32(x)] {
				of[0] += degree
			} else {
				of[1] += degree
			}
			slack := most + int64(j.Lefts()) // where one side has come to its end, the other's vertices without edges follow
			if of[0] > of[1]+slack || of[1] > of[0]+slack {
				t.Fatalf("up to vertex %d there are %v edges", x, of)
			}
		}
		if len(edges) > 0 {
			t.Errorf("%d edges are missing", len(edges))
		}
	}
}

// TestProgram_GoesOn: interrupted after each epoch, and gone on with by another process, it ends with the same epoch
// and bits.
func TestProgram_GoesOn(t *testing.T) {
	r := testseed.Rand(t)
	g := planted(r, 60, 40, 0.5, 0.5, 0.2)
	p := wanted(g, Params{Rank: 3, L2: 0.1, BiasL2: 1, Tolerance: 0.003, Seed: 1, Workers: 2})
	o := mega.Options{Workers: 2, Epochs: 50, Batch: 100}
	whole := Join(g)
	want, report, err := mega.Run(t.Context(), Program(p, whole), &whole.Graph, o)
	if err != nil || !report.Done {
		t.Fatal(report.Done, err)
	}
	o.Pause = func() bool { return true }
	room := make([]byte, 1<<20)
	for kept := 0; ; {
		j := Join(g)
		c, err := mega.Start(Program(p, j), &j.Graph, o)
		if err == nil && kept > 0 {
			err = c.Restore(room[:kept])
		}
		if err != nil {
			t.Fatal(err)
		}
		done, err := c.Continue(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !done {
			if kept, err = c.Save(room); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got := c.Report().Losses; !slices.Equal(got, report.Losses) || !slices.Equal(c.State().Right, want.Right) {
			t.Errorf("it comes to %v, without interruption to %v", got, report.Losses)
		}
		return
	}
}

// In another unit ratings are learned as they are in the first: to the bit, where its root is a power of two.
func TestProgram_Unit(t *testing.T) {
	r := testseed.Rand(t)
	for range 10 {
		seed, density := r.Uint64(), 0.1+r.Float64()/2
		said := func(times float64) (all []float64) {
			g := planted(rand.New(rand.NewPCG(seed, 1)), 20, 15, density, 0.3, 0)
			for i, rating := range g.Edges {
				g.Edges[i] = mf.Of(float32(times*float64(rating.Value())), false)
			}
			p := wanted(g, Params{Rank: 3, BiasL2: 5, Seed: 7})
			p.L2 = Penalty * mf.Unit(p.Variance)
			joined := Join(g)
			s, _, err := mega.Run(t.Context(), Program(p, joined), &joined.Graph, mega.Options{Workers: 1, Epochs: 3})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range s.Right {
				all = append(all, float64(x))
			}
			return all
		}
		one := said(1)
		for _, times := range []float64{16, 256, 1. / 64} {
			for i, x := range said(times) {
				want := one[i] * math.Sqrt(times)
				if i%(Factors+3) == Bias {
					want = one[i] * times
				}
				if x != want {
					t.Fatalf("in a unit %v times as small a number is %v, not %v", times, x, want)
				}
			}
		}
	}
}
