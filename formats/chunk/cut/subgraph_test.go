package cut_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// weighted is a graph's lists over n vertices, with a weight an edge that tells edges apart.
type weighted struct {
	n         int
	cols      chunk.Interval // that the neighbors are local to
	neighbors [][]uint32
	weights   [][]float64
}

func randomWeighted(r *rand.Rand) weighted {
	g := weighted{n: 1 + r.IntN(300)}
	g.cols.Count = uint64(g.n)
	for range g.n {
		var list []uint32
		var weights []float64
		for range r.IntN(1 + r.IntN(12)) {
			list, weights = append(list, uint32(r.IntN(g.n))), append(weights, r.Float64())
		}
		g.neighbors, g.weights = append(g.neighbors, list), append(g.weights, weights)
	}
	return g
}

// lists makes a chunk of the lists of these vertices, of an interval; sparse: it names them.
func (g weighted) lists(t testing.TB, mem memory.Allocator, rows chunk.Interval, vertices []int,
	sparse bool) *chunk.Chunk {
	var present, neighbors []uint32
	offsets := []int32{0}
	b := array.NewFloat64Builder(mem)
	defer b.Release()
	if sparse {
		present = []uint32{}
	}
	for _, v := range vertices {
		if sparse {
			present = append(present, uint32(v-int(rows.Base)))
		}
		neighbors = append(neighbors, g.neighbors[v]...)
		b.AppendValues(g.weights[v], nil)
		offsets = append(offsets, int32(len(neighbors)))
	}
	values := b.NewArray()
	t.Cleanup(values.Release)
	meta := chunk.Meta{Graph: "g", Snapshot: 3, Rows: rows, Cols: g.cols}
	return chunktest.FromCSR(t, mem, meta, present, offsets, neighbors, chunk.EdgeColumn{Name: "weight", Values: values})
}

// strips cuts the graph into chunks of consecutive rows, some of which name their vertices.
func (g weighted) strips(t testing.TB, r *rand.Rand, mem memory.Allocator) (strips []*chunk.Chunk) {
	for base := 0; base < g.n; {
		count := 1 + r.IntN(g.n-base)
		sparse := r.IntN(2) == 0
		var present []int
		for v := base; v < base+count; v++ {
			if !sparse || len(g.neighbors[v]) > 0 || r.IntN(2) == 0 {
				present = append(present, v)
			}
		}
		strips = append(strips, g.lists(t, mem, chunk.Interval{Base: uint64(base), Count: uint64(count)}, present, sparse))
		base += count
	}
	return strips
}

func randomSet(r *rand.Rand, n int) (set []uint64, members []int) {
	set = make([]uint64, (n+63)/64)
	share := r.Float64()
	for v := range n {
		if r.Float64() < share {
			set[v/64] |= 1 << (v % 64)
			members = append(members, v)
		}
	}
	return set, members
}

// randomPlaces are all of a list, half of the time.
func randomPlaces(r *rand.Rand) (p chunk.Places) {
	if r.IntN(2) == 0 {
		p.From = uint32(r.IntN(6))
		p.To = uint32(r.IntN(2)) * (p.From + uint32(r.IntN(6)))
	}
	return p
}

// at is the graph with nothing of its lists but what stands at places.
func (g weighted) at(p chunk.Places) weighted {
	part := weighted{n: g.n, cols: g.cols, neighbors: make([][]uint32, g.n), weights: make([][]float64, g.n)}
	for v, list := range g.neighbors {
		for i, u := range list {
			if i >= int(p.From) && (p.To == 0 || i < int(p.To)) {
				part.neighbors[v], part.weights[v] = append(part.neighbors[v], u), append(part.weights[v], g.weights[v][i])
			}
		}
	}
	return part
}

