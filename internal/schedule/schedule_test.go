package schedule

import (
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats/chunk"
)

// graph is random chunks of rows that send, and which vertices are active.
type graph struct {
	n       uint64
	degrees []uint32
	active  map[uint64]bool
	state   State
}

func draw(t *rapid.T) graph {
	g := graph{n: rapid.Uint64Range(1, 400).Draw(t, "vertices"), active: map[uint64]bool{}}
	g.state.Active = make(Bitmap, (g.n+63)/64)
	for _, v := range rapid.SliceOfN(rapid.Uint64Range(0, g.n-1), 0, 40).Draw(t, "active") {
		g.state.Active[v/64] |= 1 << (v % 64)
		g.active[v] = true
	}
	g.degrees = rapid.SliceOfN(rapid.Uint32Range(0, 5), int(g.n), int(g.n)).Draw(t, "degrees")
	for base := uint64(0); base < g.n; {
		rows := chunk.Interval{Base: base, Count: rapid.Uint64Range(1, g.n-base).Draw(t, "rows")}
		c := Chunk{Senders: []chunk.Interval{rows}, Rows: rows.Count}
		for v := rows.Base; v < rows.End(); v++ {
			c.Edges += uint64(g.degrees[v])
		}
		g.state.Chunks = append(g.state.Chunks, c)
		g.state.Lists = append(g.state.Lists, g.state.Active.Count(rows))
		g.state.Demand = append(g.state.Demand, g.state.Active.Demand(rows, g.degrees, chunk.Places{}))
		base = rows.End()
	}
	g.state.Before = slices.Clone(g.state.Demand)
	g.state.Grid = Strips(g.state.Chunks, 1000)
	return g
}

// within tells how many active vertices an interval has, and how many edges they have.
func (g graph) within(i chunk.Interval) (vertices int, edges uint64) {
	for v := range g.active {
		if v >= i.Base && v < i.End() {
			vertices, edges = vertices+1, edges+uint64(g.degrees[v])
		}
	}
	return vertices, edges
}

func (g graph) longest(i chunk.Interval) (longest uint32) {
	for v := range g.active {
		if v >= i.Base && v < i.End() {
			longest = max(longest, g.degrees[v])
		}
	}
	return longest
}

func TestBitmap_AgreesWithMembership(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := draw(t)
		base := rapid.Uint64Range(0, g.n-1).Draw(t, "base")
		i := chunk.Interval{Base: base, Count: rapid.Uint64Range(0, g.n-base).Draw(t, "count")}
		vertices, edges := g.within(i)
		if got := g.state.Active.Count(i); got != uint64(vertices) {
			t.Fatalf("Count(%+v) = %d with %d members", i, got, vertices)
		}
		if got := g.state.Active.Any(i); got != (vertices > 0) {
			t.Fatalf("Any(%+v) = %v with %d members", i, got, vertices)
		}
		if got := g.state.Active.Demand(i, g.degrees, chunk.Places{}); got != edges {
			t.Fatalf("Demand(%+v) = %d, want %d", i, got, edges)
		}
		lists, edgesOf := g.state.Active.Wanted(i, g.degrees, chunk.Places{})
		if edgesOf != edges || lists > uint64(vertices) || (lists == 0) != (edges == 0) {
			t.Fatalf("Wanted(%+v) = %d, %d with %d members that have %d edges", i, lists, edgesOf, vertices, edges)
		}
		first, rest := g.state.Active.Demand(i, g.degrees, chunk.Places{To: 2}),
			g.state.Active.Demand(i, g.degrees, chunk.Places{From: 2})
		if first > 2*uint64(vertices) || first+rest != edges {
			t.Fatalf("%d vertices want %d of their first two edges and %d of the rest; they have %d", vertices, first, rest,
				edges)
		}
		if got, want := g.state.Active.Longest(i, g.degrees), g.longest(i); got != want {
			t.Fatalf("Longest(%+v) = %d, want %d", i, got, want)
		}
	})
}

func TestWhole_TakesExactlyChunksWithActiveSenders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := draw(t)
		var want []Load
		for i, c := range g.state.Chunks {
			if vertices, _ := g.within(c.Senders[0]); vertices > 0 {
				want = append(want, Load{Chunk: i, Rounds: 1})
			}
		}
		if got := Whole(g.state); !slices.Equal(got, want) {
			t.Fatalf("Whole = %v, want %v", got, want)
		}
		g.state.All = true
		if got := Whole(g.state); len(got) != len(g.state.Chunks) {
			t.Fatalf("with all active: %d of %d chunks", len(got), len(g.state.Chunks))
		}
	})
}

