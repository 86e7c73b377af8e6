package cpu_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cpu"
	"github.com/penstock-db/penstock/plugins/kit"
)

// rig is a graph cut into chunks in an arena, as a host would have it: what a session needs.
type rig struct {
	tb      testing.TB
	device  plugins.Device
	graph   *algorithms.Graph
	arena   *arena.Arena
	region  *arena.Region
	budget  uint64
	threads int
	stripes int // chunks for each direction
	columns int // column intervals that each stripe is cut into

	session plugins.Session
	plan    plugins.Plan
	layout  plugins.Layout
	uploads []plugins.Command
	events  []plugins.Event
}

func newRig(tb testing.TB, g *algorithms.Graph, size uint64) *rig {
	a, err := arena.Create(size)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := a.Close(); err != nil {
			tb.Error(err)
		}
	})
	return &rig{tb: tb, device: cpu.New(cpu.Options{}), graph: g, arena: a, region: arena.NewRegion(size), threads: 2,
		stripes: 1, columns: 1}
}

func (r *rig) job() plugins.Job {
	edges := r.graph.Out.Offsets[r.graph.N()]
	if !r.graph.Directed {
		edges = (edges + loops(r.graph)) / 2
	}
	return plugins.Job{Arena: r.arena, Budget: r.budget, Threads: r.threads,
		Graph: plugins.Graph{Name: "test", Vertices: uint64(r.graph.N()), Edges: uint64(edges), Directed: r.graph.Directed}}
}

func loops(g *algorithms.Graph) (count int) {
	for v := range g.N() {
		for _, u := range g.Out.Of(v) {
			if int(u) == v {
				count++
			}
		}
	}
	return count
}

// compile opens a session and lays the columns out.
func (r *rig) compile(task plugins.Task, columns []algorithms.Column, vectors ...algorithms.VectorInput) error {
	var err error
	r.layout = plugins.Layout{Active: r.place(8 * (r.graph.N() + 63) / 64)}
	for _, c := range columns {
		r.layout.Columns = append(r.layout.Columns,
			plugins.VertexColumn{Column: c, Range: r.place(int(kit.ColumnBytes(c, uint64(r.graph.N()))))})
	}
	for _, in := range vectors {
		bytes := int(4 * in.Count(uint64(r.graph.N())))
		at := r.place(bytes)
		at.Length = uint64(bytes)
		r.layout.Rows = append(r.layout.Rows, plugins.VertexRows{Rows: in.Rows, Range: at})
	}
	r.fillInputs()
	if task.Program != nil {
		r.fillSums(task.Program.Properties)
	}
	if r.session, err = r.device.Open(context.Background(), r.job()); err != nil {
		return err
	}
	r.tb.Cleanup(func() { _ = r.session.Close() })
	task.Layout = r.layout
	r.plan, err = r.session.Compile(context.Background(), task)
	return err
}

// program compiles p.
func (r *rig) program(p *algorithms.Program) error {
	if err := algorithms.Check(p, r.graph.EdgeColumns()); err != nil {
		return err
	}
	return r.compile(plugins.Task{Program: p}, algorithms.VertexColumns(p))
}

func (r *rig) place(bytes int) arena.Range {
	at, err := r.region.Alloc(uint64(bytes+63) &^ 63)
	if err != nil {
		r.tb.Fatal(err)
	}
	return at
}

func (r *rig) fillInputs() {
	for _, c := range r.layout.Columns {
		input := map[string]func(v int) int64{"id": func(v int) int64 { return r.graph.IDs[v] },
			"out_degree": func(v int) int64 { return int64(r.graph.Out.Degree(v)) },
			"in_degree":  func(v int) int64 { return int64(r.graph.In.Degree(v)) }}[c.Name]
		if input == nil {
			continue
		}
		values, err := r.arena.Int64s(c.Range)
		if err != nil {
			r.tb.Fatal(err)
		}
		for v := range r.graph.N() {
			values[v] = input(v)
		}
	}
}

// fillSums writes those properties that are sums of weights.
func (r *rig) fillSums(properties []algorithms.Property) {
	for _, p := range properties {
		for _, c := range r.layout.Columns {
			if p.Sums == "" || c.Column != p.Column() {
				continue
			}
			values, err := r.arena.Float64s(c.Range)
			if err != nil {
				r.tb.Fatal(err)
			}
			copy(values, r.graph.OutWeight(p.Sums))
		}
	}
}

