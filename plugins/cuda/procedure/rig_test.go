package procedure_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/cuda/procedure"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

func TestMain(m *testing.M) { softcuda.Main(m) }

// rig is a card with the procedures' kernels, for one test.
type rig struct {
	t       *testing.T
	stream  driver.Stream
	kernels *kernels.Procedures
	plain   *kernels.Plain
	answer  []byte
	taken   []driver.Pointer // until the run is over
	hosts   [][]byte         // that copies may still read
}

func newRig(t *testing.T) *rig {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	card := must(driver.Open(0))(t)
	t.Cleanup(func() { check(t, card.Close()) })
	check(t, card.Use())
	r := &rig{t: t, stream: must(card.NewStream())(t), kernels: must(kernels.LoadProcedures())(t),
		plain: must(kernels.LoadPlain())(t), answer: must(driver.AllocPinned(64))(t)}
	t.Cleanup(func() {
		check(t, r.stream.Synchronize())
		r.release()
		check(t, errors.Join(r.kernels.Unload(), r.plain.Unload()))
		check(t, driver.FreePinned(r.answer))
		check(t, r.stream.Destroy())
	})
	return r
}

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		check(t, err)
		return value
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// put copies values to the card.
func put[T any](r *rig, values []T) driver.Pointer {
	r.t.Helper()
	var value T
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(value)))
	at := r.take(uint64(len(bytes)))
	r.hosts = append(r.hosts, bytes)
	check(r.t, r.stream.CopyIn(at, bytes))
	return at
}

func (r *rig) take(bytes uint64) driver.Pointer {
	r.t.Helper()
	at := must(r.stream.Alloc(bytes))(r.t)
	r.taken = append(r.taken, at)
	return at
}

// release gives back what has been taken.
func (r *rig) release() {
	for _, at := range r.taken {
		check(r.t, r.stream.Free(at))
	}
	check(r.t, r.stream.Synchronize())
	r.taken, r.hosts = nil, nil
}

// cut says how the lists are made into chunks: how many pieces each way, and whether vertices without edges in a
// piece are left out.
type cut struct {
	rows, cols int
	sparse     bool
}

var cuts = []cut{{1, 1, false}, {7, 1, true}, {3, 4, false}, {2, 5, true}}

// chunks puts the lists of one direction on the card, in pieces that begin at random places.
func (r *rig) chunks(random *rand.Rand, g *algorithms.Graph, d chunk.Direction, c cut) (all []kernels.Resident) {
	l := g.Out
	if d == chunk.In {
		l = g.In
	}
	rows, cols := places(random, g.N(), c.rows), places(random, g.N(), c.cols)
	for i := range c.rows {
		for j := range c.cols {
			all = append(all, r.chunk(l, d, rows[i], rows[i+1], cols[j], cols[j+1], c.sparse))
		}
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// places are where so many pieces of n begin, and n.
func places(random *rand.Rand, n, pieces int) []int {
	at := []int{0, n}
	for range pieces - 1 {
		at = append(at, random.IntN(n+1))
	}
	slices.Sort(at)
	return at
}

func (r *rig) chunk(l algorithms.Lists, d chunk.Direction, row, rowEnd, col, colEnd int, sparse bool) kernels.Resident {
	var vertices, neighbors []uint32
	offsets := []int32{0}
	for v := row; v < rowEnd; v++ {
		for _, u := range l.Of(v) {
			if int(u) >= col && int(u) < colEnd {
				neighbors = append(neighbors, u-uint32(col))
			}
		}
		if sparse && len(neighbors) == int(offsets[len(offsets)-1]) {
			continue
		}
		vertices, offsets = append(vertices, uint32(v-row)), append(offsets, int32(len(neighbors)))
	}
	c := kernels.Chunk{Rows: uint64(len(vertices)), Edges: uint64(len(neighbors)), RowsBase: uint64(row),
		ColsBase: uint64(col),
		Offsets:  put(r, offsets), Neighbors: put(r, neighbors)}
	if sparse {
		c.Vertices = put(r, vertices)
	}
	return kernels.Resident{Direction: d, Chunk: c, At: put(r, []kernels.Chunk{c})}
}

func graphOf(g *algorithms.Graph) plugins.Graph {
	edges := len(g.Out.Neighbors)
	if !g.Directed {
		edges = 0
		for v := range g.N() {
			for _, u := range g.Out.Of(v) {
				if int(u) >= v {
					edges++
				}
			}
		}
	}
	return plugins.Graph{Vertices: uint64(g.N()), Edges: uint64(edges), Directed: g.Directed}
}

// job is a on g, on the card. The result column, the last of a's, holds rubbish.
func (r *rig) job(random *rand.Rand, a *algorithms.Algorithm, args algorithms.Args, g *algorithms.Graph,
	c cut) procedure.Job {
	r.t.Helper()
	graph := graphOf(g)
	scratch, err := procedure.Scratch(a.Name, graph)
	check(r.t, err)
	job := procedure.Job{Stream: r.stream, Kernels: r.kernels, Plain: r.plain, Graph: graph, Args: args, IDs: g.IDs,
		Answer:  r.answer,
		Scratch: r.take(scratch), Tell: func(float64) {}}
	for _, d := range procedure.Directions(graph) {
		job.Chunks = append(job.Chunks, r.chunks(random, g, d, c)...)
	}
	out, in, rubbish := make([]int64, g.N()), make([]int64, g.N()), make([]int64, g.N())
	for v := range g.N() {
		out[v], in[v], rubbish[v] = int64(g.Out.Degree(v)), int64(g.In.Degree(v)), -12345
	}
	job.Columns = map[string]driver.Pointer{"id": put(r, g.IDs), "out_degree": put(r, out), "in_degree": put(r, in),
		a.Result[0].Name: put(r, rubbish)}
	return job
}

// result runs a and copies its column back.
func (r *rig) result(ctx context.Context, a *algorithms.Algorithm, job procedure.Job) ([]algorithms.Values, error) {
	r.t.Helper()
	if _, err := procedure.Run(ctx, a.Name, job); err != nil {
		return nil, err
	}
	bytes := make([]byte, 8*job.Graph.Vertices)
	check(r.t, r.stream.CopyOut(bytes, job.Columns[a.Result[0].Name]))
	check(r.t, r.stream.Synchronize())
	values := algorithms.Values{Column: a.Result[0]}
	for v := range job.Graph.Vertices {
		word := binary.LittleEndian.Uint64(bytes[8*v:])
		if values.Type == algorithms.Float {
			values.Floats = append(values.Floats, math.Float64frombits(word))
		} else {
			values.Ints = append(values.Ints, int64(word))
		}
	}
	return []algorithms.Values{values}, nil
}
