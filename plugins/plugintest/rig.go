package plugintest

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// mode is how a host drives a task.
type mode struct {
	name       string
	streamed   bool            // a few chunks at a time, Step by Step; otherwise all at once, and Iterate
	mapped     bool            // chunks lie in a file, with all their edge columns, if the device can read them there
	active     bool            // of a chunk only the rows that are active, if the plan allows it; every other time the device finds them, if it can
	settled    bool            // some rows of all chunks at a time, and Settle, if the device can
	restorable bool            // state is taken out of the session, and put into another
	share      *chunk.Interval // of the vertices, of several sessions' work; nil: all
	part       *part           // of the edges, of several sessions' work; nil: all
	again      bool            // sessions after it are on its arena
	after      *rig            // it is on the arena of this one, whose session has ended; nil: on its own
	cut        cut
	budget     uint64
}

var modes = []mode{
	{name: "whole", cut: cut{rows: 1, cols: 1}},
	{name: "whole in pieces", cut: cut{rows: 7, cols: 1, sparse: true, whole: true}},
	{name: "whole as a grid", cut: cut{rows: 3, cols: 4}},
	{name: "streamed", streamed: true, cut: cut{rows: 5, cols: 1, whole: true}},
	{name: "streamed as a sparse grid", streamed: true, cut: cut{rows: 4, cols: 3, sparse: true}},
	{name: "streamed by active rows", streamed: true, active: true, cut: cut{rows: 4, cols: 2, whole: true}},
	{name: "settled", settled: true, active: true, cut: cut{rows: 3, cols: 2, whole: true}},
	{name: "whole in a file", mapped: true, cut: cut{rows: 5, cols: 2, sparse: true}},
}

// slots is how many chunks are in the arena at once in a streamed run.
const slots = 2

// rig is a session on a device, with a graph and vertex columns in its arena.
type rig struct {
	t       testing.TB
	graph   *algorithms.Graph
	mode    mode
	task    plugins.Task
	columns []algorithms.Column // of the result
	arena   *arena.Arena
	session plugins.Session
	plan    plugins.Plan
	stored  map[chunk.Direction][]encoded // chunks for any plan
	chunks  []encoded                     // those that the plan asks for; the index is the number
	at      []arena.Range                 // of each chunk, or slots
	set     arena.Range                   // the bitmap of a Settle, or of those whom a part concerns
	told    arena.Range                   // a column of accumulators
	end     uint64                        // of what it takes of the arena
	uploads int                           // so far
	places  chunk.Places                  // of lists, that the next iteration needs
	talk    *dialog
	file    *os.File // of chunks, when mapped
}

// work is what a rig is to do: a program or a procedure, with its columns.
type work struct {
	task    plugins.Task
	inputs  []algorithms.Column
	results []algorithms.Column
	edges   []string // edge columns that the chunks carry
}

func programWork(t testing.TB, g *algorithms.Graph, p *algorithms.Program) work {
	t.Helper()
	own := *p
	own.State, own.Aggregates = slices.Clone(p.State), slices.Clone(p.Aggregates)
	if err := algorithms.Check(&own, edgeColumns(g)); err != nil {
		t.Fatalf("program %+v: %v", own, err)
	}
	columns := algorithms.VertexColumns(&own)
	inputs := len(columns) - len(own.State)
	return work{
		task:    plugins.Task{Program: &own},
		inputs:  columns[:inputs],
		results: columns[inputs:],
		edges:   own.EdgeColumns,
	}
}

// edgeColumns are those of g; a graph without edges is taken to have the usual ones.
func edgeColumns(g *algorithms.Graph) []string {
	if names := g.EdgeColumns(); len(names) > 0 {
		return names
	}
	return []string{share, spare, weight}
}

func procedureWork(a *algorithms.Algorithm, args algorithms.Args) work {
	w := work{
		task: plugins.Task{Procedure: a.Name, Args: args},
		inputs: []algorithms.Column{{Name: "id", Type: algorithms.Int},
			{Name: "out_degree", Type: algorithms.Int}, {Name: "in_degree", Type: algorithms.Int}},
		results: a.Result,
	}
	if a.Procedure.EdgeColumns != nil {
		w.edges = a.Procedure.EdgeColumns(args)
	}
	return w
}

