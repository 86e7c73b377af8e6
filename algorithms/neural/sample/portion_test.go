package sample

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// A portion has its seeds, all that they hear of within as many hops as there are fanouts, and nothing else; what hears
// within them has the list that it has in the whole. It is no larger than foretold.
func TestGraph_Portion(t *testing.T) {
	seed := testseed.New(t)
	r := rand.New(rand.NewPCG(seed, 0))
	var whole, p Graph
	for range 300 {
		n, loops := 1+r.IntN(60), r.IntN(2) == 0
		lists := random(r, n, loops)
		s := Sampler{Lists: lists, Loops: loops, Properties: r.IntN(2), Seed: seed, Threads: 1 + r.IntN(2)}
		for range r.IntN(4) {
			s.Fanouts = append(s.Fanouts, []int{1 + r.IntN(4), All}[r.IntN(2)])
		}
		s.NewRows(uint64(n))
		batch := 1 + r.IntN(n)
		var seeds []uint32
		for _, v := range r.Perm(n)[:1+r.IntN(batch)] {
			seeds = append(seeds, uint32(v))
		}
		if err := s.Cut(t.Context(), 1, seeds, &whole); err != nil {
			t.Fatal(err)
		}
		degrees := make([]int64, n)
		for v := range lists {
			degrees[v] = int64(len(lists[v]))
		}
		most := NewMost(degrees, loops)
		portions := 1 + r.IntN(4)
		for k := range portions {
			from, to := k*len(seeds)/portions, (k+1)*len(seeds)/portions
			whole.Portion(from, to, len(s.Fanouts), &p)
			checkPortion(t, &whole, &p, from, to, len(s.Fanouts))
			vertices, edges := most.MostOfPortion((batch+portions-1)/portions, batch, s.Fanouts)
			if uint64(len(p.Vertices)) > vertices || uint64(p.Edges()) > edges {
				t.Errorf("portion %d of %d has %d vertices and %d edges; at most %d and %d were foretold", k, portions,
					len(p.Vertices), p.Edges(), vertices, edges)
			}
		}
	}
}

// checkPortion holds a portion to its definition.
func checkPortion(t *testing.T, whole, p *Graph, from, to, hops int) {
	t.Helper()
	distance, near := map[uint32]int{}, []uint32{}
	for row := from; row < to; row++ {
		distance[uint32(row)], near = 0, append(near, uint32(row))
	}
	for hop := range hops {
		var next []uint32
		for _, row := range near {
			for _, other := range whole.Others[whole.Offsets[row]:whole.Offsets[row+1]] {
				if _, is := distance[other]; !is {
					distance[other], next = hop+1, append(next, other)
				}
			}
		}
		near = next
	}
	if len(p.Rows) != len(distance) || p.Seeds != to-from || len(p.Vertices) != len(p.Rows) {
		t.Fatalf("%d rows and %d seeds, not %d and %d", len(p.Rows), p.Seeds, len(distance), to-from)
	}
	if len(p.Offsets) != len(p.Rows)+1 || len(p.PerSample) != len(p.Rows) || len(p.Degrees) != len(p.Rows) {
		t.Fatalf("%d offsets, %d shares and %d degrees of %d rows", len(p.Offsets), len(p.PerSample), len(p.Degrees),
			len(p.Rows))
	}
	for i, row := range p.Rows {
		if i < p.Seeds && int(row) != from+i {
			t.Fatalf("seed %d is row %d", i, row)
		}
		if p.Vertices[i] != whole.Vertices[row] || p.Degrees[i] != whole.Degrees[row] {
			t.Fatalf("row %d is vertex %d of %v neighbors, not %d of %v", row, p.Vertices[i], p.Degrees[i],
				whole.Vertices[row], whole.Degrees[row])
		}
		if got, want := told(p, i, p.Rows), told(whole, int(row), nil); distance[row] < hops && got != want {
			t.Fatalf("row %d hears %s, not %s", row, got, want)
		} else if distance[row] == hops && p.Offsets[i] != p.Offsets[i+1] {
			t.Fatalf("row %d, the last hop, hears %s", row, got)
		}
	}
}

// told is what a row hears, by rows of the whole.
func told(g *Graph, row int, rows []uint32) string {
	from, to := g.Offsets[row], g.Offsets[row+1]
	others := slices.Clone(g.Others[from:to])
	for i, other := range others {
		if rows != nil {
			others[i] = rows[other]
		}
	}
	properties := [][]float64{}
	for _, of := range g.Properties {
		properties = append(properties, of[from:to])
	}
	return fmt.Sprint(others, properties, g.PerSample[row])
}