// Whatever the policy, each chunk with active edges is sent once, and none that has not is
// sent in part.
func TestEveryPolicy_SendsEveryActiveEdgeOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := draw(t)
		name := rapid.SampledFrom(Names()).Draw(t, "schedule")
		g.state.Monotone = rapid.Bool().Draw(t, "monotone")
		s, err := Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		sent := map[int]int{}
		for _, l := range s.Plan(g.state) {
			sent[l.Chunk]++
			if l.Rounds < 1 != (g.state.Monotone && name != "scaph" && name != "neugraph") || l.Part &&
				g.state.Demand[l.Chunk] == 0 {
				t.Fatalf("%s: load %+v of a chunk with %d active edges", name, l, g.state.Demand[l.Chunk])
			}
		}
		for i, edges := range g.state.Demand {
			if sent[i] > 1 || edges > 0 && sent[i] == 0 {
				t.Fatalf("%s: chunk %d, with %d active edges, is sent %d times", name, i, edges, sent[i])
			}
		}
	})
}

// four chunks of 100 edges each with these demands, now and before.
func four(demand, before [4]uint64) State {
	s := State{Demand: demand[:], Before: before[:], Active: Bitmap{15}}
	for i := range uint64(4) {
		s.Chunks = append(s.Chunks, Chunk{Edges: 100, Senders: []chunk.Interval{{Base: i, Count: 1}}})
	}
	return s
}

func TestSubway_SwitchesOffAboveItsThreshold(t *testing.T) {
	for _, c := range []struct {
		demand [4]uint64
		part   bool
	}{{[4]uint64{80, 80, 80, 80}, true}, {[4]uint64{80, 80, 80, 81}, false}, {[4]uint64{100, 100, 100, 1}, true}} {
		loads := Subway{Threshold: 0.8}.Plan(four(c.demand, [4]uint64{}))
		for _, l := range loads {
			if len(loads) != 4 || l.Part != c.part {
				t.Errorf("demand %v: %+v", c.demand, loads)
			}
		}
	}
}

func TestScaph_TellsHighFromLowValue(t *testing.T) {
	got := Scaph{Alpha: 0.5, Beta: 0.3, Levels: 3}.Plan(four([4]uint64{31, 31, 60, 51}, [4]uint64{30, 31, 90, 0}))
	want := []Load{{Chunk: 2, Rounds: 3}, {Chunk: 3, Rounds: 3}, {Chunk: 0, Rounds: 3}, {Chunk: 1, Part: true, Rounds: 1}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v; expected %+v: grown, or more than half", got, want)
	}
	if got := (Scaph{Alpha: 0.5, Beta: 0.3}).Plan(four([4]uint64{60}, [4]uint64{})); got[0].Rounds < 1e9 {
		t.Errorf("%+v: a chunk is to be gone through as long as it is of value", got)
	}
}

// By the paper's model a chunk is of high value if, sent whole and gone through again, more of use comes of a second
// than if its lists are cut out and sent.
func TestScaph_ModelComparesThroughputs(t *testing.T) {
	// A hundred edges of a chunk take 1000 bytes and 10 seconds, and 25 of them 3 lists and 264 bytes.
	measured := Costs{Read: 0.02, Readers: 2, Link: 0.005, Check: 0.001, Measured: true, Barrier: 4, Reuse: 2}
	for _, c := range []struct {
		what   string
		change func(*Costs)
		high   bool
	}{
		{"10 seconds for 50 edges, or 4.64 for 25", func(*Costs) {}, false},
		{"edges are processed four times", func(is *Costs) { is.Reuse = 4 }, true},
		{"a barrier of 2.4 seconds of each of two readers", func(is *Costs) { is.Barrier = 4.8 }, true},
		{"the link is slow, so that bytes count", func(is *Costs) { is.Link, is.Barrier = 1, 4.8 }, false},
		{"edges are processed once", func(is *Costs) { is.Reuse, is.Barrier = 1, 4.8 }, false},
	} {
		s := costlyState()
		s.Costs = measured
		c.change(&s.Costs)
		p := Scaph{Alpha: 0.5, Beta: 0.3, Model: true}
		if got := p.High(s, 0); got != c.high {
			high, low := s.throughput(0)
			t.Errorf("%s: high value %v, by %g and %g edges a second", c.what, got, high, low)
		}
		if rule := p.rule(s, p.Plan(s)); !strings.Contains(rule, "by throughput") {
			t.Errorf("%s: %s", c.what, rule)
		}
	}
}

// Until there is something to go by, and without the model, thresholds decide.
func TestScaph_ModelWaitsForMeasurements(t *testing.T) {
	for _, c := range []struct {
		model bool
		costs Costs
	}{{true, Costs{}}, {true, Costs{Measured: true, Read: 1}}, {true, Costs{Reuse: 1e9}},
		{false, Costs{Measured: true, Read: 1, Reuse: 1e9, Readers: 2}}} {
		s := costlyState()
		s.Costs = c.costs
		p := Scaph{Alpha: 0.5, Beta: 0.3, Model: c.model}
		if p.High(s, 0) || !strings.Contains(p.rule(s, p.Plan(s)), "by thresholds of 0.5 and 0.3") {
			t.Errorf("%+v: a quarter of a chunk is of high value, or not by thresholds", c)
		}
	}
}

