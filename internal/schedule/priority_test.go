package schedule

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Near vertices are those with the best values, about a share of the edges of all, and never none that
// has edges; the others are left for later.
func TestPriority_ChoosesAShareOfTheEdges(t *testing.T) {
	rng := testseed.Rand(t)
	for round := range 40 {
		n := 64 * (1 + rng.IntN(1000))
		everyone := chunk.Interval{Count: uint64(n)}
		p := &Priority{Column: make([]uint64, n), Ints: round%2 == 0, Largest: round%4 < 2}
		active, degrees := make(Bitmap, n/64), make([]uint32, n)
		for v := range n {
			value := rng.IntN(1000) - 500
			if p.Column[v] = uint64(value); !p.Ints {
				p.Column[v] = math.Float64bits(float64(value) / 8)
			}
			degrees[v] = rng.Uint32N(5)
		}
		for range 1 + rng.IntN(n) {
			v := rng.IntN(n)
			active[v/64] |= 1 << (v % 64)
		}
		share := rng.Float64()
		near := p.Choose(active, degrees, share)
		all, some := active.Demand(everyone, degrees, chunk.Places{}), near.Demand(everyone, degrees, chunk.Places{})
		if got := float64(some) / float64(all); all > 0 &&
			(some == 0 || active.Count(everyone) > 2000 && math.Abs(got-share) > 0.1) {
			t.Errorf("round %d: near are %d of %d edges, want a share of %g", round, some, all, share)
		}
		worst, best := math.Inf(-1), math.Inf(1)
		for v := range active.Members(everyone) {
			if near[v/64]>>(v%64)&1 == 1 {
				worst = max(worst, p.Key(v))
			} else {
				best = min(best, p.Key(v))
			}
		}
		if worst >= best {
			t.Errorf("round %d: near is one at %g, far one at %g", round, worst, best)
		}
		p.Rest()
		if p.Near(0, active[0]) != active[0] || (*Priority)(nil).Near(0, active[0]) != active[0] {
			t.Errorf("round %d: without a choice some wait", round)
		}
	}
}

// Of what fits a sixteenth of the room nothing waits; of twice as much half does.
func TestSchedule_NearFillsAPartOfTheRoom(t *testing.T) {
	s := State{Chunks: []Chunk{{Edges: 300, Bytes: 3e6}, {Edges: 700, Bytes: 7e6}}, Room: 16e6}
	for schedule, want := range map[string][2]float64{"auto": {1, 0.5}, "subway": {1, 1},
		"subway:priority=0.03125": {0.5, 0.25}, "scaph": {1, 1}} {
		parsed, err := Parse(schedule)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]float64{parsed.Near(s, 100), parsed.Near(s, 200)}; got != want {
			t.Errorf("%s: shares %v, want %v", schedule, got, want)
		}
	}
}

// Where chunks are read again, as much is near as is sent while they are read: all, but over a slow link.
func TestSchedule_NearIsWhatIsSentWhileChunksAreRead(t *testing.T) {
	for _, c := range []struct {
		rereads bool
		link    float64
		want    float64
	}{
		{false, 0, 1. / 16}, // of 16 MB a sixteenth
		{true, 0, 1},        // 16 MB are read in 32 ms, and made resident in 24
		{true, 1e-8, 0.2},   // 3.2 MB pass over the link
		{true, 1e-6, 1. / 16},
	} {
		s := State{Chunks: []Chunk{{Edges: 4e6, Bytes: 16e6}}, Room: 16e6, Rereads: c.rereads,
			Costs: Costs{Look: 4e-9, Link: c.link, Check: 1e-9, Step: 2e-9, Readers: 2}}
		parsed, err := Parse("auto")
		if err != nil {
			t.Fatal(err)
		}
		if got := parsed.Near(s, 4e6); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("read again: %v, link %g s/B: a share of %g, want %g", c.rereads, c.link, got, c.want)
		}
	}
}
