package solve

import (
	"context"
	"errors"
	"maps"
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
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// rig is a card with a graph on it, in chunks, and a program after Init.
type rig struct {
	testing.TB
	context *driver.Context
	stream  driver.Stream
	kernels *kernels.Solve

	graph   *algorithms.Graph
	spec    *algorithms.Program
	stripes int // chunks for each direction
	columns int // column intervals that each stripe is cut into
	chunks  []kernels.Resident
	program kernels.Program
	at      driver.Pointer
	told    []plugins.Iteration
	edges   uint64
}

// newRig has the first card, on this thread until the test ends.
func newRig(tb testing.TB) *rig {
	runtime.LockOSThread()
	tb.Cleanup(runtime.UnlockOSThread)
	r := &rig{TB: tb, stripes: 1, columns: 1}
	var err error
	r.context, err = driver.Open(0)
	r.must(err)
	tb.Cleanup(func() { r.must(r.context.Close()) })
	r.must(r.context.Use())
	r.stream, err = r.context.NewStream()
	r.must(err)
	tb.Cleanup(func() { r.must(r.stream.Destroy()) })
	r.kernels, err = kernels.LoadSolve()
	r.must(err)
	tb.Cleanup(func() { r.must(r.kernels.Unload()) })
	return r
}

func (r *rig) must(err error) {
	if err != nil {
		r.Helper()
		r.Fatal(err)
	}
}

// alloc takes memory of the card until the test ends.
func (r *rig) alloc(bytes uint64) driver.Pointer {
	p, err := r.stream.Alloc(bytes)
	r.must(err)
	r.Cleanup(func() { r.must(r.stream.Free(p)) })
	return p
}

// onCard has values on the card.
func onCard[T any](r *rig, values ...T) driver.Pointer {
	bytes := bytesIn(values)
	p := r.alloc(uint64(len(bytes)))
	r.must(errors.Join(r.stream.CopyIn(p, bytes), r.stream.Synchronize()))
	return p
}

func fromCard[T any](r *rig, from driver.Pointer, count int) []T {
	values := make([]T, count)
	r.must(errors.Join(r.stream.CopyOut(bytesIn(values), from), r.stream.Synchronize()))
	return values
}

func bytesIn[T any](values []T) []byte {
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(one)))
}

// lay puts g on the card, for p.
func (r *rig) lay(g *algorithms.Graph, p *algorithms.Program) {
	r.must(algorithms.Check(p, g.EdgeColumns()))
	r.graph, r.spec, r.chunks = g, p, nil
	directions := map[chunk.Direction]algorithms.Lists{}
	switch {
	case !g.Directed:
		directions[chunk.Both] = g.Out
	// Rows send, but for sums.
	case p.Edges != algorithms.BothSides && (p.Edges == algorithms.Forward) == (p.Reduce != algorithms.Sum):
		directions[chunk.Out] = g.Out
	case p.Edges != algorithms.BothSides:
		directions[chunk.In] = g.In
	default:
		directions[chunk.Out], directions[chunk.In] = g.Out, g.In
	}
	for _, d := range slices.Sorted(maps.Keys(directions)) {
		lists := directions[d]
		for s := range r.stripes {
			for c := range r.columns {
				r.cut(d, lists, part(g.N(), s, r.stripes), part(g.N(), c, r.columns))
			}
		}
	}
}

func part(n, i, of int) chunk.Interval {
	from, to := n*i/of, n*(i+1)/of
	return chunk.Interval{Base: uint64(from), Count: uint64(to - from)}
}

// cut puts a chunk on the card; every other one leaves out the rows without edges.
func (r *rig) cut(d chunk.Direction, lists algorithms.Lists, rows, cols chunk.Interval) {
	sparse := len(r.chunks)%2 == 1
	var vertices, neighbors []uint32
	offsets, weights := []int32{0}, make([][]float64, len(r.spec.EdgeColumns))
	for v := rows.Base; v < rows.End(); v++ {
		before := len(neighbors)
		for k := lists.Offsets[v]; k < lists.Offsets[v+1]; k++ {
			u := uint64(lists.Neighbors[k])
			if u < cols.Base || u >= cols.End() {
				continue
			}
			neighbors = append(neighbors, uint32(u-cols.Base))
			for i, name := range r.spec.EdgeColumns {
				weights[i] = append(weights[i], lists.Columns[name][k])
			}
		}
		if sparse && len(neighbors) == before {
			continue
		}
		vertices = append(vertices, uint32(v-rows.Base))
		offsets = append(offsets, int32(len(neighbors)))
	}
	c := kernels.Chunk{Rows: uint64(len(vertices)), Edges: uint64(len(neighbors)), RowsBase: rows.Base,
		ColsBase: cols.Base,
		Offsets:  onCard(r, offsets...), Neighbors: onCard(r, neighbors...)}
	if sparse {
		c.Vertices = onCard(r, append(vertices, 0)...) // not 0, though there be none
	}
	for i := range weights {
		c.Columns[i] = onCard(r, weights[i]...)
	}
	r.chunks = append(r.chunks, kernels.Resident{Number: uint32(len(r.chunks)), Direction: d, Interval: rows, Chunk: c,
		At: onCard(r, c)})
}