func TestParse(t *testing.T) {
	for _, text := range []string{"whole", "subway", "subway:threshold=0.25", "subway:priority=0.5",
		"scaph:alpha=1,beta=0,levels=1"} {
		if s, err := Parse(text); err != nil || s.Name != text || s.Plan == nil {
			t.Errorf("%s: %+v, %v", text, s, err)
		}
	}
	for text, reason := range map[string]string{
		"":                     "there is none of that name; there are " + strings.Join(Names(), ", "),
		"whole:x=1":            `whole has no parameter "x", nor any other`,
		"subway:":              `subway has no parameter "", but threshold, priority`,
		"subway:threshold=80%": `threshold is "80%"; expected a number from 0 to 1`,
		"scaph:alpha=NaN":      `alpha is "NaN"; expected a number from 0 to 1`,
		"scaph:gamma=1":        `scaph has no parameter "gamma", but alpha, beta, levels, model`,
	} {
		if _, err := Parse(text); err == nil || err.Error() != (&ParseError{text, reason}).Error() {
			t.Errorf("%q: %v; expected: %s", text, err, reason)
		}
	}
}

// The help names every schedule and its parameters, and what it names can be parsed.
func TestUsage(t *testing.T) {
	const want = "auto (whole or in part, whichever costs less, in time and bytes), whole, subway[:threshold=0.8,priority=0], neugraph"
	if got := Usage(); !strings.HasPrefix(got, want) {
		t.Errorf("%q does not begin with %q", got, want)
	}
	for _, d := range definitions {
		text := strings.NewReplacer("[", "", "]", "").Replace(strings.TrimSuffix(d.usage(), " ("+d.summary+")"))
		if _, err := Parse(text); err != nil || !strings.Contains(Usage(), d.usage()) {
			t.Errorf("%s: %v", d.usage(), err)
		}
	}
}

// Every schedule has a row in the table of docs/architecture.md.
func TestEverySchedule_IsDocumented(t *testing.T) {
	document, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names() {
		if !strings.Contains(string(document), "| `"+name+"` |") {
			t.Errorf("schedule %s has no row in docs/architecture.md, section Out of device memory: add one", name)
		}
	}
}

// Auto sends every chunk that is wanted, in order, and is never predicted to take longer than all
// of them whole, or all in part; without anything to predict from it sends the least.
func TestAuto_TakesTheLeastPredictedTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t).state
		cost := func(name string) float64 { return rapid.Float64Range(0, 2).Draw(t, name) }
		s.Costs = Costs{Read: cost("read"), Look: cost("look"), Cut: cost("cut"), Link: cost("link"), Check: cost("check"),
			Step: cost("step"), Readers: 2, Measured: rapid.Bool().Draw(t, "measured")}
		for i := range s.Chunks {
			c := &s.Chunks[i]
			c.Bytes = 4*c.Edges + 4*c.Rows
			c.Here, c.Seen = rapid.Bool().Draw(t, "here"), rapid.Bool().Draw(t, "seen")
			c.Stays = c.Here || rapid.Bool().Draw(t, "stays")
			c.Sent = rapid.Uint64Range(0, 2*c.Bytes).Draw(t, "sent")
		}
		loads := Auto(s)
		var wanted, got []int
		whole, cut := slices.Clone(loads), slices.Clone(loads)
		for i, edges := range s.Demand {
			if edges > 0 {
				wanted = append(wanted, i)
			}
		}
		for i, l := range loads {
			got = append(got, l.Chunk)
			c := s.Chunks[l.Chunk]
			spared := float64(c.Bytes) - s.partBytes(l.Chunk)
			whole[i].Part, cut[i].Part = false, !c.Here && spared > 0 && (!c.Stays || float64(c.Sent) < spared)
			if l.Part && !cut[i].Part || l.Rounds < 1 {
				t.Fatalf("%+v of %+v", l, s.Chunks[l.Chunk])
			}
		}
		if !slices.Equal(got, wanted) {
			t.Fatalf("chunks %v; wanted are %v", got, wanted)
		}
		const rounding = 1e-9
		least := min(s.Predict(whole).Longest(), s.Predict(cut).Longest())
		if !s.Costs.Measured {
			least = s.Predict(cut).Longest() // the fewest bytes
		}
		if took := s.Predict(loads).Longest(); took > least+rounding {
			t.Fatalf("%+v takes %g; there is %g", loads, took, least)
		}
	})
}
