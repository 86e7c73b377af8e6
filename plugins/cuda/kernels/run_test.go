package kernels_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/cuda/lower"
)

// run is a program on the card, on a graph cut in chunks at random.
type run struct {
	*card
	spec     *algorithms.Program
	graph    *algorithms.Graph
	template *kernels.Template
	state    kernels.State
	program  kernels.Program
	chunks   []*kernels.Resident
}

func newRun(c *card, rng *rand.Rand, g *algorithms.Graph, program algorithms.Program) *run {
	c.t.Helper()
	return newRunBy(kernels.LoadTemplate, c, rng, g, program)
}

func newRunBy(load func(*algorithms.Program, string) (*kernels.Template, error), c *card, rng *rand.Rand,
	g *algorithms.Graph, program algorithms.Program) *run {
	c.t.Helper()
	program.State, program.Aggregates = slices.Clone(program.State), slices.Clone(program.Aggregates)
	must(c.t, algorithms.Check(&program, g.EdgeColumns()))
	lowered, err := lower.Lower(&program)
	must(c.t, err)
	template, err := load(&program, lowered.PTX)
	must(c.t, err)
	c.t.Cleanup(func() { template.Unload() })
	r := &run{card: c, spec: &program, graph: g, template: template}
	r.allocate(lowered)
	for _, lists := range r.lists() {
		r.cut(rng, lists)
	}
	return r
}

// allocate puts the program on the card.
func (r *run) allocate(lowered *lower.Lowered) {
	n, p := r.graph.N(), &r.program
	*p = kernels.Program{Vertices: uint64(n), Reduce: uint64(r.spec.Reduce), AccType: uint64(lowered.AccType),
		FirstType: uint64(lowered.StateTypes[0]),
		Activity:  uint64(r.spec.Activity), Norm: uint64(r.spec.Norm), Constants: up(r.card, append(lowered.Constants, 0)...),
		Aggregates: r.alloc(8 * 8),
		Acc:        r.words(), Active: r.alloc(uint64(n+63) / 64 * 8), NextActive: r.alloc(uint64(n+63) / 64 * 8),
		Counters: up(r.card, kernels.Counters{})}
	p.Columns[kernels.ColumnID] = up(r.card, r.graph.IDs...)
	p.Columns[kernels.ColumnOutDegree] = up(r.card, degrees(r.graph.Out, n)...)
	p.Columns[kernels.ColumnInDegree] = up(r.card, degrees(r.graph.In, n)...)
	for i := range r.spec.State {
		p.Columns[kernels.ColumnState+i] = r.words()
	}
	own, column := r.template.Messages()
	if own {
		p.Messages = r.words()
	} else if column >= 0 {
		p.Messages = p.Columns[column]
	}
	edges := uint64(len(r.graph.Out.Neighbors)) * uint64(len(r.lists()))
	r.state = kernels.State{Program: up(r.card, *p), Vertices: p.Vertices, Scratch: r.alloc(kernels.Scratch(edges))}
	must(r.t, r.template.Begin(r.stream, r.state, edges))
}

func (r *run) words() driver.Pointer { return r.alloc(8 * uint64(r.graph.N())) }

func degrees(lists algorithms.Lists, n int) []int64 {
	all := make([]int64, n)
	for v := range all {
		all[v] = int64(lists.Degree(v))
	}
	return all
}

// lists are those whose rows send or receive, as the template wants them.
func (r *run) lists() []algorithms.Lists {
	forward := r.spec.Edges == algorithms.Forward
	switch {
	case !r.graph.Directed:
		return []algorithms.Lists{r.graph.Out}
	case r.spec.Edges == algorithms.BothSides:
		return []algorithms.Lists{r.graph.Out, r.graph.In}
	case forward == r.template.Pulls():
		return []algorithms.Lists{r.graph.In}
	}
	return []algorithms.Lists{r.graph.Out}
}

// cut makes chunks of lists.
func (r *run) cut(rng *rand.Rand, lists algorithms.Lists) {
	for _, rows := range intervals(rng, r.graph.N()) {
		for _, cols := range intervals(rng, r.graph.N()) {
			r.chunks = append(r.chunks, r.resident(part(lists, r.spec.EdgeColumns, rows, cols, rng.IntN(2) == 0)))
		}
	}
}

// intervals are up to five of all vertices, so that there may be more chunks than go into a launch.
func intervals(rng *rand.Rand, n int) (all []interval) {
	for from := 0; from < n; {
		to := from + 1 + rng.IntN(n-from)
		if len(all) == 4 || rng.IntN(3) == 0 {
			to = n
		}
		all = append(all, interval{from, to})
		from = to
	}
	return all
}

func (r *run) counters() kernels.Counters {
	return down[kernels.Counters](r.card, r.program.Counters, 1)[0]
}

// iterate does as algorithms.RunProgram does, and gives the number of iterations and of edges gone along.
func (r *run) iterate() (iterations int, edges uint64) {
	r.t.Helper()
	must(r.t, r.stream.Fill64(r.program.Counters, 0, 4))
	must(r.t, r.template.Init(r.stream, r.state))
	bound, converged := r.spec.Bound(r.state.Vertices), false
	for iterations < bound && (r.spec.Exactly || !converged) {
		iterations++
		must(r.t, r.template.Prepare(r.stream, r.state))
		must(r.t, r.template.StepAll(r.stream, r.state, r.program.Active, r.chunks))
		must(r.t, r.template.Apply(r.stream, r.state, 0, r.state.Vertices))
		c := r.counters()
		converged = c.Active == 0 || r.spec.Norm != algorithms.NoNorm && c.Change <= r.spec.Tolerance
	}
	return iterations, r.counters().Edges
}

// values is a state column.
func (r *run) values(i int) algorithms.Values {
	s, p, n := r.spec.State[i], r.program.Columns[kernels.ColumnState+i], r.graph.N()
	v := algorithms.Values{Column: algorithms.Column{Name: s.Name, Type: s.Type}}
	switch s.Type {
	case algorithms.Float:
		v.Floats = down[float64](r.card, p, n)
	case algorithms.Bool:
		v.Bools = down[bool](r.card, p, n)
	default:
		v.Ints = down[int64](r.card, p, n)
	}
	return v
}

// result is all state columns.
func (r *run) result() (all []algorithms.Values) {
	for i := range r.spec.State {
		all = append(all, r.values(i))
	}
	return all
}

// eachSeed runs a test with so many random sources.
func eachSeed(t *testing.T, seeds int, test func(c *card, rng *rand.Rand)) {
	for range seeds {
		if failed := !t.Run("", func(t *testing.T) { test(newCard(t), testseed.Rand(t)) }); failed {
			t.FailNow()
		}
	}
}

// edges is the number of edges of all chunks.
func (r *run) edges() (all uint64) {
	for _, chunk := range r.chunks {
		all += chunk.Edges
	}
	return all
}
