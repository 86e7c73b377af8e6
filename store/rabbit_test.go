package store

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/store/internal/ordering"
	"pgregory.net/rapid"
)

// listsOf makes an undirected adjacency from pairs.
func listsOf(n int, pairs [][2]int) *ordering.Adjacency {
	of := make([][]uint32, n)
	for _, p := range pairs {
		of[p[0]] = append(of[p[0]], uint32(p[1]))
		if p[0] != p[1] {
			of[p[1]] = append(of[p[1]], uint32(p[0]))
		}
	}
	a := &ordering.Adjacency{Starts: []uint64{0}}
	for _, list := range of {
		a.Neighbors = append(a.Neighbors, list...)
		a.Starts = append(a.Starts, uint64(len(a.Neighbors)))
	}
	return a
}

func degreesDescending(a *ordering.Adjacency) []uint32 {
	of := make([][]uint32, len(a.Starts)-1)
	for v := range of {
		of[v] = a.List(uint32(v))
	}
	return byDegree(of)
}

func rabbitOrder(t fataler, a *ordering.Adjacency) []uint32 {
	t.Helper()
	order, err := a.Rabbit(context.Background(), degreesDescending(a))
	check(t, err)
	return order
}

// Any graph's order has every vertex once, and is the same on any number of processors.
func TestRabbit_IsAPermutation(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(t, "vertices")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		var pairs [][2]int
		for range rapid.IntRange(0, 4*n).Draw(t, "edges") {
			pairs = append(pairs, [2]int{r.IntN(n), int(float64(n) * r.Float64() * r.Float64())})
		}
		a := listsOf(n, pairs)
		runtime.GOMAXPROCS(1)
		alone := rabbitOrder(t, a)
		runtime.GOMAXPROCS(4)
		if together := rabbitOrder(t, a); !slices.Equal(alone, together) {
			t.Fatal("one processor and four order differently")
		}
		if slices.Sort(alone); !slices.Equal(alone, ordering.Identity(uint32(n))) {
			t.Fatal("a vertex is missing")
		}
	})
}

// Planted communities, their ids shuffled, come to lie together: an edge then leads only a
// little further than its community is large.
func TestRabbit_PutsCommunitiesTogether(t *testing.T) {
	const communities, size = 64, 64
	r := rand.New(rand.NewPCG(1, 2))
	id := r.Perm(communities * size)
	var pairs [][2]int
	for v := range communities * size {
		for range 6 {
			pairs = append(pairs, [2]int{id[v], id[v/size*size+r.IntN(size)]})
		}
		if r.IntN(8) == 0 {
			pairs = append(pairs, [2]int{id[v], id[r.IntN(communities*size)]})
		}
	}
	place := ordering.Inverse(rabbitOrder(t, listsOf(communities*size, pairs)), communities*size)
	near := 0
	for _, p := range pairs {
		if distance := int(place[p[0]]) - int(place[p[1]]); max(distance, -distance) < 2*size {
			near++
		}
	}
	if share := float64(near) / float64(len(pairs)); share < 0.9 {
		t.Errorf("%.2f of the edges stay near", share)
	}
}
