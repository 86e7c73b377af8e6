package residency

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	arrow "github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/card"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
	"github.com/penstock-db/penstock/plugins/kit"
)

// TestMain has everything here compute on softcuda, a test double of a card.
func TestMain(m *testing.M) { softcuda.Main(m) }

// What the card selects is what the host would cut: the same rows with the same edges in the same order, in no more
// memory than the whole chunk takes, and nothing else is copied.
func TestSelect_AsTheHostCuts(t *testing.T) {
	random := testseed.Rand(t)
	selected := 0
	for range 20 {
		r := newSelecting(t, random)
		u := r.upload()
		part := r.chunk
		if u.Chunk.selection != nil {
			selected++
			part = r.cut()
		}
		r.compare(u, part)
		r.leave(u)
	}
	if selected < 5 {
		t.Errorf("%d of 20 chunks were selected from", selected)
	}
}

// selecting is a residency that is to take a set's rows of a chunk.
type selecting struct {
	*testing.T
	thread  *card.Thread
	chunks  *Residency
	chunk   *chunk.Chunk
	set     []uint64
	command plugins.Command
}

const selectingVertices = 5000

func newSelecting(t *testing.T, random *rand.Rand) *selecting {
	t.Helper()
	a, err := arena.Create(4 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	r := &selecting{T: t}
	bytes := r.encode(random)
	r.command = plugins.Command{Op: plugins.Upload, Chunk: 3,
		At: arena.Range{Offset: 64 * random.Uint64N(9), Length: uint64(len(bytes))}}
	to, err := a.Bytes(r.command.At)
	if err != nil {
		t.Fatal(err)
	}
	copy(to, bytes)
	if r.chunk, err = chunk.Open(to); err != nil {
		t.Fatal(err)
	}
	r.layOut(a, random)
	r.open(a)
	return r
}

// open opens the card for it, until the test ends.
func (r *selecting) open(a *arena.Arena) {
	r.Helper()
	on, err := card.Open(0)
	if err != nil {
		r.Fatal(err)
	}
	if r.thread, err = card.NewThread(on.Context); err != nil {
		r.Fatal(err)
	}
	job := plugins.Job{Arena: a, Graph: plugins.Graph{Vertices: selectingVertices, Edges: 1 << 20, Directed: true}}
	err = r.thread.Do(func() error {
		streams, err := stream.Open(on)
		r.chunks = New(Setup{Card: on, Streams: streams, Budget: &kit.Budget{}, Job: job, Columns: []string{"weight"},
			Plan: plugins.Plan{Directions: []chunk.Direction{chunk.Out}, Selects: CanSelect(on, a, false)}})
		return err
	})
	r.Cleanup(func() {
		if err := r.thread.Do(func() error { return errors.Join(r.chunks.Close(), r.chunks.Streams.Close()) }); err != nil {
			r.Error(err)
		}
		r.thread.End()
	})
	if err != nil || !r.chunks.Plan.Selects {
		r.Fatalf("it selects: %v; %v", r.chunks.Plan.Selects, err)
	}
}

// encode makes a chunk of random lists, of which some are long and many empty.
func (r *selecting) encode(random *rand.Rand) []byte {
	rows := chunk.Interval{Base: random.Uint64N(2000), Count: 1 + random.Uint64N(3000)}
	var vertices, neighbors []uint32
	offsets, sparse := []int32{0}, random.IntN(2) == 0
	weights := array.NewFloat64Builder(arrow.DefaultAllocator)
	for v := range uint32(rows.Count) {
		degree := []int{0, 1, random.IntN(5), random.IntN(60)}[random.IntN(4)]
		if sparse && degree == 0 {
			continue
		}
		for range degree {
			neighbors = append(neighbors, random.Uint32N(selectingVertices))
			weights.Append(random.Float64())
		}
		slices.Sort(neighbors[offsets[len(offsets)-1]:])
		vertices, offsets = append(vertices, v), append(offsets, int32(len(neighbors)))
	}
	if !sparse {
		vertices = nil
	}
	meta := chunk.Meta{Graph: "g", Snapshot: 1, Direction: chunk.Out, Rows: rows,
		Cols: chunk.Interval{Count: selectingVertices}}
	c, err := chunk.FromCSR(arrow.DefaultAllocator, meta, vertices, offsets, neighbors,
		[]chunk.EdgeColumn{{Name: "weight", Values: weights.NewArray()}})
	if err != nil {
		r.Fatal(err)
	}
	return encoded(r.T, c)
}

func encoded(t *testing.T, c *chunk.Chunk) []byte {
	t.Helper()
	bytes := chunk.Aligned(c.EncodedSize())
	if _, err := c.EncodeTo(bytes); err != nil {
		t.Fatal(err)
	}
	return bytes
}

// layOut places a random set behind the chunk.
func (r *selecting) layOut(a *arena.Arena, random *rand.Rand) {
	words := uint64(selectingVertices+63) / 64
	r.command.Among = arena.Range{Offset: memory.Aligned(r.command.At.End()), Length: 8 * words}
	var err error
	if r.set, err = a.Uint64s(r.command.Among); err != nil {
		r.Fatal(err)
	}
	density := random.Float64()
	for v := range selectingVertices {
		if random.Float64() < density*density {
			r.set[v/64] |= 1 << (v % 64)
		}
	}
}

// cut is the chunk as the host would cut it.
func (r *selecting) cut() *chunk.Chunk {
	joined, err := cut.Join(cut.Select(r.chunk, r.set, 0, chunk.Places{}))
	if err != nil {
		r.Fatal(err)
	}
	bytes := chunk.Aligned(joined.EncodedSize())
	if _, err = joined.EncodeTo(bytes, 1); err != nil {
		r.Fatal(err)
	}
	c, err := chunk.Open(bytes)
	if err != nil {
		r.Fatal(err)
	}
	return c
}

// upload begins it, and waits until the chunk is there.
func (r *selecting) upload() (u *Upload) {
	s := r.chunks
	err := r.thread.Do(func() (err error) {
		s.Enter()
		if u, err = s.Begin(context.Background(), r.command); err != nil {
			return err
		}
		return driver.Await(r.Context(), u.Chunk.ready.Query)
	})
	if err != nil {
		r.Fatal(err)
	}
	return u
}

// compare looks at what is on the card.
func (r *selecting) compare(u *Upload, want *chunk.Chunk) {
	got := u.Chunk
	weights, _ := want.Float64s("weight")
	vertices, offsets, neighbors, values := make([]uint32, len(want.Vertices())), make([]int32, want.Rows()+1),
		make([]uint32, want.Edges()), make([]float64, want.Edges())
	if u.letter.Flag != 0 || got.Rows != uint64(want.Rows()) || got.Edges != uint64(want.Edges()) {
		r.Fatalf("flag %d, %d rows and %d edges; want %d and %d", u.letter.Flag, got.Rows, got.Edges, want.Rows(),
			want.Edges())
	}
	s := r.chunks
	err := r.thread.Do(func() error {
		for _, c := range []struct {
			to   []byte
			from driver.Pointer
		}{{memory.Bytes(vertices), got.Vertices}, {memory.Bytes(offsets), got.Offsets},
			{memory.Bytes(neighbors), got.Neighbors}, {memory.Bytes(values), got.Columns[0]}} {
			if err := s.Streams.CopyOut(r.Context(), s.Streams.Computing, c.to, c.from); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || !slices.Equal(vertices, want.Vertices()) || !slices.Equal(offsets, want.Offsets()) ||
		!slices.Equal(neighbors, want.Neighbors()) || !slices.Equal(values, weights) {
		r.Errorf("%v: other lists than those that the host cuts: of %d rows %d", err, r.chunk.Rows(), got.Rows)
	}
	if whole := uint64(r.chunk.EncodedSize()); got.bytes > whole+memory.Aligned(stream.HeadBytes) || u.bytes > whole {
		r.Errorf("it takes %d bytes, and %d were copied; the whole chunk has %d", got.bytes, u.bytes, whole)
	}
}

// leave sees that nothing is charged but the chunk once it is there, and nothing at all when it is gone.
func (r *selecting) leave(u *Upload) {
	s := r.chunks
	err := r.thread.Do(func() error {
		if err := s.arrived(u); err != nil {
			return err
		}
		if s.Budget.Used != u.Chunk.bytes {
			r.Errorf("%d bytes are charged; the chunk has %d", s.Budget.Used, u.Chunk.bytes)
		}
		s.Keep(r.command.Chunk, u.Chunk)
		w, err := s.Evict(r.command.Chunk)
		if err == nil {
			err = driver.Await(r.Context(), w.Done.Query)
		}
		if err != nil {
			return err
		}
		return w.Finish(nil)
	})
	if err != nil || s.Budget.Used != 0 {
		r.Errorf("%v: %d bytes are charged when it is gone", err, s.Budget.Used)
	}
}
