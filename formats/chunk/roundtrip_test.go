package chunk_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// What was put in comes out: of the chunk, of its encoding, of the encoding's encoding.
func TestChunk_RoundTrip(t *testing.T) {
	chunktest.EachSeed(t, 400, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := randomCSR(t, r, mem)
		made := g.chunk(t, mem)
		requireHolds(t, made, g)
		encoded := chunktest.Encode(t, made)
		opened := chunktest.Open(t, encoded)
		requireHolds(t, opened, g)
		requireEqual(t, opened, made)
		if !bytes.Equal(chunktest.Encode(t, opened), encoded) {
			t.Fatal("a chunk that was opened encodes to other bytes")
		}
	})
}

func requireHolds(t testing.TB, c *chunk.Chunk, g csr) {
	t.Helper()
	if c.Meta() != g.meta || c.Rows() != len(g.offsets)-1 || c.Edges() != len(g.neighbors) ||
		len(c.Columns()) != len(g.columns) {
		t.Fatalf("%+v with %d rows, %d edges, %d columns; expected %+v", c.Meta(), c.Rows(), c.Edges(), len(c.Columns()), g)
	}
	if (c.Vertices() == nil) != (g.vertices == nil) || !slices.Equal(c.Vertices(), g.vertices) ||
		!slices.Equal(c.Offsets(), g.offsets) || !slices.Equal(c.Neighbors(), g.neighbors) {
		t.Fatalf("lists %v %v %v; expected %v %v %v", c.Vertices(), c.Offsets(), c.Neighbors(), g.vertices, g.offsets,
			g.neighbors)
	}
	for i, want := range g.columns {
		got, ok := c.Column(want.Name)
		if !ok || !array.Equal(got, want.Values) || c.Columns()[i].Name != want.Name {
			t.Fatalf("column %q is %v; expected %v", want.Name, got, want.Values)
		}
	}
}

// Arrow's own reader finds the same record, for every type of column.
func TestChunk_ReadByArrow(t *testing.T) {
	chunktest.EachSeed(t, 200, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		requireArrowReads(t, mem, randomCSR(t, r, mem).chunk(t, mem))
	})
}

func TestChunk_ReadByArrow_EveryType(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	r := rand.New(rand.NewPCG(7, 7))
	for _, columnType := range columnTypes {
		for _, n := range []int32{0, 1, 100} {
			values := randomArray(r, mem, columnType, int(n))
			c := chunktest.FromCSR(t, mem, chunk.Meta{Rows: chunk.Interval{Count: 1}, Cols: chunk.Interval{Count: 1}}, nil,
				[]int32{0, n}, make([]uint32, n), chunk.EdgeColumn{Name: columnType.String(), Values: values})
			values.Release()
			requireArrowReads(t, mem, c)
			requireEqual(t, chunktest.Open(t, chunktest.Encode(t, c)), c)
		}
	}
}

func requireArrowReads(t testing.TB, mem memory.Allocator, c *chunk.Chunk) {
	t.Helper()
	reader, err := ipc.NewReader(bytes.NewReader(chunktest.Encode(t, c)), ipc.WithAllocator(mem))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	want := c.Record()
	defer want.Release()
	if !reader.Next() {
		t.Fatalf("no record: %v", reader.Err())
	}
	got := reader.Record()
	if !slices.EqualFunc(got.Schema().Fields(), want.Schema().Fields(), arrow.Field.Equal) ||
		!array.RecordEqual(got, want) {
		t.Fatalf("Arrow reads\n%v\nexpected\n%v", got, want)
	}
	for i, key := range want.Schema().Metadata().Keys() {
		if value, ok := got.Schema().Metadata().GetValue(key); !ok || value != want.Schema().Metadata().Values()[i] {
			t.Fatalf("Arrow reads metadata %s as %q", key, value)
		}
	}
	if reader.Next() || reader.Err() != nil {
		t.Fatalf("after the record: %v, %v", reader.Record(), reader.Err())
	}
}