// init has the program's state on the card as it is after Init.
func (r *rig) init() {
	begun := *r.spec
	begun.Exactly, begun.MaxIterations = true, 0 // no iteration
	state, _, err := algorithms.RunProgram(r.graph, &begun)
	r.must(err)
	first := state[0]
	words := bitmap.Words(r.graph.N())
	active := make([]uint64, words)
	nothing := identity(r.spec.Reduce, first.Type)
	for v := range r.graph.N() {
		if bitsAt(first, v) != nothing.Bits {
			active[v/64] |= 1 << (v % 64)
		}
	}
	r.program = kernels.Program{Vertices: uint64(r.graph.N()), Reduce: uint64(r.spec.Reduce),
		AccType: uint64(kind(first.Type)), Activity: uint64(r.spec.Activity),
		Norm: uint64(r.spec.Norm), FirstType: uint64(kind(first.Type)), Acc: r.alloc(8 * uint64(r.graph.N())),
		Active: onCard(r, active...), NextActive: r.alloc(8 * uint64(words))}
	for i, column := range state {
		r.program.Columns[kernels.ColumnState+i] = r.column(column)
	}
	r.at = onCard(r, r.program)
}

func (r *rig) column(values algorithms.Values) driver.Pointer {
	switch kind(values.Type) {
	case algorithms.Float:
		return onCard(r, values.Floats...)
	case algorithms.Int:
		return onCard(r, values.Ints...)
	}
	return onCard(r, values.Bools...)
}

func bitsAt(values algorithms.Values, v int) uint64 {
	switch kind(values.Type) {
	case algorithms.Float:
		return floatValue(values.Floats[v]).Bits
	case algorithms.Int:
		return intValue(values.Ints[v]).Bits
	}
	return boolValue(values.Bools[v]).Bits
}

// first is the first state column as it is on the card.
func (r *rig) first() algorithms.Values {
	n, at := r.graph.N(), r.program.Columns[kernels.ColumnState]
	values := algorithms.NewValues(algorithms.Column{Name: r.spec.State[0].Name, Type: r.spec.State[0].Type}, n)
	switch kind(values.Type) {
	case algorithms.Float:
		values.Floats = fromCard[float64](r, at, n)
	case algorithms.Int:
		values.Ints = fromCard[int64](r, at, n)
	default:
		values.Bools = fromCard[bool](r, at, n)
	}
	return values
}

// active is the active set as it is on the card.
func (r *rig) active() []uint64 {
	return fromCard[uint64](r, r.program.Active, bitmap.Words(r.graph.N()))
}

func (r *rig) shape() plugins.Graph {
	return plugins.Graph{Vertices: uint64(r.graph.N()), Edges: uint64(len(r.graph.Out.Neighbors)),
		Directed: r.graph.Directed}
}

// run has the program's solver run, from Init.
func (r *rig) run(ctx context.Context) (solved bool, err error) {
	solver, ok := For(r.spec, r.shape())
	if !ok {
		r.Helper()
		r.Fatalf("no solver for %s", r.spec.Name)
	}
	return r.with(ctx, solver)
}

// with has a solver run, from Init.
func (r *rig) with(ctx context.Context, solver Solver) (solved bool, err error) {
	r.init()
	return r.start(ctx, solver, func(*Job) {})
}

// start has a solver run on the state that there is.
func (r *rig) start(ctx context.Context, solver Solver, more func(*Job)) (solved bool, err error) {
	r.told, r.edges = nil, 0
	answer, err := driver.AllocPinned(AnswerBytes)
	r.must(err)
	defer func() { r.must(driver.FreePinned(answer)) }()
	job := Job{Card: r.context.Card, Stream: r.stream, Kernels: r.kernels, Spec: r.spec, Program: r.program,
		At: r.at, Chunks: r.chunks, Scratch: r.alloc(solver.Scratch(uint64(r.graph.N()))), Answer: answer,
		Tell: func(i plugins.Iteration, edges uint64) { r.told, r.edges = append(r.told, i), edges }}
	more(&job)
	solved, err = solver.Run(ctx, job)
	r.must(r.stream.Synchronize())
	return solved, err
}

// randomChunks have intervals that overlap as they like, some of them empty.
func randomChunks(random *rand.Rand) (chunks []kernels.Resident) {
	for range random.IntN(8) {
		base := random.Uint64N(30)
		chunks = append(chunks, kernels.Resident{Number: uint32(len(chunks)),
			Interval: chunk.Interval{Base: base, Count: random.Uint64N(10)}, Chunk: kernels.Chunk{Edges: random.Uint64N(3)}})
	}
	return chunks
}

// addressOf is where pinned memory is, for the card as for the host.
func addressOf(memory []byte) driver.Pointer {
	return driver.Pointer(uintptr(unsafe.Pointer(unsafe.SliceData(memory))))
}