// newRig opens a session and compiles the work. An error is the device's; the rig then
// is of no use, and closed.
func newRig(t testing.TB, r *rand.Rand, device plugins.Device, g *algorithms.Graph, w work, m mode) (*rig, error) {
	t.Helper()
	m.mapped = m.mapped && describe(t, device).MapsFiles
	rig := &rig{t: t, graph: g, mode: m, task: w.task, columns: w.results}
	t.Cleanup(rig.close)
	rig.encode(r, w.edges)
	rig.place(w)
	if m.part == nil || !m.part.reads {
		rig.fill()
	}
	var err error
	rig.session, err = device.Open(t.Context(), plugins.Job{
		Arena:  rig.arena,
		Budget: m.budget,
		Graph: plugins.Graph{Name: "plugintest", Snapshot: 1, Vertices: uint64(g.N()),
			Edges: edgeCount(g), Directed: g.Directed, Linked: linked(rig.mostGiven())},
	})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	rig.task.Settle = m.settled && w.task.Program != nil
	rig.task.Restorable, rig.task.Share, rig.task.Part = m.restorable, m.share, m.part != nil
	rig.task.ActiveRows = m.active && w.task.Program != nil
	rig.task.Places = rig.task.ActiveRows
	if rig.plan, err = rig.session.Compile(t.Context(), rig.task); err != nil {
		return rig, err
	}
	for _, e := range plugins.Extensions() {
		if rig.plan.Takes(e) && !rig.task.Asks(e) {
			t.Fatalf("the plan takes up the extension %s, which the task has not asked for", e)
		}
		if rig.plan.Takes(e) && describe(t, device).Lacks(e) {
			t.Fatalf("the plan takes up the extension %s, which Describe does not name", e)
		}
	}
	if rig.task.Settle && !rig.plan.Settles {
		return rig, plugins.Errorf(plugins.KindUnsupported, "the plan does not say Settles")
	}
	for _, d := range rig.plan.Directions {
		if _, ok := rig.stored[d]; !ok {
			t.Fatalf("the plan asks for chunks of direction %v, which this graph has not", d)
		}
		rig.chunks = append(rig.chunks, rig.stored[d]...)
	}
	return rig, nil
}

// encode makes the chunks, or has those of the session before, if they are of the same graph.
func (rig *rig) encode(r *rand.Rand, columns []string) {
	if a := rig.mode.after; a != nil && a.graph == rig.graph {
		rig.stored = a.stored
		return
	}
	if rig.mode.mapped || rig.mode.again {
		columns = edgeColumns(rig.graph)
	}
	rig.stored = map[chunk.Direction][]encoded{}
	for _, d := range directionsOf(rig.graph) {
		rig.stored[d] = encode(rig.t, r, rig.given(), d, rig.mode.cut, columns)
	}
}

func directionsOf(g *algorithms.Graph) []chunk.Direction {
	if g.Directed {
		return []chunk.Direction{chunk.Out, chunk.In}
	}
	return []chunk.Direction{chunk.Both}
}

// edgeCount counts as a user does: an undirected edge is one.
func edgeCount(g *algorithms.Graph) uint64 {
	if g.Directed {
		return uint64(len(g.Out.Neighbors))
	}
	count := 0
	for v := range g.N() {
		for _, u := range g.Out.Of(v) {
			if int(u) >= v {
				count++
			}
		}
	}
	return uint64(count)
}

// linked is how many vertices of g have an edge.
func linked(g *algorithms.Graph) (count uint64) {
	for v := range g.N() {
		if g.Out.Degree(v)+g.In.Degree(v) > 0 {
			count++
		}
	}
	return count
}

// place lays the arena out: vertex columns, the active set, chunks or slots.
func (rig *rig) place(w work) {
	rig.t.Helper()
	n := uint64(rig.graph.N())
	next := func(length uint64) arena.Range {
		at := arena.Range{Offset: rig.end, Length: length}
		rig.end = (at.End() + arena.Align - 1) / arena.Align * arena.Align
		return at
	}
	rig.placePart()
	if a := rig.mode.after; a != nil {
		rig.end = a.end
	}
	if len(rig.task.Layout.Columns) == 0 {
		for _, c := range slices.Concat(w.inputs, w.results) {
			width := uint64(8)
			if c.Type == algorithms.Bool {
				width = 1
			}
			rig.task.Layout.Columns = append(rig.task.Layout.Columns, plugins.VertexColumn{Column: c, Range: next(n * width)})
		}
		rig.task.Layout.Active = next((n + 63) / 64 * 8)
	}
	largest, count := 0, 0
	for _, chunks := range rig.stored {
		count += len(chunks)
		for _, c := range chunks {
			largest = max(largest, len(c.bytes))
		}
	}
	if rig.mode.streamed {
		count = slots
	}
	if rig.mode.active {
		largest += vertexRoom + 4*int(n)
	}
	if rig.mode.active || rig.mode.part != nil {
		rig.set, rig.told = next((n+63)/64*8), next(n*8)
	}
	if a := rig.mode.after; a != nil && len(a.at) > 0 && largest <= int(a.at[0].Length) {
		rig.at = a.at[:min(count, len(a.at))]
	}
	for range count - len(rig.at) {
		rig.at = append(rig.at, next(uint64(largest)))
	}
	rig.takeArena()
}