// chunks cuts the lists that the plan wants into chunks, in the arena.
func (r *rig) chunks() {
	edgeColumns := r.graph.EdgeColumns()
	for _, d := range r.plan.Directions {
		lists := r.graph.Out
		if d == chunk.In {
			lists = r.graph.In
		}
		if !r.graph.Directed {
			d = chunk.Both
		}
		for s := range r.stripes {
			for c := range r.columns {
				r.encode(d, lists, share(r.graph.N(), s, r.stripes), share(r.graph.N(), c, r.columns), edgeColumns)
			}
		}
	}
}

func share(n, i, of int) chunk.Interval {
	from, to := n*i/of, n*(i+1)/of
	return chunk.Interval{Base: uint64(from), Count: uint64(to - from)}
}

// encode makes one chunk; every other one leaves out the rows without edges.
func (r *rig) encode(d chunk.Direction, lists algorithms.Lists, rows, cols chunk.Interval, names []string) {
	sparse := len(r.uploads)%2 == 1
	var vertices, neighbors []uint32
	if sparse {
		vertices = []uint32{}
	}
	offsets, weights := []int32{0}, make([][]float64, len(names))
	for v := rows.Base; v < rows.End(); v++ {
		before := len(neighbors)
		for k := lists.Offsets[v]; k < lists.Offsets[v+1]; k++ {
			u := uint64(lists.Neighbors[k])
			if u < cols.Base || u >= cols.End() {
				continue
			}
			neighbors = append(neighbors, uint32(u-cols.Base))
			for i, name := range names {
				weights[i] = append(weights[i], lists.Columns[name][k])
			}
		}
		if sparse && len(neighbors) == before {
			continue
		}
		if sparse {
			vertices = append(vertices, uint32(v-rows.Base))
		}
		offsets = append(offsets, int32(len(neighbors)))
	}
	meta := chunk.Meta{Graph: "test", Direction: d, Rows: rows, Cols: cols}
	r.put(meta, vertices, offsets, neighbors, names, weights)
}

func (r *rig) put(meta chunk.Meta, vertices []uint32, offsets []int32, neighbors []uint32, names []string,
	weights [][]float64) {
	var columns []chunk.EdgeColumn
	for i, name := range names {
		b := array.NewFloat64Builder(memory.DefaultAllocator)
		b.AppendValues(weights[i], nil)
		columns = append(columns, chunk.EdgeColumn{Name: name, Values: b.NewArray()})
	}
	c, err := chunk.FromCSR(memory.DefaultAllocator, meta, vertices, offsets, neighbors, columns)
	if err != nil {
		r.tb.Fatal(err)
	}
	defer c.Release()
	at := r.place(c.EncodedSize())
	buf, err := r.arena.Bytes(at)
	if err != nil {
		r.tb.Fatal(err)
	}
	if _, err := c.EncodeTo(buf); err != nil {
		r.tb.Fatal(err)
	}
	r.uploads = append(r.uploads, plugins.Command{Op: plugins.Upload, Chunk: uint32(len(r.uploads)), At: at})
}

// do runs commands in one Execute and keeps the events.
func (r *rig) do(ctx context.Context, talk func(ask func(plugins.Command) plugins.Event)) error {
	commands, events := make(chan plugins.Command), make(chan plugins.Event)
	result := make(chan error, 1)
	go func() {
		result <- r.session.Execute(ctx, commands, func(e plugins.Event) {
			r.events = append(r.events, e)
			if e.Done {
				events <- e
			}
		})
		close(events)
	}()
	var seq uint64
	failed := false
	talk(func(c plugins.Command) plugins.Event {
		if failed {
			return plugins.Event{}
		}
		seq++
		c.Seq = seq
		commands <- c
		e := <-events
		failed = e.Err != nil
		return e
	})
	close(commands)
	return <-result
}

// whole uploads everything and iterates.
func (r *rig) whole() (int, error) { return r.wholeIn(context.Background()) }

