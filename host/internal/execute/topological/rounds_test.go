package topological

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/internal/testseed"
)

// A vertex has all that comes to it when all that lead to it have sent along its owner's edges: those of the owner in
// the round in which they had all themselves, the first at the earliest, others in the next. No round is in vain.
func TestRounds(t *testing.T) {
	rng := testseed.Rand(t)
	for range 200 {
		n := 1 + rng.IntN(40)
		some, edges := rng.Perm(n), make([][]uint32, n)
		for range rng.IntN(4 * n) {
			if i, j := rng.IntN(n), rng.IntN(n); i < j {
				edges[some[i]] = append(edges[some[i]], uint32(some[j]))
			}
		}
		part, among := partOf(rng, some)
		shares := sharesOf(rng, n)
		final, err := rounds(t.Context(), listsOf(edges), part, among, shares, make([]uint32, n))
		if err != nil {
			t.Fatal(err)
		}
		round := make(map[uint64]int, n)
		for r, vertices := range final {
			for _, v := range vertices {
				round[v] = r
			}
		}
		if len(round) != len(part) {
			t.Fatalf("%d of %d vertices have a round", len(round), len(part))
		}
		want, last := make(map[uint64]int, n), 1
		for _, v := range part {
			for _, to := range edges[v] {
				sent := want[v] + 1
				if schedule.Owner(shares, uint64(to)) == schedule.Owner(shares, v) {
					sent = max(want[v], 1)
				}
				want[uint64(to)] = max(want[uint64(to)], sent)
				last = max(last, sent)
			}
			if round[v] != want[v] {
				t.Fatalf("vertex %d has all in round %d, not %d: edges %v, part %v, shares %v", v, round[v], want[v], edges, part, shares)
			}
		}
		if len(final) != last+1 {
			t.Fatalf("%d rounds, not %d: edges %v, part %v, shares %v", len(final)-1, last, edges, part, shares)
		}
	}
}

// partOf is what comes of an order in one slot, from anywhere in it.
func partOf(rng *rand.Rand, some []int) (part []uint64, among schedule.Bitmap) {
	from := rng.IntN(len(some))
	among = make(schedule.Bitmap, (len(some)+63)/64)
	for _, v := range some[from : from+1+rng.IntN(len(some)-from)] {
		part = append(part, uint64(v))
		among.Add(uint64(v))
	}
	return part, among
}

// sharesOf are up to four shares, of which some may be empty.
func sharesOf(rng *rand.Rand, n int) (shares []chunk.Interval) {
	ends := []int{n}
	for range rng.IntN(4) {
		ends = append(ends, rng.IntN(n+1))
	}
	slices.Sort(ends)
	from := 0
	for _, end := range ends {
		shares = append(shares, chunk.Interval{Base: uint64(from), Count: uint64(end - from)})
		from = end
	}
	return shares
}

// listsOf are lists of edges.
func listsOf(edges [][]uint32) Lists {
	return func(_ context.Context, v uint64) ([]uint32, uint64, error) { return edges[v], 0, nil }
}
