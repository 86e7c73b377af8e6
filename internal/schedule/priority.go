package schedule

import (
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Priority makes active vertices wait that are far, by the value of a column: what they would send now is likely to be
// outdone by what reaches them from nearer ones, and then their edges are sent twice. The near ones are a share of the
// edges of all active vertices, so that the order is about that of delta-stepping (Meyer, Sanders, "Δ-stepping", J.
// Algorithms 2003) without a Δ to be chosen; PrIter (Zhang et al., SoCC'11) chooses a share of the vertices in the same
// way. Programs whose state only improves may send in any order, and no vertex is lost: it stays active until it has
// sent.
//
// Each choice makes the vertex near that has the best value of those with edges. Where edges never
// improve what they carry, its value is final, so that no run takes more iterations than it has vertices.
type Priority struct {
	Column  []uint64 // of the values, as they lie in memory that a device may be writing
	Ints    bool     // the values are int64, else float64
	Largest bool     // large values are near, not small ones

	bound float64
	near  Bitmap
}

// tile is the part of the room that near vertices' edges fill. The less it is, the closer the order comes to
// Dijkstra's and the fewer edges are sent twice, but the more iterations there are, each of which looks at
// every word of the active set. From a quarter of the room to a sixteenth bytes fall by up to a third;
// below that hardly, while iterations double (docs/experiments.md).
const tile = 1. / 16

// leastOfChunk is what is sent of a chunk at least, on average: of fewer bytes most are headers.
const leastOfChunk = 4 << 10

// Near is the share of the edges of all active vertices that are to be near: as many as fill a part of
// the room. Where that is all of them, none waits: then waiting takes iterations and saves little.
//
// What waits has its chunk read once more, where chunks do not stay at hand. So there as many are near as are sent, for
// nothing, while all chunks are read.
func (s Schedule) Near(state State, active uint64) float64 {
	var bytes, edges float64
	for _, c := range state.Chunks {
		bytes, edges = bytes+float64(c.Bytes), edges+float64(c.Edges)
	}
	fill := max(s.NearRoom*float64(state.Room), leastOfChunk*float64(len(state.Chunks)))
	if state.Rereads {
		is := state.Costs
		fill = max(fill, bytes*is.Look/float64(max(1, is.Readers))/max(is.Link, is.Check+is.Step*edges/bytes))
	}
	wanted, fit := bytes*float64(active), fill*edges
	if s.NearRoom == 0 || wanted <= fit {
		return 1
	}
	return fit / wanted
}

// samples is how many active vertices are looked at to find the bound: the share of edges that it gives
// is then off by some hundredths.
const samples = 2048

// Choose finds which active vertices are near: about a share of the edges of all is theirs. They come
// as a set that is good until the next choice.
func (p *Priority) Choose(active Bitmap, degrees []uint32, share float64) Bitmap {
	p.bound = p.quantile(p.sample(active, degrees), share)
	if p.near == nil {
		p.near = make(Bitmap, len(active))
	}
	for at, word := range active {
		p.near[at] = p.Near(uint64(at), word)
	}
	return p.near
}

// Rest ends a choice: nothing waits.
func (p *Priority) Rest() { p.bound = math.Inf(1) }

// Near are those of a word of the active set that are near, by their values now; of no priority, all.
func (p *Priority) Near(at, word uint64) uint64 {
	if p == nil || math.IsInf(p.bound, 1) {
		return word
	}
	near := word
	for rest := word; rest != 0; rest &= rest - 1 {
		if p.Key(at*64+uint64(bits.TrailingZeros64(rest))) > p.bound {
			near &^= rest & -rest
		}
	}
	return near
}

// Key is how far a vertex is: the less, the nearer.
func (p *Priority) Key(v uint64) float64 {
	word := atomic.LoadUint64(&p.Column[v])
	value := math.Float64frombits(word)
	if p.Ints {
		value = float64(int64(word))
	}
	if p.Largest {
		return -value
	}
	return value
}

// sampled is an active vertex with edges.
type sampled struct{ key, edges float64 }

func (p *Priority) sample(active Bitmap, degrees []uint32) (some []sampled) {
	all := chunk.Interval{Count: uint64(len(degrees))}
	every, i := active.Count(all)/samples+1, uint64(0)
	for v := range active.Members(all) {
		if i++; i%every == 0 && degrees[v] > 0 {
			some = append(some, sampled{p.Key(v), float64(degrees[v])})
		}
	}
	return some
}

// quantile is how far the last is of those that have a share of the edges; of none, that is everything.
func (p *Priority) quantile(some []sampled, share float64) float64 {
	var sum float64
	for _, s := range some {
		sum += s.edges
	}
	slices.SortFunc(some, func(a, b sampled) int {
		switch {
		case a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return 0
	})
	sum *= share
	for _, s := range some {
		if sum -= s.edges; sum <= 0 {
			return s.key
		}
	}
	return math.Inf(1)
}