func TestChunk_Project(t *testing.T) {
	chunktest.EachSeed(t, 100, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := randomCSR(t, r, mem)
		whole := chunktest.Open(t, chunktest.Encode(t, g.chunk(t, mem)))
		r.Shuffle(len(g.columns), func(i, k int) { g.columns[i], g.columns[k] = g.columns[k], g.columns[i] })
		g.columns = g.columns[:r.IntN(len(g.columns)+1)]
		var names []string
		for _, c := range g.columns {
			names = append(names, c.Name)
		}
		view, err := whole.Project(names...)
		if err != nil {
			t.Fatal(err)
		}
		defer view.Release()
		requireHolds(t, view, g)
		requireHolds(t, chunktest.Open(t, chunktest.Encode(t, view)), g)
		if made := g.chunk(t, mem); !bytes.Equal(chunktest.Encode(t, view), chunktest.Encode(t, made)) {
			t.Fatal("a projected chunk encodes otherwise than one made of these columns")
		}
	})
}

func TestChunk_Project_MissingColumn(t *testing.T) {
	c := fourVertices(t, chunktest.LeakChecked(t))
	var missing *chunk.ColumnError
	if _, err := c.Project("weight", "length"); !errors.As(err, &missing) || missing.Column != "length" ||
		missing.Have[0] != "weight" {
		t.Errorf("%v; expected a ColumnError for length", err)
	}
	var twice *chunk.InvalidError
	if _, err := c.Project("weight", "weight"); !errors.As(err, &twice) {
		t.Errorf("%v; expected an InvalidError", err)
	}
}

// A view outlives the chunk it was made of.
func TestChunk_Project_KeepsItsColumns(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	weight := randomArray(rand.New(rand.NewPCG(1, 1)), mem, arrow.PrimitiveTypes.Float64, 1)
	interval := chunk.Interval{Count: 1}
	whole, err := chunk.FromCSR(mem, chunk.Meta{Rows: interval, Cols: interval}, nil, []int32{0, 1}, []uint32{0},
		[]chunk.EdgeColumn{{Name: "a", Values: weight}, {Name: "b", Values: weight}})
	if err != nil {
		t.Fatal(err)
	}
	view, err := whole.Project("b")
	if err != nil {
		t.Fatal(err)
	}
	whole.Release()
	defer view.Release()
	defer weight.Release()
	if got, _ := view.Column("b"); !array.Equal(got, weight) {
		t.Errorf("column b is %v", got)
	}
	if _, ok := view.Column("a"); ok {
		t.Error("column a is still there")
	}
}

// Buffers beyond the block in which EncodeTo copies and sums at once.
func TestChunk_RoundTrip_LargeBuffers(t *testing.T) {
	const edges = 1<<17 + 3
	mem := chunktest.LeakChecked(t)
	values := randomArray(newRand(), mem, arrow.BinaryTypes.String, edges)
	defer values.Release()
	c := chunktest.FromCSR(t, mem, chunk.Meta{Rows: chunk.Interval{Count: 1}, Cols: chunk.Interval{Count: 1}}, nil,
		[]int32{0, edges}, make([]uint32, edges), chunk.EdgeColumn{Name: "text", Values: values})
	requireEqual(t, chunktest.Open(t, chunktest.Encode(t, c)), c)
}

func TestOpen_CopiesNothing(t *testing.T) {
	buf := chunktest.Encode(t, fourVertices(t, chunktest.LeakChecked(t)))
	c := chunktest.Open(t, buf)
	within := func(p unsafe.Pointer) bool {
		offset := uintptr(p) - uintptr(unsafe.Pointer(&buf[0]))
		return offset < uintptr(len(buf)) && offset%64 == 0
	}
	weights, _ := c.Float64s("weight")
	if !within(unsafe.Pointer(&c.Offsets()[0])) || !within(unsafe.Pointer(&c.Neighbors()[0])) ||
		!within(unsafe.Pointer(&weights[0])) {
		t.Error("a slice lies outside the buffer or off a multiple of 64")
	}
}

// For the race detector: readers of one chunk do not disturb each other.
func TestChunk_ManyReaders(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	g := randomCSR(t, rand.New(rand.NewPCG(3, 3)), mem)
	made := g.chunk(t, mem)
	for _, c := range []*chunk.Chunk{made, chunktest.Open(t, chunktest.Encode(t, made))} {
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				if err := errors.Join(c.Verify(), c.Validate()); err != nil {
					t.Error(err)
				}
				if _, err := c.EncodeTo(chunk.Aligned(c.EncodedSize())); err != nil {
					t.Error(err)
				}
				view, err := c.Project()
				if err != nil {
					t.Error(err)
					return
				}
				view.Release()
				for _, column := range g.columns {
					c.Float64s(column.Name)
				}
			})
		}
		wait.Wait()
	}
}
