package npu

import (
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/npu/internal/matrix"
	"github.com/penstock-db/penstock/plugins/npu/model"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

// ring is an undirected graph 0 – 1 – … – 0, each edge so many times, in an arena of a device's, with room for columns
// behind it.
type ring struct {
	t      *testing.T
	device *device
	arena  *arena.Arena
	chunk  plugins.Command // its Upload
	behind uint64          // where the columns begin
}

const ringSize = 100

func newRing(t *testing.T, parallel int) *ring {
	t.Helper()
	orttest.Runtime(t)
	opened, err := New(Options{Library: orttest.Path()})
	if err != nil {
		t.Fatal(err)
	}
	offsets, neighbors := []int32{0}, []uint32{}
	for v := range uint32(ringSize) {
		before, behind := (v+ringSize-1)%ringSize, (v+1)%ringSize
		neighbors = append(neighbors, slices.Repeat([]uint32{min(before, behind)}, parallel)...)
		neighbors = append(neighbors, slices.Repeat([]uint32{max(before, behind)}, parallel)...)
		offsets = append(offsets, int32(len(neighbors)))
	}
	all := chunk.Interval{Count: ringSize}
	c, err := chunk.FromCSR(memory.DefaultAllocator, chunk.Meta{Direction: chunk.Both, Rows: all, Cols: all}, nil, offsets,
		neighbors, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Release()
	r := &ring{t: t, device: opened.(*device), behind: uint64(c.EncodedSize())}
	if r.arena, err = arena.Create(r.behind + 1<<16); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.arena.Close() })
	r.chunk = plugins.Command{Op: plugins.Upload, At: arena.Range{Length: r.behind}}
	buf, err := r.arena.Bytes(r.chunk.At)
	if err == nil {
		_, err = c.EncodeTo(buf)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// program is an algorithm ready for the graph.
func (r *ring) program(name string) *algorithms.Program {
	r.t.Helper()
	a, err := catalog.Lookup(name)
	if err != nil {
		r.t.Fatal(err)
	}
	p, err := a.Program(algorithms.Args{Ints: map[string]int64{"source": 0},
		Floats: map[string]float64{"damping": 0.85, "tolerance": 1e-6}})
	if err == nil {
		err = algorithms.Check(p, nil)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return p
}

// run has a session of its own carry out an algorithm, after some commands, and tells what it leaves.
func (r *ring) run(name string, before ...plugins.Command) *model.Model {
	r.t.Helper()
	p := r.program(name)
	s, _ := r.compile(p, 0)
	commands := make(chan plugins.Command, 8)
	for _, c := range append(before, r.chunk, plugins.Command{Op: plugins.Init}, plugins.Command{Op: plugins.Iterate}) {
		commands <- c
	}
	close(commands)
	if err := s.Execute(r.t.Context(), commands, func(plugins.Event) {}); err != nil {
		r.t.Fatal(err)
	}
	if err := s.Close(); err != nil || r.left() == nil {
		r.t.Fatalf("%s left nothing: %v", name, err)
	}
	return r.left().Model
}

// left is what a session has left on the arena.
func (r *ring) left() *matrix.Legacy {
	l := r.device.estate.Take(r.arena)
	if l != nil {
		r.device.estate.Put(l)
	}
	return l
}

// used is what a session takes after Init.
func (r *ring) used(s plugins.Session) (bytes uint64) {
	r.t.Helper()
	commands := make(chan plugins.Command, 1)
	commands <- plugins.Command{Op: plugins.Init}
	close(commands)
	if err := s.Execute(r.t.Context(), commands, func(e plugins.Event) { bytes = e.Resident }); err != nil {
		r.t.Fatal(err)
	}
	return bytes
}

// compile opens a session with a budget and has it plan a program.
func (r *ring) compile(p *algorithms.Program, budget uint64) (plugins.Session, plugins.Plan) {
	r.t.Helper()
	s, err := r.device.Open(r.t.Context(), plugins.Job{Arena: r.arena, Budget: budget,
		Graph: plugins.Graph{Vertices: ringSize, Edges: ringSize, Linked: ringSize}})
	if err != nil {
		r.t.Fatal(err)
	}
	plan, err := s.Compile(r.t.Context(), plugins.Task{Program: p, Layout: r.layout(p)})
	if err != nil {
		r.t.Fatal(err)
	}
	return s, plan
}

func (r *ring) layout(p *algorithms.Program) (l plugins.Layout) {
	at := r.behind
	for _, c := range algorithms.VertexColumns(p) {
		l.Columns = append(l.Columns, plugins.VertexColumn{Column: c, Range: arena.Range{Offset: at, Length: 8 * ringSize}})
		at += 832 // 8 * ringSize, aligned
	}
	l.Active = arena.Range{Offset: at, Length: 16}
	return l
}

// What a session has made the next takes over, even for another program that has no use for weights either; a chunk
// that was evicted may have changed meanwhile.
func TestLegacy(t *testing.T) {
	r := newRing(t, 1)
	first := r.run("pagerank")
	if again := r.run("pagerank"); again != first {
		t.Error("the second PageRank has made another matrix")
	}
	if other := r.run("bfs"); other != first {
		t.Error("BFS has made another matrix")
	}
	if evicted := r.run("bfs", r.chunk, plugins.Command{Op: plugins.Evict}); evicted == first {
		t.Error("a matrix was taken over though its chunk was evicted")
	}
}

// So many parallel edges take a second matrix, which no plan foretells: it is taken over as well, counts then, and is
// given up where there is no room for it.
func TestLegacy_OfParallelEdges(t *testing.T) {
	r := newRing(t, 1000)
	p := r.program("pagerank")
	s, bare := r.compile(p, 0)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	first := r.run("pagerank")
	if again, other := r.run("pagerank"), r.run("bfs"); again != first || other != first {
		t.Error("the matrices were made anew")
	}
	more := r.left().More
	for _, c := range []struct {
		budget, expected uint64
	}{{bare.Fixed + more + kit.SmallestChunk, more}, {bare.Fixed + more + kit.SmallestChunk - 1, 0}} {
		s, plan := r.compile(p, c.budget)
		if used := r.used(s); more == 0 || plan.Fixed != bare.Fixed+c.expected || plan.Kept != bare.Kept+c.expected ||
			used != plan.Fixed {
			t.Errorf("budget %d: plan %+v, %d in use, %d more; without a legacy %+v", c.budget, plan, used, more, bare)
		}
		if err := s.Close(); err != nil || (r.left() == nil) != (c.expected == 0) {
			t.Errorf("budget %d: %v, or it has left another matrix than expected", c.budget, err)
		}
	}
}