// A subgraph is, to the byte, the chunk that FromCSR makes of the active vertices' lists, or of what
// stands there at places.
func TestSubgraph_IsTheChunkOfActiveLists(t *testing.T) {
	chunktest.EachSeed(t, 300, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := randomWeighted(r)
		active, members := randomSet(r, g.n)
		var parts []cut.Selection
		places := randomPlaces(r)
		for _, c := range g.strips(t, r, mem) {
			parts = append(parts, cut.Select(c, active, 0, places))
		}
		for v, list := range g.neighbors {
			if got := places.In(uint32(len(list))); int(got) != len(g.at(places).neighbors[v]) {
				t.Fatalf("%+v: %d entries in a list of %d", places, got, len(list))
			}
		}
		g = g.at(places)
		members = slices.DeleteFunc(members, func(v int) bool { return len(g.neighbors[v]) == 0 })
		want := chunktest.Encode(t, g.lists(t, mem, chunk.Interval{Count: uint64(g.n)}, members, true))
		if got := join(t, r, parts...); !bytes.Equal(got, want) {
			t.Fatalf("%d vertices of %d active: %d bytes differ from the %d of FromCSR", len(members), g.n, len(got), len(want))
		}
	})
}

func join(t testing.TB, r *rand.Rand, parts ...cut.Selection) []byte {
	t.Helper()
	s, err := cut.Join(parts...)
	if err != nil {
		t.Fatal(err)
	}
	dst := chunk.Aligned(s.EncodedSize())
	for i := range dst {
		dst[i] = 0xAA // what another chunk left there
	}
	n, err := s.EncodeTo(dst, 1+r.IntN(5))
	if err != nil || n != len(dst) {
		t.Fatalf("%d bytes of %d, error %v", n, len(dst), err)
	}
	c := chunktest.Open(t, dst)
	defer c.Release()
	if err := errors.Join(c.Verify(), c.Validate()); err != nil {
		t.Fatal(err)
	}
	return dst
}

// Pieces hold every edge once, in order, and only a list that is too long alone is divided.
func TestSelection_CutKeepsEveryEdge(t *testing.T) {
	chunktest.EachSeed(t, 300, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := randomWeighted(r)
		all := make([]int, g.n)
		for v := range all {
			all[v] = v
		}
		whole := g.lists(t, mem, chunk.Interval{Count: uint64(g.n)}, all, false)
		most := 20 + r.IntN(200)
		got := make([][]uint32, g.n)
		for _, piece := range cut.All(whole).Cut(most, 0) {
			if piece.Bytes() > most {
				t.Fatalf("a piece of %d bytes; at most %d were allowed", piece.Bytes(), most)
			}
			c := chunktest.Open(t, join(t, r, piece))
			for row, v := range c.Vertices() {
				if list := c.Neighbors()[c.Offsets()[row]:c.Offsets()[row+1]]; len(got[v]) > 0 && 8+12*len(g.neighbors[v]) <= most {
					t.Fatalf("the list of %d is divided without need", v)
				} else {
					got[v] = append(got[v], list...)
				}
			}
			c.Release()
		}
		for v := range all {
			if !slices.Equal(got[v], g.neighbors[v]) {
				t.Fatalf("vertex %d: %v; it has %v", v, got[v], g.neighbors[v])
			}
		}
	})
}

// Lists before a vertex and from there on are all of them, and come after each other.
func TestSelection_AtDividesByVertex(t *testing.T) {
	chunktest.EachSeed(t, 300, func(t *testing.T, r *rand.Rand) {
		g := randomWeighted(r)
		all := make([]int, g.n)
		for v := range all {
			all[v] = v
		}
		whole := cut.All(g.lists(t, chunktest.LeakChecked(t), chunk.Interval{Count: uint64(g.n)}, all, r.IntN(2) == 0))
		at, edges := r.IntN(g.n+1), 0
		for _, list := range g.neighbors[:at] {
			edges += len(list)
		}
		before, from := whole.At(uint64(at))
		if before.Edges() != edges || from.Edges() != whole.Edges()-edges || before.Lists()+from.Lists() != whole.Lists() {
			t.Fatalf("%d and %d edges at %d, where %d of %d are before", before.Edges(), from.Edges(), at, edges, whole.Edges())
		}
		if both := before.Lists() > 0 && from.Lists() > 0; from.Follows(before) != both || both && before.Follows(from) {
			t.Fatalf("%d lists and %d: the rest follows %v, and the other way round %v", before.Lists(), from.Lists(),
				from.Follows(before), before.Follows(from))
		}
		if from.Lists() > 0 && from.First() < uint64(at) {
			t.Fatalf("from %d on there is %d", at, from.First())
		}
	})
}

