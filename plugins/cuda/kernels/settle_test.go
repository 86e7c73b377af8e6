package kernels_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// improving is a program without an Apply of its own.
func improving(rng *rand.Rand) algorithms.Program {
	return []algorithms.Program{
		{State: []algorithms.State{state("x", algorithms.Float, "id % 5 == 0 ? double(id % 64) : inf", "")},
			Process: expr("src.x + edge.weight"), Reduce: algorithms.Min},
		{State: []algorithms.State{state("x", algorithms.Int, "id", "")}, Process: expr("src.x"), Reduce: algorithms.Max},
		{State: []algorithms.State{state("x", algorithms.Bool, "id % 9 == 0", "")}, Process: expr("src.x"),
			Reduce: algorithms.Or},
	}[rng.IntN(3)]
}

func words(n int) int { return (n + 63) / 64 }

// Rounds among the vertices of a set, whatever it is, until nobody is active, come to what iterations come to.
// Depart and Improve count, and move bits, as plain Go does.
func TestTemplate_Settles(t *testing.T) {
	eachSeed(t, 12, func(c *card, rng *rand.Rand) {
		g := oracletest.RandomGraph(rng, oracletest.Config{MaxVertices: 700, Directed: rng.IntN(2) == 0})
		spec := improving(rng)
		if len(g.EdgeColumns()) == 0 {
			c.t.Skip("the graph that was drawn has no edges: other seeds have some")
		}
		want, _, err := algorithms.RunProgram(g, &spec)
		must(c.t, err)
		r := newRun(c, rng, g, spec)
		must(c.t, r.template.Init(r.stream, r.state))
		departing := r.alloc(8 * uint64(words(g.N())))
		for rounds := 0; r.activeCount() > 0; rounds++ {
			if rounds > 100*g.N() {
				c.t.Fatal("it does not settle")
			}
			r.round(departing, randomSet(rng, g.N(), rounds))
		}
		if got := r.values(0); !same(got, want[0], true) {
			c.t.Fatalf("got %v\nexpected %v", got, want[0])
		}
	})
}

// randomSet has everybody every third time, so that all come to send.
func randomSet(rng *rand.Rand, n, round int) []uint64 {
	set := make([]uint64, words(n))
	for i := range set {
		set[i] = rng.Uint64()
		if round%3 == 2 {
			set[i] = ^uint64(0)
		}
	}
	return set
}

func (r *run) active() []uint64 { return down[uint64](r.card, r.program.Active, words(r.graph.N())) }

func (r *run) activeCount() uint64 { return bitmap.Count(r.active()) }

// round has those of a set who are active send, and compares the bitmaps with what they should be.
func (r *run) round(departing driver.Pointer, set []uint64) {
	r.t.Helper()
	before, old := r.active(), bitsOf(r.values(0))
	must(r.t, r.template.Depart(r.stream, r.state, up(r.card, set...), departing))
	going, count := down[uint64](r.card, departing, len(set)), r.counters().Active
	left := r.active()
	for i, word := range before {
		if going[i] != word&set[i] || left[i] != word&^set[i] {
			r.t.Fatalf("word %d: %x departs and %x stays of %x; expected those of %x to depart", i, going[i], left[i], word,
				set[i])
		}
	}
	if count != bitmap.Count(going) {
		r.t.Fatalf("%d depart; %d are told", bitmap.Count(going), count)
	}
	for _, chunk := range r.chunks {
		must(r.t, r.template.Step(r.stream, r.state, departing, chunk))
	}
	must(r.t, r.template.Improve(r.stream, r.state))
	after, now := r.active(), bitsOf(r.values(0))
	for v := range now {
		changed := now[v] != old[v]
		if got := after[v/64]>>(v%64)&1 == 1; got != (changed || left[v/64]>>(v%64)&1 == 1) {
			r.t.Fatalf("vertex %d is active: %v; its state has changed: %v", v, got, changed)
		}
	}
	if count := r.counters().Active; count != bitmap.Count(after) {
		r.t.Fatalf("%d are active; %d are told", bitmap.Count(after), count)
	}
}

// An iteration whose Apply is done interval by interval has the same states and active vertices; each tells its own.
func TestTemplate_ApplyOfIntervals(t *testing.T) {
	eachSeed(t, 12, func(c *card, rng *rand.Rand) {
		g := oracletest.RandomGraph(rng, oracletest.Config{MaxVertices: 900, Directed: true})
		if len(g.EdgeColumns()) == 0 {
			c.t.Skip("the graph that was drawn has no edges: other seeds have some")
		}
		spec, seed := others()["pull_float_sum_plus"], rng.Uint64()
		if rng.IntN(2) == 0 {
			spec = improving(rng)
			spec.Norm = algorithms.L1
		}
		whole, parts := newRun(c, rand.New(rand.NewPCG(seed, 0)), g, spec), newRun(c, rand.New(rand.NewPCG(seed, 0)), g, spec)
		n := uint64(g.N())
		cut := min(n, 64*rng.Uint64N(n/64+2))
		whole.step()
		must(t, whole.template.Apply(c.stream, whole.state, 0, n))
		parts.step()
		var active uint64
		for _, at := range [][2]uint64{{0, cut}, {cut, n}} {
			if at[0] < at[1] {
				must(t, parts.template.Apply(c.stream, parts.state, at[0], at[1]))
				active += parts.counters().Active
			}
		}
		if !slices.Equal(parts.active(), whole.active()) || active != whole.counters().Active ||
			!slices.Equal(bitsOf(parts.values(0)), bitsOf(whole.values(0))) {
			c.t.Fatalf("%d vertices, cut at %d: %d are active; expected %d", n, cut, active, whole.counters().Active)
		}
	})
}

// step begins an iteration after Init.
func (r *run) step() {
	must(r.t, r.template.Init(r.stream, r.state))
	must(r.t, r.template.Prepare(r.stream, r.state))
	for _, chunk := range r.chunks {
		must(r.t, r.template.Step(r.stream, r.state, r.program.Active, chunk))
	}
}

// What has come can be forgotten.
func TestTemplate_Forget(t *testing.T) {
	eachSeed(t, 6, func(c *card, rng *rand.Rand) {
		g := oracletest.RandomGraph(rng, oracletest.Config{MaxVertices: 300, Directed: true})
		if len(g.EdgeColumns()) == 0 {
			c.t.Skip("the graph that was drawn has no edges: other seeds have some")
		}
		for _, spec := range []algorithms.Program{improving(rng), others()["pull_int_product_as_is"]} {
			r := newRun(c, rng, g, spec)
			must(c.t, r.template.Init(r.stream, r.state))
			empty := down[uint64](c, r.program.Acc, g.N())
			r.step()
			must(c.t, r.template.Forget(r.stream, r.state))
			if got := down[uint64](c, r.program.Acc, g.N()); !slices.Equal(got, empty) {
				c.t.Fatalf("accumulators are %x; expected %x", got, empty)
			}
		}
	})
}
