package mega

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// skewed is a bipartite graph whose left vertices have 1 to 19 edges, to right ones that are popular as by Zipf's law.
// Edges have their numbers.
func skewed(r *rand.Rand, lefts, rights int) *Graph[int64] {
	zipf := rand.NewZipf(r, 1.1, 4, uint64(rights-1))
	g := &Graph[int64]{Rights: rights, Offsets: []int64{0}}
	for range lefts {
		for range 1 + r.IntN(19) {
			g.Edges = append(g.Edges, int64(len(g.Edges)))
			g.Targets = append(g.Targets, uint32(zipf.Uint64()))
		}
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	return g
}

func copyOf(g *Graph[int64]) *Graph[int64] {
	return &Graph[int64]{g.Rights, g.Offsets, slices.Clone(g.Targets), slices.Clone(g.Edges), g.Sets}
}

// wandering is a program of integers both of whose ends travel and have values of their own, and that depends on what
// is read, and when. Edge i of the graph is at partition places[i].
func wandering(places []int) *Program[int64, int64, int64] {
	var mu sync.Mutex
	return &Program[int64, int64, int64]{
		Name: "wandering", Left: Rows{Shared: 1, Mirror: 1}, Right: Rows{Shared: 1, Mirror: 1},
		StartLeft:  func(u int, row []int64) { row[0] = int64(u) },
		StartRight: func(v int, row []int64) { row[0] = int64(v) * 7 },
		Exchange: func(w *Worker[int64], u, v []int64, edge *int64) {
			mu.Lock()
			places[*edge] = w.Number
			mu.Unlock()
			wander(u, v, *edge)
		},
		Stages: []Stage{MiniBatch(Exchange(), Sync())},
	}
}

func wander(u, v []int64, edge int64) {
	u[1]++
	v[1] += u[1]
	u[0] = u[0]*31%10007 + v[0] + v[1]
	v[0] += u[0]%1009 + edge
}

// splitOracle runs wandering plainly, by where edges were seen to be: in each clock all workers read what was before
// it, and then what they changed is added.
func splitOracle(g *Graph[int64], o Options, places []int) (left, right []int64) {
	left, right = make([]int64, g.Lefts()), make([]int64, g.Rights)
	for u := range left {
		left[u] = int64(u)
	}
	for v := range right {
		right[v] = int64(v) * 7
	}
	type edge struct{ u, v, i int64 }
	parts := make([][]edge, o.Workers)
	for u := range g.Lefts() {
		for i := g.Offsets[u]; i < g.Offsets[u+1]; i++ {
			parts[places[i]] = append(parts[places[i]], edge{int64(u), int64(g.Targets[i]), i})
		}
	}
	own := make([][2]map[int64]int64, o.Workers)
	for k := range own {
		own[k] = [2]map[int64]int64{{}, {}}
	}
	for range o.Epochs {
		for b := range o.Batches {
			newLeft, newRight := slices.Clone(left), slices.Clone(right)
			for k, edges := range parts {
				l, r := slices.Clone(left), slices.Clone(right)
				for _, e := range edges[len(edges)*b/o.Batches : len(edges)*(b+1)/o.Batches] {
					u, v := []int64{l[e.u], own[k][0][e.u]}, []int64{r[e.v], own[k][1][e.v]}
					wander(u, v, e.i)
					l[e.u], own[k][0][e.u], r[e.v], own[k][1][e.v] = u[0], u[1], v[0], v[1]
				}
				for i := range l {
					newLeft[i] += l[i] - left[i]
				}
				for i := range r {
					newRight[i] += r[i] - right[i]
				}
			}
			left, right = newLeft, newRight
		}
	}
	return left, right
}

// Whatever the cut, a run without slack comes to the oracle's bits, mirrors on both sides being counted as edges were
// seen to lie, each in one partition; also when it was interrupted and gone on with from what was kept.
func TestCut_RunsAndCounts(t *testing.T) {
	r := testseed.Rand(t)
	for range 100 {
		for _, cut := range append(Cuts(), "") {
			g := skewed(r, 1+r.IntN(60), 1+r.IntN(40))
			o := Options{Workers: 1 + r.IntN(6), Epochs: 1 + r.IntN(4), Batches: 1 + r.IntN(4), Cut: cut, Seed: r.Uint64()}
			places := make([]int, len(g.Edges))
			state, report, err := Run(t.Context(), wandering(places), copyOf(g), o)
			if err != nil {
				t.Fatal(err)
			}
			left, right := splitOracle(g, o, places)
			for u, want := range left {
				if state.Left[2*u] != want {
					t.Fatalf("%+v: left vertex %d has %d, want %d", o, u, state.Left[2*u], want)
				}
			}
			if !slices.Equal(state.Right, right) {
				t.Fatalf("%+v: right rows %v, want %v", o, state.Right, right)
			}
			checkCounts(t, g, o, places, report)
			again := interruptedRun(t, r, g, o)
			if !slices.Equal(again.Left, state.Left) || !slices.Equal(again.Right, state.Right) {
				t.Fatalf("%+v: other bits when it is interrupted", o)
			}
		}
	}
}

// interruptedRun is wandering that each epoch another run goes on with.
func interruptedRun(t *testing.T, r *rand.Rand, g *Graph[int64], o Options) *State[int64, int64] {
	t.Helper()
	o.Pause = func() bool { return r.IntN(2) == 0 }
	var kept []byte
	for {
		c, err := Start(wandering(make([]int, len(g.Edges))), copyOf(g), o)
		if err == nil && kept != nil {
			err = c.Restore(kept)
		}
		done := false
		if err == nil {
			done, err = c.Continue(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		if done {
			return c.State()
		}
		room := make([]byte, 1<<18)
		n, err := c.Save(room)
		if err != nil {
			t.Fatal(err)
		}
		kept = room[:n]
	}
}

// checkCounts compares what a report says with the places at which edges were seen.
func checkCounts(t *testing.T, g *Graph[int64], o Options, places []int, r Report) {
	t.Helper()
	type copyAt struct {
		vertex uint32
		part   int
	}
	var lefts, rights = map[copyAt]bool{}, map[copyAt]bool{}
	leftMasters, rightMasters := map[uint32]bool{}, map[uint32]bool{}
	edges := make([]uint64, o.Workers)
	for u := range g.Lefts() {
		for i := g.Offsets[u]; i < g.Offsets[u+1]; i++ {
			lefts[copyAt{uint32(u), places[i]}], rights[copyAt{g.Targets[i], places[i]}] = true, true
			leftMasters[uint32(u)], rightMasters[g.Targets[i]] = true, true
			edges[places[i]]++
		}
	}
	if r.Left != (Side{len(leftMasters), len(lefts)}) || r.Right != (Side{len(rightMasters), len(rights)}) {
		t.Fatalf("%+v: it says %+v and %+v, and there are %d of %d, %d of %d", o, r.Left, r.Right, len(lefts),
			len(leftMasters), len(rights), len(rightMasters))
	}
	for k, w := range r.Workers {
		if w.Edges != edges[k]*uint64(o.Epochs) {
			t.Fatalf("%+v: worker %d went along %d edges, of %d each epoch", o, k, w.Edges, edges[k])
		}
	}
	if !o.Cut.Splits() && r.Left.Mirrors != r.Left.Masters {
		t.Errorf("%s has mirrors of left vertices", o.Cut)
	}
	if o.Cut == BipartiteRight && r.Right.Mirrors != r.Right.Masters {
		t.Errorf("%s has mirrors of right vertices", o.Cut)
	}
}

// On skewed graphs with more left vertices than right ones the hybrid cut needs fewer mirrors than a random one, and
// one that is aware of the two sides fewer still; so with bytes that workers exchange. Partitions are not empty.
func TestCut_MirrorsAndBytes(t *testing.T) {
	r := testseed.Rand(t)
	for range 20 {
		workers := 2 + r.IntN(7)
		g := skewed(r, 3000+r.IntN(2000), 100+r.IntN(300))
		var mirrors, bytes [3]float64
		for i, cut := range []Cut{Random, Hybrid, Bipartite} {
			o := Options{Workers: workers, Epochs: 2, Batches: 2, Cut: cut}
			_, report, err := Run(t.Context(), wandering(make([]int, len(g.Edges))), copyOf(g), o)
			if err != nil {
				t.Fatal(err)
			}
			mirrors[i] = float64(report.Left.Mirrors+report.Right.Mirrors) / float64(report.Left.Masters+report.Right.Masters)
			for _, w := range report.Workers {
				bytes[i] += float64(w.Traffic.Pushed + w.Traffic.Pulled)
				if float64(w.Edges) < float64(2*len(g.Edges)/workers)/4 {
					t.Errorf("%s: a worker of %d has %d edges of %d", cut, workers, w.Edges/2, len(g.Edges))
				}
			}
		}
		t.Logf("%d workers: random %.2f, hybrid %.2f, bipartite %.2f mirrors a vertex; %.0f, %.0f, %.0f bytes", workers,
			mirrors[0], mirrors[1], mirrors[2], bytes[0], bytes[1], bytes[2])
		for _, x := range [][3]float64{mirrors, bytes} {
			if x[1] > x[0] || x[2] > x[1] {
				t.Errorf("%d workers: mirrors %v, bytes %v", workers, mirrors, bytes)
				break
			}
		}
	}
}

// Where right vertices are many, of few edges each, to cut by them needs fewer mirrors and bytes than by left ones, and
// partitions are about as large.
func TestCut_RightSideFavored(t *testing.T) {
	r := testseed.Rand(t)
	for range 20 {
		workers := 2 + r.IntN(7)
		g := transposed(skewed(r, 3000+r.IntN(2000), 100+r.IntN(300)))
		var mirrors [2]int
		var bytes [2]uint64
		for i, cut := range []Cut{BipartiteRight, Bipartite} {
			o := Options{Workers: workers, Epochs: 2, Batches: 2, Cut: cut}
			_, report, err := Run(t.Context(), wandering(make([]int, len(g.Edges))), copyOf(g), o)
			if err != nil {
				t.Fatal(err)
			}
			mirrors[i] = report.Left.Mirrors + report.Right.Mirrors
			for _, w := range report.Workers {
				bytes[i] += w.Traffic.Pushed + w.Traffic.Pulled
				if even := float64(2*len(g.Edges)) / float64(workers); i == 0 && math.Abs(float64(w.Edges)-even) > even/20 {
					t.Errorf("a worker of %d has %d edges of %d", workers, w.Edges/2, len(g.Edges))
				}
			}
		}
		if mirrors[0] >= mirrors[1] || bytes[0] >= bytes[1] {
			t.Errorf("%d workers: mirrors %v, bytes %v", workers, mirrors, bytes)
		}
	}
}

// transposed is a graph from its right vertices to its left ones.
func transposed(g *Graph[int64]) *Graph[int64] {
	lists := make([][]uint32, g.Rights)
	for u := range g.Lefts() {
		for _, v := range g.Targets[g.Offsets[u]:g.Offsets[u+1]] {
			lists[v] = append(lists[v], uint32(u))
		}
	}
	back := &Graph[int64]{Rights: g.Lefts(), Offsets: []int64{0}}
	for _, list := range lists {
		for _, u := range list {
			back.Edges = append(back.Edges, int64(len(back.Edges)))
			back.Targets = append(back.Targets, u)
		}
		back.Offsets = append(back.Offsets, int64(len(back.Targets)))
	}
	return back
}

// With slack nothing that is changed gets lost on either side.
func TestCut_Slack(t *testing.T) {
	r := testseed.Rand(t)
	for range 60 {
		g := skewed(r, 1+r.IntN(60), 1+r.IntN(40))
		p := counting()
		p.Left = Rows{Shared: 1}
		p.Exchange = func(_ *Worker[int64], u, v []int64, _ *int64) {
			u[0]++
			v[0]++
		}
		o := Options{Workers: 1 + r.IntN(6), Epochs: 1 + r.IntN(4), Batches: 1 + r.IntN(4), Slack: r.IntN(5) - 1,
			Cut: Cuts()[r.IntN(len(Cuts()))]}
		if r.IntN(3) == 0 {
			o.Cluster.Latency = 1
		}
		state, _, err := Run(t.Context(), p, copyOf(g), o)
		if err != nil {
			t.Fatal(err)
		}
		for u, n := range state.Left {
			if n != int64(o.Epochs)*(g.Offsets[u+1]-g.Offsets[u]) {
				t.Fatalf("%+v: left vertex %d has counted %d", o, u, n)
			}
		}
	}
}

// Cuts that split are refused where the program needs its left vertices whole, as are cuts that there are not.
func TestCut_Refusals(t *testing.T) {
	start := func(p *Program[int64, int64, int64], c Cut) error {
		_, err := Start(p, everyOne(2, 3), Options{Workers: 2, Epochs: 1, Cut: c})
		return err
	}
	visiting, keeps, wide := wandering(nil), wandering(nil), wandering(nil)
	visiting.Visit = func(*Worker[int64], []int64) {}
	visiting.Stages = append(visiting.Stages, Visit(), Sync())
	keeps.Keeps.Edges, wide.Left.Master = true, 1
	other := &Program[int32, int64, int64]{Name: "other", Left: Rows{Shared: 1}, Stages: []Stage{Sync()}}
	_, types := Start(other, everyOne(2, 3), Options{Epochs: 1, Cut: Random})
	for name, err := range map[string]error{"whole": start(counting(), Hybrid), "visits": start(visiting, Random),
		"keeps": start(keeps, Random), "wide": start(wide, Bipartite), "unknown": start(counting(), "metis"), "types": types} {
		var typed *Error
		if !errors.As(err, &typed) || typed.Do == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if x := (Side{2, 5}).Replication(); math.Abs(x-2.5) > 0 {
		t.Errorf("5 mirrors of 2 vertices are %v each", x)
	}
}