// takeArena makes an arena, with room for others, or takes another's.
func (rig *rig) takeArena() {
	if other := rig.host(); other != nil {
		rig.arena = other.arena
		return
	}
	room := max(rig.end, arena.Align)
	if rig.mode.part != nil || rig.mode.again {
		room += partRoom
	}
	var err error
	if rig.arena, err = arena.Create(room); err != nil {
		rig.t.Fatal(err)
	}
}

// host is the rig in whose arena this one is; nil: it is in its own.
func (rig *rig) host() *rig {
	if rig.mode.part != nil && rig.mode.part.beside != nil {
		return rig.mode.part.beside
	}
	return rig.mode.after
}

// fill writes the inputs, and rubbish where the device is to write.
func (rig *rig) fill() {
	for _, c := range rig.task.Layout.Columns {
		values := rig.column(c)
		for v := range rig.graph.N() {
			switch {
			case c.Type == algorithms.Bool:
				values.Bools[v] = true
			case c.Type == algorithms.Float:
				values.Floats[v] = -12345
			case c.Name == "id":
				values.Ints[v] = rig.graph.IDs[v]
			case c.Name == "out_degree":
				values.Ints[v] = int64(rig.graph.Out.Degree(v))
			case c.Name == "in_degree":
				values.Ints[v] = int64(rig.graph.In.Degree(v))
			default:
				values.Ints[v] = -12345
			}
		}
	}
	for i := range rig.active() {
		rig.active()[i] = ^uint64(0)
	}
}

// column is a vertex column in the arena.
func (rig *rig) column(c plugins.VertexColumn) algorithms.Values {
	values := algorithms.Values{Column: c.Column}
	var err error
	switch c.Type {
	case algorithms.Float:
		values.Floats, err = rig.arena.Float64s(c.Range)
	case algorithms.Bool:
		var b []byte
		b, err = rig.arena.Bytes(c.Range)
		values.Bools = asBools(b)
	default:
		values.Ints, err = rig.arena.Int64s(c.Range)
	}
	if err != nil {
		rig.t.Fatal(err)
	}
	return values
}

// bitmap is a set of vertices in the arena.
func (rig *rig) bitmap(at arena.Range) []uint64 {
	words, err := rig.arena.Uint64s(at)
	if err != nil {
		rig.t.Fatal(err)
	}
	return words
}

func (rig *rig) active() []uint64 {
	return rig.bitmap(rig.task.Layout.Active)
}

// results are copies of the columns that the device has computed.
func (rig *rig) results() []algorithms.Values {
	var results []algorithms.Values
	for _, c := range rig.task.Layout.Columns[len(rig.task.Layout.Columns)-len(rig.columns):] {
		values := rig.column(c)
		values.Floats = slices.Clone(values.Floats)
		values.Ints = slices.Clone(values.Ints)
		values.Bools = slices.Clone(values.Bools)
		results = append(results, values)
	}
	return results
}

// begin starts Execute.
func (rig *rig) begin(ctx context.Context) {
	rig.talk = converse(ctx, rig.t, rig.session, rig.mode.budget)
}

func (rig *rig) closeSession() {
	if rig.session != nil {
		if err := rig.session.Close(); err != nil {
			rig.t.Errorf("Close: %v", err)
		}
		rig.session = nil
	}
}

func (rig *rig) close() {
	rig.closeSession()
	if rig.arena != nil && rig.host() == nil {
		rig.arena.Close()
	}
	rig.arena = nil
	if rig.file != nil {
		rig.file.Close()
		rig.file = nil
	}
}

// checkActive compares the active set with what the device says of it.
func (rig *rig) checkActive(it plugins.Iteration) {
	rig.t.Helper()
	count, n := 0, rig.graph.N()
	for i, word := range rig.active() {
		count += bits.OnesCount64(word)
		if beyond := n - 64*i; beyond < 64 && word>>beyond != 0 {
			rig.t.Errorf("iteration %d: the active set names vertices that there are not", it.Number)
		}
	}
	if uint64(count) != it.Active {
		rig.t.Errorf("iteration %d: %d active vertices in the arena, %d by the event", it.Number, count, it.Active)
	}
	cuts := rig.task.Places && rig.plan.ActiveRows
	if p := it.Places; p != (chunk.Places{}) && !cuts || 0 < p.To && p.To <= p.From {
		rig.t.Errorf("iteration %d asks for entries %+v of the active rows' lists", it.Number, p)
	}
}
