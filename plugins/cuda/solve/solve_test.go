package solve

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

func TestMain(m *testing.M) { softcuda.Main(m) }

// spread is a program whose first column is sent and improved.
func spread(t algorithms.Type, reduce algorithms.Reduce, init, process string) *algorithms.Program {
	return &algorithms.Program{Name: "spread", State: []algorithms.State{{Name: "x", Type: t,
		Init: algorithms.Expr{Source: init}}},
		Process: algorithms.Expr{Source: process}, Reduce: reduce, Order: algorithms.Monotone,
		Constants: []algorithms.Constant{{Name: "source", Type: algorithms.VertexID, Int: 100}}}
}

// programs are those of each solver, in several words, with others that they must leave alone.
var programs = []struct {
	solver  Solver // of the type that is wanted; nil: none
	program func() *algorithms.Program
}{
	{flood{}, func() *algorithms.Program {
		return spread(algorithms.Int, algorithms.Min, "id == source ? 0 : unreached", "src.x + 1")
	}},
	{flood{}, func() *algorithms.Program {
		return spread(algorithms.Int, algorithms.Max, "id % 7 != 3 ? -9223372036854775808 : 50", "-1 + src.x")
	}},
	{flood{}, func() *algorithms.Program {
		return spread(algorithms.Float, algorithms.Min, "id == source ? 0.1 : inf", "src.x + 0.1")
	}},
	{flood{}, func() *algorithms.Program {
		return spread(algorithms.Float, algorithms.Max, "id == source ? inf : -inf", "src.x")
	}},
	{flood{}, func() *algorithms.Program { return spread(algorithms.Bool, algorithms.Or, "id == source", "src.x") }},
	{flood{}, func() *algorithms.Program {
		p := spread(algorithms.Bool, algorithms.And, "out_degree != 1", "src.x")
		p.State[0].Apply.Source = "acc && self.x"
		return p
	}},
	{forest{}, func() *algorithms.Program { return both(spread(algorithms.VertexID, algorithms.Min, "id", "src.x")) }},
	{forest{}, func() *algorithms.Program {
		return both(spread(algorithms.Int, algorithms.Max, "id * 7 % 64 - 20", "src.x"))
	}},
	{forest{}, func() *algorithms.Program {
		return both(spread(algorithms.Float, algorithms.Max, "double(id % 9) - 4.0", "src.x"))
	}},
	{forest{}, func() *algorithms.Program {
		return both(spread(algorithms.Float, algorithms.Min, "id == 105 ? 0.0 / 0.0 : -0.0 * double(id % 2)", "src.x"))
	}},
	{nearFar{}, func() *algorithms.Program {
		return spread(algorithms.Float, algorithms.Min, "id == source ? 0.0 : inf", "src.x + edge.weight")
	}},
	{nearFar{}, func() *algorithms.Program {
		return spread(algorithms.Float, algorithms.Min, "id % 5 == 0 ? double(id) : inf", "edge.weight + src.x")
	}},
	{nil, func() *algorithms.Program {
		return spread(algorithms.Int, algorithms.Min, "id == source ? 0 : unreached", "src.x - 1")
	}},
	{nil, func() *algorithms.Program {
		return spread(algorithms.Int, algorithms.Min, "id == source ? 0 : unreached", "src.x + -1")
	}},
	{nil, func() *algorithms.Program {
		return spread(algorithms.Int, algorithms.Min, "id == source ? id : unreached", "src.x + 1")
	}},
	{nil, func() *algorithms.Program {
		return spread(algorithms.Int, algorithms.Min, "id == source ? 0 : 1", "src.x + 1")
	}},
	{nil, func() *algorithms.Program {
		return spread(algorithms.Float, algorithms.Max, "id == source ? -0.0 : -inf", "src.x + 0.0")
	}},
	{nil, func() *algorithms.Program {
		return spread(algorithms.Float, algorithms.Min, "id == source ? 0.0 : inf", "src.x + 1e305")
	}},
	{nil, func() *algorithms.Program {
		return spread(algorithms.Float, algorithms.Min, "id == source ? 0.0 : inf", "src.x * edge.weight")
	}},
	{nil, func() *algorithms.Program {
		return spread(algorithms.Float, algorithms.Max, "id == source ? 0.0 : -inf", "src.x + edge.weight")
	}},
	{nil, func() *algorithms.Program {
		p := spread(algorithms.Int, algorithms.Min, "id == source ? 0 : unreached", "src.x + 1")
		p.Activity = algorithms.Always
		return p
	}},
	{nil, func() *algorithms.Program {
		p := spread(algorithms.Int, algorithms.Min, "id == source ? 0 : unreached", "src.x + 1")
		p.State[0].Apply.Source = "min(self.x, acc + 1)"
		return p
	}},
	{nil, func() *algorithms.Program {
		p := spread(algorithms.Float, algorithms.Min, "id == source ? 0.0 : inf", "src.x + edge.weight")
		p.MaxIterations = 3
		return p
	}},
}

