package solve

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/cuda/lower"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// adding is a program that sums, with a rank's Apply.
func adding(process string) *algorithms.Program {
	return &algorithms.Program{Name: "adding", Process: algorithms.Expr{Source: process}, Reduce: algorithms.Sum,
		Activity: algorithms.Always, Norm: algorithms.L1, MaxIterations: 4,
		State: []algorithms.State{{Name: "x", Type: algorithms.Float, Init: algorithms.Expr{Source: "1.0 / double(n)"},
			Apply: algorithms.Expr{Source: "0.15 / double(n) + 0.85 * (acc + agg.dangling / double(n))"}}},
		Aggregates: []algorithms.Aggregate{{Name: "dangling",
			Expr: algorithms.Expr{Source: "self.out_degree == 0 ? self.x : 0.0"}}}}
}

// changing sends of those who have changed alone, and may end before its bound. Its limit is none that sums hit,
// whatever their order.
func changing(process string) *algorithms.Program {
	p := adding(process)
	p.Activity, p.Norm, p.MaxIterations, p.Aggregates = algorithms.Changed, algorithms.NoNorm, 6, nil
	p.State[0].Init.Source, p.State[0].Apply.Source = "id % 3 == 0 ? 1.0 : 0.0", "acc > 2.0317 ? acc / 4.0 : 0.0"
	return p
}

var adders = []func() *algorithms.Program{
	func() *algorithms.Program { return adding("src.x / double(src.out_degree)") },
	func() *algorithms.Program { return adding("src.x") },
	func() *algorithms.Program { p := adding("0.1 * src.x * edge.weight"); p.Exactly = true; return p },
	func() *algorithms.Program { return adding("src.x + edge.weight") },
	func() *algorithms.Program { return both(adding("min(src.x, edge.weight)")) },
	func() *algorithms.Program {
		p := adding("max(src.x, edge.weight)")
		p.Edges = algorithms.Backward
		return p
	},
	func() *algorithms.Program { return changing("src.x") },
	func() *algorithms.Program { return changing("src.x * edge.weight") },
	func() *algorithms.Program {
		p := adding("single(src.x)")
		p.Norm, p.Tolerance, p.MaxIterations = algorithms.LInf, 1e-3, 20
		return p
	},
}

// adder is a program on the card, with its kernels.
type adder struct {
	*rig
	template *kernels.Template
	state    kernels.State
}

// load has p and g on the card: rows receive.
func (r *rig) load(g *algorithms.Graph, p *algorithms.Program) *adder {
	r.lay(g, p)
	lowered, err := lower.Lower(p)
	r.must(err)
	a := &adder{rig: r}
	a.template, err = kernels.LoadTemplate(p, lowered.PTX)
	r.must(err)
	r.Cleanup(func() { r.must(a.template.Unload()) })
	n := g.N()
	degrees := func(lists algorithms.Lists) driver.Pointer {
		all := make([]int64, n)
		for v := range all {
			all[v] = int64(lists.Degree(v))
		}
		return onCard(r, all...)
	}
	set := uint64(8 * bitmap.Words(n))
	r.program = kernels.Program{Vertices: uint64(n), Reduce: uint64(p.Reduce), Activity: uint64(p.Activity),
		Norm:      uint64(p.Norm),
		Constants: onCard(r, append(lowered.Constants, 0)...), Aggregates: r.alloc(64), Acc: r.alloc(uint64(8 * n)),
		Active: r.alloc(set), NextActive: r.alloc(set), Counters: onCard(r, kernels.Counters{})}
	r.program.Columns = [kernels.MaxColumns]driver.Pointer{onCard(r, g.IDs...), degrees(g.Out), degrees(g.In),
		r.alloc(uint64(8 * n))}
	own, column := a.template.Messages()
	if own {
		r.program.Messages = r.alloc(uint64(8 * n))
	} else if column >= 0 {
		r.program.Messages = r.program.Columns[column]
	}
	edges := uint64(2 * len(g.Out.Neighbors))
	r.at = onCard(r, r.program)
	a.state = kernels.State{Program: r.at, Vertices: uint64(n), Scratch: r.alloc(kernels.Scratch(edges))}
	r.must(a.template.Begin(r.stream, a.state, edges))
	return a
}

// step is the program chunk by chunk, to its end.
func (a *adder) step() (iterations int) {
	a.must(a.template.Init(a.stream, a.state))
	for over := false; !over; {
		iterations++
		a.must(a.template.Prepare(a.stream, a.state))
		for i := range a.chunks {
			a.must(a.template.Step(a.stream, a.state, a.program.Active, &a.chunks[i]))
		}
		a.must(a.template.Apply(a.stream, a.state, 0, a.state.Vertices))
		c := fromCard[kernels.Counters](a.rig, a.program.Counters, 1)[0]
		settled := c.Active == 0 || a.spec.Norm != algorithms.NoNorm && c.Change <= a.spec.Tolerance
		over = iterations == a.spec.Bound(a.state.Vertices) || settled && !a.spec.Exactly
	}
	return iterations
}

