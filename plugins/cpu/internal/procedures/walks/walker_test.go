package walks

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/random"
)

// networkOf has these lists; symmetric says that they go both ways.
func networkOf(lists [][]entry, weighted, symmetric bool) *Network {
	n := &Network{starts: make([]uint64, 1), symmetric: symmetric}
	for v, list := range lists {
		n.Places = append(n.Places, uint32(v))
		slices.SortFunc(list, func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.weight, b.weight))
		})
		sum := 0.0
		for _, e := range list {
			sum += e.weight
			n.neighbors = append(n.neighbors, e.to)
			if weighted {
				n.sums = append(n.sums, sum)
			}
		}
		n.starts = append(n.starts, uint64(len(n.neighbors)))
	}
	return n
}

// randomLists are those of a graph of 12 vertices with loops and parallel edges; an edge leads on from every vertex.
func randomLists(r *rand.Rand, weighted, symmetric bool) [][]entry {
	const n = 12
	lists := make([][]entry, n)
	add := func(v, u int) {
		weight := 1.0
		if weighted {
			weight = float64(1+r.IntN(8)) / 2
		}
		lists[v] = append(lists[v], entry{uint32(u), weight})
		if symmetric && u != v {
			lists[u] = append(lists[u], entry{uint32(v), weight})
		}
	}
	for v := range n {
		add(v, (v+1)%n)
	}
	for range 30 {
		add(r.IntN(n), r.IntN(n))
	}
	return lists
}

// Steps of second order come as often as their definition says (Grover and Leskovec 2016, section 3.2.2): chi-square
// over all steps from v with t before it, whatever the factors, so also where 32 draws are mostly rejected.
func TestWalker_SecondOrder(t *testing.T) {
	const seed = 3
	t.Logf("seed %d", seed)
	for _, factors := range [][2]float64{{1, 1}, {0.25, 4}, {4, 0.25}, {1000, 1000}, {0.05, 1}, {1, 0.01}} {
		for form := range 4 {
			weighted, symmetric := form%2 == 1, form >= 2
			r := rand.New(rand.NewPCG(seed, uint64(form)))
			lists := randomLists(r, weighted, symmetric)
			args := algorithms.Args{Floats: map[string]float64{"returnFactor": factors[0], "inOutFactor": factors[1]}}
			w := NewWalker(networkOf(lists, weighted, symmetric), args)
			counts := map[[3]uint32]float64{}
			const walks, length = 500, 60
			for i := range walks {
				walk := w.Walk(make([]uint32, 0, length), uint32(i%len(lists)), random.New(seed, int64(i)))
				for k := 2; k < len(walk); k++ {
					counts[[3]uint32{walk[k-2], walk[k-1], walk[k]}]++
				}
			}
			square, freedom := 0.0, 0
			for before := range lists {
				for v := range lists {
					s, f := deviation(lists, uint32(before), uint32(v), factors, counts)
					square, freedom = square+s, freedom+f
				}
			}
			// By Wilson and Hilferty (1931), this is about normal.
			z := (math.Cbrt(square/float64(freedom)) - 1 + 2/(9*float64(freedom))) / math.Sqrt(2/(9*float64(freedom)))
			if freedom < 20 || z > 4 {
				t.Errorf("factors %v, weighted %v, symmetric %v: chi-square %.0f of %d degrees of freedom, which is %.1f deviations",
					factors, weighted, symmetric, square, freedom, z)
			}
		}
	}
}

// deviation is the chi-square of the steps from v with before behind, by the definition, and its degrees of freedom.
func deviation(lists [][]entry, before, v uint32, factors [2]float64, counts map[[3]uint32]float64) (float64, int) {
	leads := func(from, to uint32) bool {
		return slices.ContainsFunc(lists[from], func(e entry) bool { return e.to == to })
	}
	if !leads(before, v) {
		return 0, 0
	}
	chances, all, seen := map[uint32]float64{}, 0.0, 0.0
	for _, e := range lists[v] {
		alpha := 1 / factors[1]
		if e.to == before {
			alpha = 1 / factors[0]
		} else if leads(before, e.to) {
			alpha = 1
		}
		chances[e.to] += alpha * e.weight
		all += alpha * e.weight
	}
	for u := range lists {
		seen += counts[[3]uint32{before, v, uint32(u)}]
	}
	square, classes := 0.0, 0
	rest := [2]float64{} // of classes too small to be one: expected, and seen
	for u, chance := range chances {
		expected, found := seen*chance/all, counts[[3]uint32{before, v, u}]
		if expected < 5 {
			rest[0], rest[1] = rest[0]+expected, rest[1]+found
			continue
		}
		square += (found - expected) * (found - expected) / expected
		classes++
	}
	if rest[0] >= 5 {
		square += (rest[1] - rest[0]) * (rest[1] - rest[0]) / rest[0]
		classes++
	}
	return square, max(0, classes-1)
}

// A walk ends where nothing leads on.
func TestWalker_DeadEnd(t *testing.T) {
	n := networkOf([][]entry{{{1, 1}}, {{2, 1}}, {}, {{0, 0}}}, true, false)
	w := NewWalker(n, algorithms.Args{Floats: map[string]float64{"returnFactor": 2, "inOutFactor": 2}})
	walk := w.Walk(make([]uint32, 0, 10), 0, random.New(1))
	if !slices.Equal(walk, []uint32{0, 1, 2}) || n.Begins(2) || n.Begins(3) {
		t.Errorf("walk %v; walks begin at 2: %v, at 3, whose edge weighs 0: %v", walk, n.Begins(2), n.Begins(3))
	}
}
