package cpu_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// settled settles intervals of vertices one after the other until nobody is active, each for
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

// deltas are ways to write pagerank-delta down, by what they say of the kernel: with the
// loop for thresholds, without it, and with weights.
func deltas(t *testing.T) map[string]func(p *algorithms.Program) {
	t.Helper()
	return map[string]func(*algorithms.Program){
		"as it is": func(*algorithms.Program) {},
		"operands the other way round": func(p *algorithms.Program) {
			for i, s := range p.State {
				p.State[i].Apply.Source = strings.ReplaceAll(strings.ReplaceAll(s.Apply.Source, "(self.residual + acc)", "(acc + self.residual)"),
					" > tolerance * (1.0 - damping)", " > (1.0 - damping) * tolerance")
			}
		},
		"in no known form": func(p *algorithms.Program) {
			for i, s := range p.State {
				condition, rest, _ := strings.Cut(s.Apply.Source, "?")
				p.State[i].Apply.Source = "!(" + strings.ReplaceAll(condition, ">", "<=") + ") ?" + rest
			}
		},
	}
}

// Whoever settles sums, and in whatever words, gets the same bits: with any number of threads, with
// the loop for thresholds and without it.
func TestSettle_SameBits(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for _, process := range []string{"", " * edge.share"} {
		var want []algorithms.Values
		for name, edit := range deltas(t) {
			for _, threads := range []int{1, 2, 7} {
				random := rand.New(rand.NewPCG(seed, 8))
				r := newRig(t, randomGraph(random, 900, 40_000, true), 4<<20)
				r.threads, r.stripes, r.columns = threads, 3, 1
				p := deltaProgram(t)
				edit(p)
				p.Process.Source += process
				if err := r.settling(p); err != nil {
					t.Fatal(err)
				}
				r.chunks()
				if err := r.settled(3, []uint32{1, 3, 0}, once()); err != nil {
					t.Fatal(err)
				}
				got := r.states(p)
				if want == nil {
					want = got
				}
				if at := differing(got, want); at != "" {
					t.Errorf("%s, process …%s, %d threads: %s", name, process, threads, at)
				}
			}
		}
	}
}

func deltaProgram(t testing.TB) *algorithms.Program {
	t.Helper()
	a, err := algorithms.Lookup("pagerank-delta")
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.Program(algorithms.Args{Directed: true, Floats: map[string]float64{"damping": 0.85, "tolerance": 1e-2}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// settling compiles p, to be settled.
func (r *rig) settling(p *algorithms.Program) error {
	if err := algorithms.Check(p, r.graph.EdgeColumns()); err != nil {
		return err
	}
	return r.compile(plugins.Task{Program: p, Settle: true}, algorithms.VertexColumns(p))
}

// states are the columns that the device has written.
func (r *rig) states(p *algorithms.Program) (all []algorithms.Values) {
	for _, s := range p.State {
		all = append(all, r.column(algorithms.Column{Name: s.Name, Type: s.Type}))
	}
	return all
}

// differing is the first place where columns of doubles are not the same to the bit, or "".
func differing(got, want []algorithms.Values) string {
	for i, c := range got {
		for v, x := range c.Floats {
			if y := want[i].Floats[v]; math.Float64bits(x) != math.Float64bits(y) {
				return fmt.Sprintf("%s of vertex %d is %v; expected %v", c.Name, v, x, y)
			}
		}
	}
	return ""
}
