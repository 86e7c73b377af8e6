package core

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
)

// multigraph is lists with loops and parallel edges, each ascending.
type multigraph [][]uint32

func randomGraph(random *rand.Rand) multigraph {
	g := make(multigraph, 1+random.IntN(60))
	for range random.IntN(300) {
		v := random.IntN(1 + random.IntN(len(g))) // the first ones have more
		g[v] = append(g[v], uint32(random.IntN(1+random.IntN(len(g)))))
	}
	for _, list := range g {
		slices.Sort(list)
	}
	return g
}

// chunks cuts the lists at random places; every second chunk leaves out empty lists.
func (g multigraph) chunks(t *testing.T, random *rand.Rand) iter.Seq2[*chunk.Chunk, error] {
	return func(yield func(*chunk.Chunk, error) bool) {
		for from, sparse := 0, false; from < len(g); sparse = !sparse {
			to := from + 1 + random.IntN(len(g)-from)
			vertices, neighbors := []uint32{}, []uint32{}
			offsets := []int32{0}
			for v := from; v < to; v++ {
				if sparse && len(g[v]) == 0 {
					continue
				}
				vertices, neighbors = append(vertices, uint32(v-from)), append(neighbors, g[v]...)
				offsets = append(offsets, int32(len(neighbors)))
			}
			if !sparse {
				vertices = nil
			}
			meta := chunk.Meta{Rows: chunk.Interval{Base: uint64(from), Count: uint64(to - from)},
				Cols: chunk.Interval{Count: uint64(len(g))}}
			c, err := chunk.FromCSR(memory.DefaultAllocator, meta, vertices, offsets, neighbors, nil)
			if err != nil {
				t.Fatal(err)
			}
			more := yield(c, nil)
			c.Release()
			if !more {
				return
			}
			from = to
		}
	}
}

// among counts as the definition says.
func (g multigraph) among(rank []uint32, size uint64) Candidate {
	in := func(v uint32) bool { return uint64(rank[v]) < size }
	linked, cells, entries := map[uint32]bool{}, map[[2]uint32]bool{}, uint64(0)
	for v, list := range g {
		for _, u := range list {
			if in(uint32(v)) && in(u) {
				linked[uint32(v)], linked[u], cells[[2]uint32{uint32(v), u}] = true, true, true
				entries++
			}
		}
	}
	return Candidate{Vertices: min(size, uint64(len(g))), Linked: uint64(len(linked)), Entries: entries,
		Cells: uint64(len(cells))}
}

func TestCount_IsWhatTheDefinitionSays(t *testing.T) {
	random := testseed.Rand(t)
	for range 300 {
		g := randomGraph(random)
		rank := make([]uint32, len(g))
		for v, place := range random.Perm(len(g)) {
			rank[v] = uint32(place)
		}
		sizes := make([]uint64, random.IntN(7))
		for i := range sizes {
			sizes[i] = uint64(random.IntN(len(g) + 3))
		}
		got, err := Count(t.Context(), g.chunks(t, random), rank, sizes)
		if err != nil {
			t.Fatal(err)
		}
		for i, size := range sizes {
			if want := g.among(rank, size); got[i] != want {
				t.Fatalf("of %v the %d first by %v: %+v, not %+v", g, size, rank, got[i], want)
			}
		}
	}
}

func TestCount_Fails(t *testing.T) {
	broken := errors.New("broken")
	_, err := Count(t.Context(), func(yield func(*chunk.Chunk, error) bool) { yield(nil, broken) }, nil, nil)
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := multigraph{{0}}
	if _, err := Count(ctx, g.chunks(t, rand.New(rand.NewPCG(1, 1))), []uint32{0}, nil); !errors.Is(err,
		context.Canceled) {
		t.Error(err)
	}
}

func TestCandidate_Density(t *testing.T) {
	// Three vertices of which two have one edge and one loop among them: two cells of four.
	got, err := Count(t.Context(), multigraph{{1}, {1}, {}}.chunks(t, rand.New(rand.NewPCG(1, 1))), []uint32{0, 1, 2},
		[]uint64{3, 1})
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Density() != 0.5 || got[1].Density() != 0 {
		t.Error(got[0].Density(), got[1].Density())
	}
}

func TestSizes(t *testing.T) {
	if got := Sizes(150, 0.5, 0.01, 0, 1); !slices.Equal(got, []uint64{75, 2, 0, 150}) {
		t.Error(got)
	}
	if got := Sizes(100, 0.07, 0.14); !slices.Equal(got, []uint64{7, 14}) {
		t.Error(got)
	}
}

func BenchmarkCounter(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	g := make(multigraph, 1<<16)
	rank := make([]uint32, len(g))
	for v := range g {
		rank[v] = uint32(v)
	}
	for range 16 * len(g) { // the first ones have most
		v, u := random.Float64(), random.Float64()
		at := int(v * v * v * float64(len(g)))
		g[at] = append(g[at], uint32(u*u*u*float64(len(g))))
	}
	var offsets = []int32{0}
	var neighbors []uint32
	for _, list := range g {
		slices.Sort(list)
		neighbors = append(neighbors, list...)
		offsets = append(offsets, int32(len(neighbors)))
	}
	all := chunk.Interval{Count: uint64(len(g))}
	c, err := chunk.FromCSR(memory.DefaultAllocator, chunk.Meta{Rows: all, Cols: all}, nil, offsets, neighbors, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer c.Release()
	counter := NewCounter(rank, Sizes(uint64(len(g)), Shares...))
	b.SetBytes(int64(len(neighbors)) * 4)
	for b.Loop() {
		counter.Add(c)
	}
}
