package kernels_test

import (
	"math"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

func TestMain(m *testing.M) { softcuda.Main(m) }

// card is the first card, current on the test's thread, with a stream.
type card struct {
	t      testing.TB
	stream driver.Stream
}

func newCard(t testing.TB) *card {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	context, err := driver.Open(0)
	must(t, err)
	t.Cleanup(func() { context.Close() })
	must(t, context.Use())
	stream, err := context.NewStream()
	must(t, err)
	return &card{t, stream}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// alloc takes memory until the test ends.
func (c *card) alloc(bytes uint64) driver.Pointer {
	c.t.Helper()
	p, err := c.stream.Alloc(bytes)
	must(c.t, err)
	c.t.Cleanup(func() { c.stream.Free(p) })
	return p
}

// up copies values to the card.
func up[T any](c *card, values ...T) driver.Pointer {
	c.t.Helper()
	p := c.alloc(uint64(len(bytesOf(values))))
	must(c.t, c.stream.CopyIn(p, bytesOf(values)))
	must(c.t, c.stream.Synchronize())
	runtime.KeepAlive(values)
	return p
}

// down copies n values from the card, once the stream has passed.
func down[T any](c *card, p driver.Pointer, n int) []T {
	c.t.Helper()
	values := make([]T, n)
	must(c.t, c.stream.CopyOut(bytesOf(values), p))
	must(c.t, c.stream.Synchronize())
	return values
}

func bytesOf[T any](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), uintptr(len(values))*unsafe.Sizeof(*new(T)))
}

// csr is a chunk of lists: of rows, and of columns, an interval each.
type csr struct {
	rowsBase, colsBase uint64
	vertices           []uint32
	offsets            []int32
	neighbors          []uint32
	columns            [][]float64
}

// interval is what rows and columns lie in.
type interval struct{ from, to int }

// part is what of lists is in an interval of rows and one of columns. A sparse one has no rows without edges.
func part(lists algorithms.Lists, names []string, rows, cols interval, sparse bool) csr {
	c := csr{rowsBase: uint64(rows.from), colsBase: uint64(cols.from), offsets: []int32{0},
		columns: make([][]float64, len(names))}
	if sparse {
		c.vertices = []uint32{}
	}
	for v := rows.from; v < rows.to; v++ {
		for i := lists.Offsets[v]; i < lists.Offsets[v+1]; i++ {
			u := int(lists.Neighbors[i])
			if u < cols.from || u >= cols.to {
				continue
			}
			c.neighbors = append(c.neighbors, uint32(u-cols.from))
			for k, name := range names {
				c.columns[k] = append(c.columns[k], lists.Columns[name][i])
			}
		}
		if end := int32(len(c.neighbors)); !sparse || end > c.offsets[len(c.offsets)-1] {
			c.offsets = append(c.offsets, end)
			if sparse {
				c.vertices = append(c.vertices, uint32(v-rows.from))
			}
		}
	}
	return c
}

// resident puts a chunk on the card.
func (c *card) resident(l csr) *kernels.Resident {
	r := &kernels.Resident{}
	r.Rows, r.Edges, r.RowsBase, r.ColsBase = uint64(len(l.offsets)-1), uint64(len(l.neighbors)), l.rowsBase, l.colsBase
	r.Offsets, r.Neighbors = up(c, l.offsets...), up(c, l.neighbors...)
	if l.vertices != nil {
		r.Vertices = up(c, append(l.vertices, 0)...) // not a null pointer
	}
	for k, values := range l.columns {
		r.Columns[k] = up(c, values...)
	}
	r.At = up(c, r.Chunk)
	return r
}

// bitsOf are a result's values as 64 bits each.
func bitsOf(v algorithms.Values) []uint64 {
	var all []uint64
	for _, x := range v.Floats {
		all = append(all, math.Float64bits(x))
	}
	for _, x := range v.Ints {
		all = append(all, uint64(x))
	}
	for _, x := range v.Bools {
		all = append(all, uint64(*(*byte)(unsafe.Pointer(&x))))
	}
	return slices.Clip(all)
}