func (r *rig) wholeIn(ctx context.Context) (int, error) {
	iterations := 0
	err := r.do(ctx, func(ask func(plugins.Command) plugins.Event) {
		for _, u := range r.uploads {
			ask(u)
		}
		ask(plugins.Command{Op: plugins.Init})
		if e := ask(plugins.Command{Op: plugins.Iterate}); e.Iteration != nil {
			iterations = e.Iteration.Number
		}
	})
	return iterations, err
}

// streamed has one chunk resident at a time.
func (r *rig) streamed() (int, error) {
	iterations := 0
	err := r.do(context.Background(), func(ask func(plugins.Command) plugins.Event) {
		e := ask(plugins.Command{Op: plugins.Init})
		for e.Iteration != nil && !e.Iteration.Converged {
			for _, u := range r.uploads {
				ask(u)
				ask(plugins.Command{Op: plugins.Step, Chunk: u.Chunk})
				ask(plugins.Command{Op: plugins.Evict, Chunk: u.Chunk})
			}
			e = ask(plugins.Command{Op: plugins.Apply})
		}
		if e.Iteration != nil {
			iterations = e.Iteration.Number
		}
	})
	return iterations, err
}

// listed has of each chunk what the device asks for of the lists of active rows, and nothing
// else. It returns how many entries that was.
func (r *rig) listed() (entries int, err error) {
	room := r.place(4 << 20)
	err = r.do(context.Background(), func(ask func(plugins.Command) plugins.Event) {
		e := ask(plugins.Command{Op: plugins.Init})
		for e.Iteration != nil && !e.Iteration.Converged {
			for _, u := range r.uploads {
				at, wanted := r.cutOut(u.At, e.Iteration.Places, room)
				if wanted == 0 {
					continue
				}
				entries += wanted
				u.At = at
				ask(u)
				ask(plugins.Command{Op: plugins.Step, Chunk: u.Chunk})
				ask(plugins.Command{Op: plugins.Evict, Chunk: u.Chunk})
			}
			e = ask(plugins.Command{Op: plugins.Apply})
		}
	})
	return entries, err
}

// cutOut makes a chunk of what stands at places in a chunk's lists of active rows.
func (r *rig) cutOut(of arena.Range, places chunk.Places, to arena.Range) (at arena.Range, entries int) {
	src, err1 := r.arena.Bytes(of)
	dst, err2 := r.arena.Bytes(to)
	c, err3 := chunk.Open(src)
	if err := errors.Join(err1, err2, err3); err != nil {
		r.tb.Fatal(err)
	}
	defer c.Release()
	part, err := cut.Join(cut.Select(c, r.active(), 0, places))
	if err == nil {
		to.Length = uint64(part.EncodedSize())
		_, err = part.EncodeTo(dst, 1)
	}
	if err != nil {
		r.tb.Fatal(err)
	}
	return to, part.Edges()
}

// column reads a column out of the arena.
func (r *rig) column(want algorithms.Column) algorithms.Values {
	got := algorithms.NewValues(want, r.graph.N())
	for _, c := range r.layout.Columns {
		if c.Name != want.Name {
			continue
		}
		floats, err1 := r.arena.Float64s(c.Range)
		ints, err2 := r.arena.Int64s(c.Range)
		bytes, err3 := r.arena.Bytes(c.Range)
		if err := errors.Join(err1, err2, err3); err != nil {
			r.tb.Fatal(err)
		}
		copy(got.Floats, floats)
		copy(got.Ints, ints)
		for i := range got.Bools {
			got.Bools[i] = bytes[i] != 0
		}
	}
	return got
}

// randomGraph has loops, parallel edges, isolated vertices and two weights, with hubs.
func randomGraph(random *rand.Rand, n, edges int, directed bool) *algorithms.Graph {
	ids := make([]int64, n)
	for v, at := range random.Perm(n) {
		ids[v] = int64(3*at + 1)
	}
	list := make([]algorithms.Edge, edges)
	hubbed := func() uint32 { return uint32(random.IntN(1 + random.IntN(n))) }
	for i := range list {
		list[i] = algorithms.Edge{Src: hubbed(), Dst: uint32(random.IntN(n)),
			Weights: map[string]float64{"weight": float64(1 + random.IntN(8)), "share": random.Float64()}}
	}
	return algorithms.NewGraph(directed, ids, list)
}