func TestJoin_Refuses(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	g := weighted{n: 4, cols: chunk.Interval{Count: 4}, neighbors: [][]uint32{{1}, {2}, {3}, {0}},
		weights: [][]float64{{1}, {2}, {3}, {4}}}
	low := g.lists(t, mem, chunk.Interval{Count: 2}, []int{0, 1}, false)
	high := g.lists(t, mem, chunk.Interval{Base: 2, Count: 2}, []int{2, 3}, false)
	bare, err := high.Project()
	if err != nil {
		t.Fatal(err)
	}
	defer bare.Release()
	names := array.NewStringBuilder(mem)
	defer names.Release()
	names.Append("Ada")
	words := names.NewArray()
	defer words.Release()
	text := chunktest.FromCSR(t, mem, low.Meta(), nil, []int32{0, 1, 1}, []uint32{0},
		chunk.EdgeColumn{Name: "name", Values: words})
	for name, parts := range map[string][]cut.Selection{
		"nothing":       {},
		"descending":    {cut.All(high), cut.All(low)},
		"the same":      {cut.All(low), cut.All(low)},
		"other columns": {cut.All(low), cut.All(bare)},
		"another part":  {cut.All(low), cut.All(high).Within(chunk.Interval{Count: 2})},
	} {
		var invalid *chunk.InvalidError
		if _, err := cut.Join(parts...); !errors.As(err, &invalid) {
			t.Errorf("%s: %v; expected an InvalidError", name, err)
		}
	}
	var kind *chunk.TypeError
	if _, err := cut.Join(cut.All(text)); !errors.As(err, &kind) {
		t.Errorf("text: %v; expected a TypeError", err)
	}
	whole, err := cut.Join(cut.All(low), cut.All(high))
	if err != nil {
		t.Fatal(err)
	}
	var short *chunk.BufferError
	if _, err := whole.EncodeTo(chunk.Aligned(64), 1); !errors.As(err, &short) || short.Need != whole.EncodedSize() {
		t.Errorf("too little room: %v", err)
	}
}

// Pieces begin at multiples of SumEdges, take no more than allowed, as many sums as fit, and have every edge once, in
// order.
func TestSelection_CutSums(t *testing.T) {
	chunktest.EachSeed(t, 5, func(t *testing.T, r *rand.Rand) {
		g := weighted{n: 20, cols: chunk.Interval{Count: 1 << 20}}
		all := make([]int, g.n)
		for v := range all {
			all[v] = v
			list, weights := []uint32{}, []float64{}
			for i := range r.IntN(chunk.SumEdges) * (1 + v%3) / 2 {
				list, weights = append(list, uint32(i)), append(weights, r.Float64())
			}
			g.neighbors, g.weights = append(g.neighbors, list), append(g.weights, weights)
		}
		whole := cut.All(g.lists(t, chunktest.LeakChecked(t), chunk.Interval{Count: uint64(g.n)}, all, false))
		const sum = chunk.SumEdges * (8 + 12)
		most, edges := sum*(1+r.IntN(3)), 0
		pieces := whole.CutSums(most, 0)
		got := make([][]uint32, g.n)
		for i, piece := range pieces {
			if piece.Bytes() > most || edges%chunk.SumEdges != 0 {
				t.Fatalf("piece %d begins with edge %d and takes %d of %d bytes", i, edges, piece.Bytes(), most)
			}
			if i < len(pieces)-1 && piece.Bytes()+sum <= most {
				t.Fatalf("piece %d takes %d of %d bytes: there was room for more", i, piece.Bytes(), most)
			}
			c := chunktest.Open(t, join(t, r, piece))
			for row, v := range c.Vertices() {
				got[v] = append(got[v], c.Neighbors()[c.Offsets()[row]:c.Offsets()[row+1]]...)
			}
			c.Release()
			edges += piece.Edges()
		}
		for v := range all {
			if !slices.Equal(got[v], g.neighbors[v]) {
				t.Fatalf("vertex %d has %d of its %d edges, or others", v, len(got[v]), len(g.neighbors[v]))
			}
		}
	})
}