// sum is the program by its solver.
func (a *adder) sum() {
	a.Helper()
	solver, ok := For(a.spec, a.shape())
	if _, sums := solver.(sums); !ok || !sums {
		a.Fatalf("%s has solver %T", a.spec.Process.Source, solver)
	}
	a.must(a.template.Init(a.stream, a.state))
	solved, err := a.start(context.Background(), solver, func(j *Job) { j.Template, j.State = a.template, a.state })
	if err != nil || !solved {
		a.Fatalf("solved %v, %v", solved, err)
	}
}

// agree holds the solver against Step, to the last bit, and both against the definition.
func (a *adder) agree() {
	a.Helper()
	iterations := a.step()
	stepped, active := a.first(), a.active()
	a.sum()
	a.sameAs(stepped)
	last := a.told[len(a.told)-1]
	if len(a.told) != iterations || last.Number != iterations || !last.Converged || !slices.Equal(active, a.active()) {
		a.Fatalf("%s: told %+v, want %d iterations", a.spec.Process.Source, a.told, iterations)
	}
	if a.edges != uint64(iterations)*edgesOf(a.chunks) {
		a.Fatalf("%d edges in %d iterations", a.edges, iterations)
	}
	want, _, err := algorithms.RunProgram(a.graph, a.spec)
	a.must(err)
	for v, x := range a.first().Floats {
		if w := want[0].Floats[v]; x != w && !(math.Abs(x-w) <= 1e-9*math.Abs(w)) {
			a.Fatalf("%s (directed %v, %d vertices, %d by %d chunks, activity %d): vertex %d has %g, want %g",
				a.spec.Process.Source, a.graph.Directed, a.graph.N(), a.stripes, a.columns, a.spec.Activity, v, x, w)
		}
	}
}

func edgesOf(chunks []kernels.Resident) (all uint64) {
	for _, c := range chunks {
		all += c.Edges
	}
	return all
}

// TestSums has all chunks at a time agree with one by one.
func TestSums(t *testing.T) {
	random := testseed.Rand(t)
	for _, program := range adders {
		rig := newRig(t)
		for range 3 {
			rig.stripes, rig.columns = 1+random.IntN(4), 1+random.IntN(3)
			rig.load(tame(randomGraph(random, 1+random.IntN(400))), program()).agree()
		}
	}
}

// tame makes weights small: sums of huge ones differ by the order of addition.
func tame(g *algorithms.Graph) *algorithms.Graph {
	for _, lists := range []algorithms.Lists{g.Out, g.In} {
		for i, w := range lists.Columns["weight"] {
			lists.Columns["weight"][i] = math.Mod(w, 1)
		}
	}
	return g
}

// TestSums_LongRows has rows of several parts, and rows for a warp, in several chunks, of one wave and of two.
func TestSums_LongRows(t *testing.T) {
	random, rig := testseed.Rand(t), newRig(t)
	ids := make([]int64, 700)
	for v := range ids {
		ids[v] = int64(v)
	}
	var edges []algorithms.Edge
	for hub := range 3 {
		for range 5000 + 5000*hub {
			edges = append(edges, edge(random, random.IntN(700), 300*hub))
		}
	}
	for v := range 40 { // beside one another, for a warp each
		for range 250 + v {
			edges = append(edges, edge(random, random.IntN(700), 100+v))
		}
	}
	for _, rig.columns = range []int{1, 2} {
		rig.stripes = 2
		p := adding("src.x * edge.weight")
		p.MaxIterations = 2
		rig.load(tame(algorithms.NewGraph(true, ids, edges)), p).agree()
	}
}

// TestWaves puts no two chunks with a vertex in common into a wave, and leaves them in their order.
func TestWaves(t *testing.T) {
	random := testseed.Rand(t)
	for range 200 {
		chunks := randomChunks(random)
		number := map[uint32]int{}
		count := 0
		for i, w := range wavesOf(chunks) {
			for _, r := range w.chunks {
				number[r.Number], count = i, count+1
			}
		}
		for i, a := range chunks {
			for _, b := range chunks[i+1:] {
				if a.Edges > 0 && b.Edges > 0 && overlap(a.Interval, b.Interval) && number[a.Number] >= number[b.Number] {
					t.Fatalf("chunks of %v and %v are in waves %d and %d", a.Interval, b.Interval, number[a.Number], number[b.Number])
				}
			}
			if a.Edges > 0 {
				count--
			}
		}
		if count != 0 {
			t.Fatalf("%d chunks too many", count)
		}
	}
}

func overlap(a, b chunk.Interval) bool { return max(a.Base, b.Base) < min(a.End(), b.End()) }

// TestSums_WithoutTemplate leaves the state alone where there are no kernels of the program.
func TestSums_WithoutTemplate(t *testing.T) {
	random, rig := testseed.Rand(t), newRig(t)
	a := rig.load(randomGraph(random, 10), adding("src.x"))
	a.must(a.template.Init(a.stream, a.state))
	solver, _ := For(a.spec, plugins.Graph{Vertices: 10, Edges: 100})
	if solved, err := a.start(context.Background(), solver, func(*Job) {}); solved || err != nil || len(a.told) > 0 {
		t.Fatalf("solved %v, %v, told %v", solved, err, a.told)
	}
}
