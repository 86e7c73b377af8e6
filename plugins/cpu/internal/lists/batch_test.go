package lists

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// vertices have two lists of up to 20 entries each.
func vertices(random *rand.Rand, n int) (out [][]uint32, d Degrees) {
	for range n {
		list := make([]uint32, random.IntN(20))
		for i := range list {
			list[i] = uint32(random.IntN(n))
		}
		slices.Sort(list)
		out = append(out, list)
		d.Out, d.In = append(d.Out, int64(len(list))), append(d.In, 0)
	}
	return out, d
}

// halves are the lists as two chunks: entries below a column and the others.
func halves(lists [][]uint32, col int) (all []*csr.Chunk) {
	for _, cols := range []chunk.Interval{{Count: uint64(col)}, {Base: uint64(col), Count: uint64(len(lists) - col)}} {
		c := &csr.Chunk{Rows: chunk.Interval{Count: uint64(len(lists))}, Cols: cols, Offsets: []int32{0}}
		for _, list := range lists {
			for _, u := range list {
				if uint64(u) >= cols.Base && uint64(u) < cols.End() {
					c.Neighbors = append(c.Neighbors, u-uint32(cols.Base))
				}
			}
			c.Offsets = append(c.Offsets, int32(len(c.Neighbors)))
		}
		all = append(all, c)
	}
	return all
}

// A batch never holds more than its room, has the lists that were asked for and no others, and notices what is missing
// and what is too much.
func TestBatch(t *testing.T) {
	random, pool := testseed.Rand(t), parallel.New(2)
	for range 50 {
		want, degrees := vertices(random, 2+random.IntN(100))
		chunks := halves(want, 1+random.IntN(len(want)-1))
		most, all := degrees.Costs()
		b := NewBatch(degrees, most+random.Uint64N(all-most+1))
		for range 3 {
			b.Clear()
			for _, v := range random.Perm(len(want)) {
				b.Add(v)
			}
			b.Seal()
			if words := 4*len(b.Vertices) + 1 + len(b.entries[:b.starts[len(b.Vertices)]]); words > len(b.memory) ||
				len(b.Vertices) == 0 || b.Refused != (len(b.Vertices) < len(want)) {
				t.Fatalf("%d words of %d, %d vertices of %d", words, len(b.memory), len(b.Vertices), len(want))
			}
			for _, c := range chunks {
				if _, err := b.Take(t.Context(), pool, c); err != nil {
					t.Fatalf("%v", err)
				}
			}
			if err := b.Complete(); err != nil {
				t.Fatalf("%v", err)
			}
			for i, v := range b.Vertices {
				if !slices.Equal(b.List(i), want[v]) {
					t.Fatalf("vertex %d has %v; expected %v", v, b.List(i), want[v])
				}
			}
		}
		checkMissing(t, b, pool, chunks)
	}
}

// checkMissing leaves one chunk out, and then brings the other twice.
func checkMissing(t *testing.T, b *Batch, pool parallel.Pool, chunks []*csr.Chunk) {
	t.Helper()
	b.Clear()
	for v := 0; b.Add(v) && v < len(b.degrees.Out)-1; v++ {
	}
	b.Seal()
	first, err := b.Take(context.Background(), pool, chunks[0])
	if err != nil {
		t.Fatal(err)
	}
	rest := uint64(b.starts[len(b.Vertices)]) - first
	if err := b.Complete(); (err != nil) != (rest > 0) || rest > 0 && plugins.KindOf(err) != plugins.KindInvalid {
		t.Errorf("%d entries have not come: %v", rest, err)
	}
	if _, err := b.Take(context.Background(), pool, chunks[1]); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Take(context.Background(), pool, chunks[1]); (err != nil) != (rest > 0) ||
		rest > 0 && plugins.KindOf(err) != plugins.KindChunk {
		t.Errorf("%d entries have come twice: %v", rest, err)
	}
}
