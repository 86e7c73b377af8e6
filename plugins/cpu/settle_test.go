package cpu_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// settled settles intervals of vertices one after the other until no vertex is active, each for
// so many rounds, which a sequence says over and over. It does so again as long as there is more.
func (r *rig) settled(intervals int, rounds []uint32, more func() bool) error {
	set := r.place(8 * ((r.graph.N() + 63) / 64))
	words, err := r.arena.Uint64s(set)
	if err != nil {
		return err
	}
	return r.do(context.Background(), func(ask func(plugins.Command) plugins.Event) {
		for _, u := range r.uploads {
			ask(u)
		}
		for more() {
			it := ask(plugins.Command{Op: plugins.Init}).Iteration
			for turn := 0; it != nil && it.Active > 0; turn++ {
				fillInterval(words, share(r.graph.N(), turn%intervals, intervals))
				it = ask(plugins.Command{Op: plugins.Settle, At: set, Rounds: rounds[turn%len(rounds)]}).Iteration
			}
		}
	})
}

// once is true the first time.
func once() func() bool {
	calls := 0
	return func() bool { calls++; return calls == 1 }
}

// fillInterval makes words the set of an interval.
func fillInterval(words []uint64, i chunk.Interval) {
	clear(words)
	for v := i.Base; v < i.End(); v++ {
		words[v/64] |= 1 << (v % 64)
	}
}

// deltas are ways to write pagerank-delta down. The last is not known as what it is.
var deltas = []struct {
	name string
	edit func(apply string) string
}{
	{"as it is", func(apply string) string { return apply }},
	{"operands the other way round", strings.NewReplacer("(self.residual + acc)", "(acc + self.residual)",
		"> tolerance * (1.0 - damping)", "> (1.0 - damping) * tolerance").Replace},
	{"in no known form", func(apply string) string {
		condition, rest, _ := strings.Cut(apply, "?")
		return "!(" + strings.ReplaceAll(condition, ">", "<=") + ") ?" + rest
	}},
}

// Whoever settles sums gets the same bits, with any number of threads.
func TestSettle_SameBits(t *testing.T) {
	for _, delta := range deltas {
		for _, process := range []string{"", " * edge.share"} {
			t.Run(delta.name+process, func(t *testing.T) {
				sameStates(t, []int{1, 2, 7}, func(r *rig, threads int) (*algorithms.Program, error) {
					p := deltaProgram(t, delta.edit, process)
					r.threads = threads
					if err := r.compileAs(p, plugins.Task{Settle: true}); err != nil {
						return p, err
					}
					return p, r.settled(3, []uint32{1, 3, 0}, once())
				})
			})
		}
	}
}

// Iteration by iteration the loop for thresholds gives the bits that the expressions give.
func TestThreshold_SameBits(t *testing.T) {
	forms := []int{0, 1, 2}
	sameStates(t, forms, func(r *rig, form int) (*algorithms.Program, error) {
		p := deltaProgram(t, deltas[form].edit, "")
		if err := r.compileAs(p, plugins.Task{ActiveRows: true}); err != nil {
			return p, err
		}
		_, err := r.streamed()
		return p, err
	})
}

// sameStates runs several variants on one random graph, and compares what the device has written.
func sameStates(t *testing.T, variants []int, run func(r *rig, variant int) (*algorithms.Program, error)) {
	t.Helper()
	seed := testseed.New(t)
	var want []algorithms.Values
	for _, variant := range variants {
		r := newRig(t, randomGraph(rand.New(rand.NewPCG(seed, 8)), 600, 20_000, true), 4<<20)
		r.stripes = 3
		p, err := run(r, variant)
		if err != nil {
			t.Fatal(err)
		}
		got := r.states(p)
		if want == nil {
			want = got
		}
		identical(t, got, want)
	}
}

// deltaProgram is pagerank-delta with its Applys edited, and more to its Process.
func deltaProgram(t testing.TB, edit func(string) string, process string) *algorithms.Program {
	t.Helper()
	a, err := catalog.Lookup("pagerank-delta")
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.Program(algorithms.Args{Directed: true, Floats: map[string]float64{"damping": 0.85, "tolerance": 1e-2}})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range p.State {
		p.State[i].Apply.Source = edit(s.Apply.Source)
	}
	p.Process.Source += process
	return p
}

// compileAs compiles p as a task says, and makes the chunks.
func (r *rig) compileAs(p *algorithms.Program, task plugins.Task) error {
	if err := algorithms.Check(p, r.graph.EdgeColumns()); err != nil {
		return err
	}
	task.Program = p
	err := r.compile(task, algorithms.VertexColumns(p))
	if err == nil {
		r.chunks()
	}
	return err
}

// states are the columns that the device has written.
func (r *rig) states(p *algorithms.Program) (all []algorithms.Values) {
	for _, s := range p.State {
		all = append(all, r.column(algorithms.Column{Name: s.Name, Type: s.Type}))
	}
	return all
}