func both(p *algorithms.Program) *algorithms.Program {
	p.Edges = algorithms.BothSides
	return p
}

// TestFor finds the solver that a program's expressions ask for, whatever its name.
func TestFor(t *testing.T) {
	for _, want := range programs {
		p := want.program()
		if err := algorithms.Check(p, []string{"weight"}); err != nil {
			t.Fatal(err)
		}
		got, ok := For(p, plugins.Graph{Vertices: 10, Directed: true})
		if ok != (want.solver != nil) || ok && fmt.Sprintf("%T", got) != fmt.Sprintf("%T", want.solver) {
			t.Errorf("%s, %s: solver %T, want %T", p.State[0].Init.Source, p.Process.Source, got, want.solver)
		}
	}
	p := spread(algorithms.VertexID, algorithms.Min, "id", "src.x")
	if err := algorithms.Check(p, nil); err != nil {
		t.Fatal(err)
	}
	if got, ok := For(p, plugins.Graph{Vertices: 10, Directed: true}); ok {
		t.Errorf("labels that go one way have solver %T", got)
	}
	if _, ok := For(p, plugins.Graph{Vertices: 10}); !ok {
		t.Error("labels on an undirected graph have no solver")
	}
}

// randomGraph has loops, parallel edges, hubs and vertices without edges. Some weights are 0. It has an edge, for
// without any there are no weights to speak of.
func randomGraph(r *rand.Rand, n int) *algorithms.Graph {
	ids := make([]int64, n)
	for v := range ids {
		ids[v] = int64(100 + v)
	}
	shuffle := r.IntN(2) == 0
	if shuffle {
		r.Shuffle(n, func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	}
	var edges []algorithms.Edge
	for range 1 + r.IntN(4*n) {
		src, dst := r.IntN(n), r.IntN(n)
		if r.IntN(3) == 0 {
			src /= 16
		}
		edges = append(edges, edge(r, src, dst))
	}
	return algorithms.NewGraph(r.IntN(2) == 0, ids, edges)
}

func edge(r *rand.Rand, src, dst int) algorithms.Edge {
	w := []float64{0, 1, 0.1, r.Float64(), 10 * r.ExpFloat64(), 1e-300, 1e308}[r.IntN(7)]
	return algorithms.Edge{Src: uint32(src), Dst: uint32(dst), Weights: map[string]float64{"weight": w}}
}

// sameAs fails unless the card's state has the bits that the definition gives.
func (r *rig) sameAs(want algorithms.Values) {
	r.Helper()
	got := r.first()
	for v := range r.graph.N() {
		if g, w := bitsAt(got, v), bitsAt(want, v); g != w && (!isNaN(got, v) || !isNaN(want, v)) {
			r.Fatalf("%s on %d vertices, %d by %d chunks: vertex %d has %x, want %x", r.spec.Process.Source, r.graph.N(),
				r.stripes, r.columns, v, g, w)
		}
	}
}

func isNaN(x algorithms.Values, v int) bool { return x.Floats != nil && math.IsNaN(x.Floats[v]) }

// TestRandom has each solver agree with the definition on random graphs cut in several ways, to the last bit.
func TestRandom(t *testing.T) {
	random := testseed.Rand(t)
	for _, c := range programs {
		if c.solver == nil {
			continue
		}
		t.Run(fmt.Sprintf("%T %s", c.solver, c.program().Process.Source), func(t *testing.T) {
			rig := newRig(t)
			for range 6 {
				p := c.program()
				if p.Edges != algorithms.BothSides {
					p.Edges = algorithms.Edges(random.IntN(3))
				}
				rig.stripes, rig.columns = 1+random.IntN(4), 1+random.IntN(2)
				rig.lay(randomGraph(random, 1+random.IntN(600)), p)
				if solved, err := rig.run(context.Background()); err != nil || !solved {
					t.Fatalf("solved %v, %v", solved, err)
				}
				rig.check()
			}
		})
	}
}

// check holds what a solver has left against the definition.
func (r *rig) check() {
	r.Helper()
	state, iterations, err := algorithms.RunProgram(r.graph, r.spec)
	r.must(err)
	r.sameAs(state[0])
	last := r.told[len(r.told)-1]
	if !last.Converged || last.Active != bitmap.Count(r.active()) {
		r.Fatalf("told %+v, and %d are active", last, bitmap.Count(r.active()))
	}
	if s, _ := For(r.spec, r.shape()); s.Name() == (flood{}).Name() && last.Number != iterations {
		r.Fatalf("%d levels, want %d", last.Number, iterations)
	}
}

// TestBounded has levels end where the program does, tell of each, and leave active who would send next.
func TestBounded(t *testing.T) {
	random, rig := testseed.Rand(t), newRig(t)
	for bound := 1; bound < 5; bound++ {
		p := spread(algorithms.Int, algorithms.Min, "id == source ? 0 : unreached", "src.x + 1")
		p.MaxIterations, p.Exactly = bound, bound%2 == 0
		rig.stripes = bound
		rig.lay(randomGraph(random, 100+random.IntN(400)), p)
		if solved, err := rig.run(context.Background()); err != nil || !solved {
			t.Fatalf("solved %v, %v", solved, err)
		}
		rig.check()
		for i, told := range rig.told {
			if told.Number != i+1 {
				t.Fatalf("iteration %d is told of as number %d", i+1, told.Number)
			}
		}
		rig.senders()
	}
}

// senders holds the active set against those whom the last iteration changed.
func (r *rig) senders() {
	r.Helper()
	after, iterations, err := algorithms.RunProgram(r.graph, r.spec)
	r.must(err)
	shorter := *r.spec
	shorter.MaxIterations, shorter.Exactly = iterations-1, true
	before, _, err := algorithms.RunProgram(r.graph, &shorter)
	r.must(err)
	active := r.active()
	for v := range r.graph.N() {
		if changed := before[0].Ints[v] != after[0].Ints[v]; changed != (active[v/64]>>(v%64)&1 != 0) {
			r.Fatalf("vertex %d: changed %v, and is active otherwise", v, changed)
		}
	}
}

// TestHub has rows that are put off, and levels of very different sizes: bottom up in the second of them.
func TestHub(t *testing.T) {
	random, rig := testseed.Rand(t), newRig(t)
	const n = 20000
	ids := make([]int64, n)
	for v := range ids {
		ids[v] = int64(99 + v) // the source is vertex 1
	}
	var edges []algorithms.Edge
	for v := 1; v < n; v++ {
		edges = append(edges, edge(random, 0, v))
	}
	for range n {
		edges = append(edges, edge(random, random.IntN(n), random.IntN(n)))
	}
	rig.columns = 2
	for _, i := range []int{0, 6, 10} {
		rig.lay(algorithms.NewGraph(false, ids, edges), programs[i].program())
		if solved, err := rig.run(context.Background()); err != nil || !solved {
			t.Fatalf("solved %v, %v", solved, err)
		}
		rig.check()
	}
}

// TestLongRows has more rows to put off at a time than there is room for, of one piece and of several.
func TestLongRows(t *testing.T) {
	random, rig := testseed.Rand(t), newRig(t)
	const n, hubs = 700, 250
	ids := make([]int64, n)
	for v := range ids {
		ids[v] = int64(99 + v) // the source is vertex 1
	}
	var edges []algorithms.Edge
	for v := 2; v < 2+hubs; v++ {
		edges = append(edges, edge(random, 1, v))
		for range 230 + random.IntN(50) + 4000*(v%64/63) {
			edges = append(edges, edge(random, v, random.IntN(n)))
		}
	}
	for _, i := range []int{0, 6, 10} {
		for _, directed := range []bool{false, true} {
			rig.lay(algorithms.NewGraph(directed, ids, edges), programs[i].program())
			if solved, err := rig.run(context.Background()); err != nil || !solved {
				t.Fatalf("solved %v, %v", solved, err)
			}
			rig.check()
		}
	}
}

// TestPath has many levels of one vertex each, more than a launch does.
func TestPath(t *testing.T) {
	random, rig := testseed.Rand(t), newRig(t)
	const n = 300
	ids := make([]int64, n)
	var edges []algorithms.Edge
	for v := range ids {
		ids[v] = int64(100 + v)
		if v > 0 {
			edges = append(edges, edge(random, v-1, v))
		}
	}
	rig.stripes = 3
	for _, i := range []int{0, 2, 6, 10} {
		for _, directed := range []bool{false, true} {
			rig.lay(algorithms.NewGraph(directed, ids, edges), programs[i].program())
			if solved, err := rig.run(context.Background()); err != nil || !solved {
				t.Fatalf("solved %v, %v", solved, err)
			}
			rig.check()
		}
	}
}

// TestRefused has near and far leave the state alone where a weight is negative or NaN, or a first distance.
func TestRefused(t *testing.T) {
	random, rig := testseed.Rand(t), newRig(t)
	for i, weight := range []float64{-1e-300, math.Inf(-1), math.NaN(), 1, 1} {
		g := randomGraph(random, 50)
		at := random.IntN(50)
		g = algorithms.NewGraph(g.Directed, g.IDs, []algorithms.Edge{{Src: uint32(at), Dst: 3,
			Weights: map[string]float64{"weight": weight}}})
		init := []string{"id == source ? 0.0 : inf", "id == source ? -1.0 : inf", "id == source ? -0.0 : inf"}[max(0, i-2)]
		rig.lay(g, spread(algorithms.Float, algorithms.Min, init, "src.x + edge.weight"))
		if solved, err := rig.run(context.Background()); err != nil || solved || len(rig.told) > 0 {
			t.Fatalf("weight %g: solved %v, %v, told %v", weight, solved, err, rig.told)
		}
		none := *rig.spec
		none.Exactly, none.MaxIterations = true, 0
		state, _, err := algorithms.RunProgram(g, &none)
		rig.must(err)
		rig.sameAs(state[0])
		if bitmap.Count(rig.active()) != 1 {
			t.Fatal("who was active has changed")
		}
	}
}

// TestCanceled has a solver end soon after its context.
func TestCanceled(t *testing.T) {
	random, rig := testseed.Rand(t), newRig(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, i := range []int{0, 6, 10} {
		rig.lay(randomGraph(random, 100), programs[i].program())
		if solved, err := rig.run(ctx); solved || err == nil {
			t.Fatalf("%s: solved %v, %v", rig.spec.Process.Source, solved, err)
		}
	}
}

// TestCover holds the bands against a look at every chunk.
func TestCover(t *testing.T) {
	random := testseed.Rand(t)
	for range 200 {
		chunks := randomChunks(random)
		c := coverOf(chunks)
		if c.bases[0] != 0 || !slices.IsSorted(c.bases) {
			t.Fatalf("bands begin at %d", c.bases)
		}
		for v := range uint64(40) {
			band, _ := slices.BinarySearch(c.bases, v+1)
			var want []uint64
			for i, r := range chunks {
				if r.Edges > 0 && r.Interval.Base <= v && v < r.Interval.End() {
					want = append(want, uint64(i))
				}
			}
			if got := c.members[c.firsts[band-1]:c.firsts[band]]; !slices.Equal(got, want) {
				t.Fatalf("vertex %d is in chunks %d, want %d", v, got, want)
			}
		}
	}
}
