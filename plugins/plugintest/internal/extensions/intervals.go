package extensions

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// Intervals has the programs of the catalog computed two intervals of the vertices at a time: all state is here,
// and the device's session has that of those that send, and of those that receive. What is left where nothing has been
// put, before a session and from one cell to the next, is rubbish.
func Intervals(t *testing.T, device plugins.Device) {
	for _, a := range trial.Programs(drive.Describe(t, device)) {
		t.Run(a.Name, func(t *testing.T) {
			r := testseed.Rand(t)
			for range drawn.Graphs(t) {
				for _, settles := range []bool{false, true} {
					testIntervalsOf(t, r, device, a, drawn.RandomGraph(r), settles)
					testIntervalsOf(t, r, device, a, drawn.DenseGraph(r, 129+r.IntN(200), 600), settles)
					testIntervalsOf(t, r, device, a, almostSorted(r), settles)
				}
			}
		})
	}
}

// ofAll is what an expression knows of all vertices, which a session of some does not.
var ofAll = regexp.MustCompile(`\bn\b|\bagg\.`)

// testIntervalsOf tests an algorithm on a graph. settles: each interval is brought to local convergence, where the
// device does that.
func testIntervalsOf(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm, g *algorithms.Graph,
	settles bool) {
	t.Helper()
	args, ok := drawn.Bind(t, r, a, g)
	if !ok {
		return
	}
	p, err := a.Program(args)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.State {
		if ofAll.MatchString(s.Init.Source) || ofAll.MatchString(s.Apply.Source) {
			t.Skip("its expressions are of all vertices")
		}
	}
	want, wantErr := a.Oracle(g, args)
	if settles && wantErr != nil {
		return // nothing settles around a cycle that makes values better for ever: a host looks for one beforehand
	}
	w := openIntervals(t, r, device, g, p, settles)
	switch {
	case w == nil && settles:
		return
	case w == nil:
		t.Skip("the device does not have the extension")
	}
	last := w.run()
	err = p.Divergence(w.next[0], last.Number, trial.Settled(p, g, last))
	if err = trial.Judge(a, g, args, a.ResultOf(w.next), err, want, wantErr); err != nil {
		t.Errorf("%s, %d vertices, %d edges, directed %v, %d vertices an interval, which settles %v: %v", a.Name, g.N(),
			drawn.EdgeCount(g), g.Directed, w.each, settles, err)
	}
	w.talk.Finish()
	w.end()
}

// word is how many vertices a word of a set has; intervals begin at whole words.
const word = 64

// intervalsWork is a session of two intervals, and the state of all vertices.
type intervalsWork struct {
	t       *testing.T
	r       *rand.Rand
	program *algorithms.Program // as the session has it
	all     *algorithms.Graph
	each    int // vertices of an interval
	plan    plugins.Plan
	session *drive.State
	slot    arena.Range
	set     arena.Range // for a Settle
	talk    *drive.Dialog
	sent    map[string]bool     // columns that messages are made of
	columns []algorithms.Values // of all: inputs, and the last state
	next    []algorithms.Values // of all: the next state
	active  []bool
	soon    []bool // of next
	settles bool   // intervals
	sums    bool   // that settle
	fresh   bool   // of who is active nobody has sent
	end     func()
}

// openIntervals begins a session; nil where the device cannot do it.
func openIntervals(t *testing.T, r *rand.Rand, device plugins.Device, g *algorithms.Graph,
	p *algorithms.Program, settles bool) *intervalsWork {
	t.Helper()
	cell := *p
	if cell.Diverged = ""; !settles {
		cell.MaxIterations = p.Bound(uint64(g.N()))
	}
	work := drive.ProgramWork(t, g, &cell)
	sums := p.Diverged != "" && work.Task.Program.AddsUp()
	if settles && p.Order != algorithms.Monotone && !sums {
		return nil
	}
	w := &intervalsWork{t: t, r: r, program: work.Task.Program, all: g, each: word * (1 + r.IntN(1+g.N()/word)),
		settles: settles, sums: sums && settles, fresh: true, active: make([]bool, g.N()), soon: make([]bool, g.N()),
		sent: map[string]bool{}}
	for _, ref := range w.program.Process.Checked.GetReferenceMap() {
		w.sent[strings.TrimPrefix(ref.GetName(), "src.")] = true
	}
	for _, c := range slices.Concat(work.Inputs, work.Results) {
		w.columns = append(w.columns, column(g, c))
	}
	for _, in := range work.Properties {
		at := slices.IndexFunc(w.columns, func(c algorithms.Values) bool { return c.Name == in.Name })
		drive.FillProperty(w.columns[at], g, in)
	}
	for _, c := range work.Results {
		w.next = append(w.next, column(g, c))
	}
	n := uint64(2 * w.each)
	room := drive.Place(work, n, drive.Mode{}, nil)
	w.slot = room.Next(drive.VertexRoom + 4096 + 64*(n+2*drawn.EdgeCount(g)))
	w.set = room.Next((n + word - 1) / word * 8)
	shared, err := arena.Create(room.End)
	if err != nil {
		t.Fatal(err)
	}
	w.session = &drive.State{T: t, Arena: shared, Layout: room.Layout, Results: len(work.Results)}
	session, err := device.Open(t.Context(), plugins.Job{Arena: shared, Graph: plugins.Graph{Name: "plugintest",
		Snapshot: 1, Vertices: n, Edges: drawn.EdgeCount(g), Directed: g.Directed}})
	if err != nil {
		t.Fatal(err)
	}
	w.end = func() {
		session.Close()
		shared.Close()
	}
	task := work.Task
	task.Restorable, task.Intervals, task.Settle, task.Layout = true, true, settles, room.Layout
	w.plan, err = session.Compile(t.Context(), task)
	if err != nil && plugins.KindOf(err) != plugins.KindUnsupported {
		t.Fatal(err)
	}
	if err != nil || !w.plan.Intervals || settles && (!w.plan.Settles || !w.plan.ActiveRows) {
		t.Logf("the device does not do it: %v", err)
		w.end()
		return nil
	}
	if extension.Lacks(drive.Describe(t, device), plugins.ExtensionIntervals) {
		t.Fatal("the plan takes up intervals, which Describe does not name")
	}
	w.talk = drive.Converse(t.Context(), t, session, 0)
	return w
}

// column is a vertex column of all, filled where the graph says with what.
func column(g *algorithms.Graph, c algorithms.Column) algorithms.Values {
	values := algorithms.Values{Column: c}
	switch c.Type {
	case algorithms.Float:
		values.Floats = make([]float64, g.N())
	case algorithms.Bool:
		values.Bools = make([]bool, g.N())
	default:
		values.Ints = make([]int64, g.N())
	}
	for v := range values.Ints {
		switch c.Name {
		case "id":
			values.Ints[v] = g.IDs[v]
		case "out_degree":
			values.Ints[v] = int64(g.Out.Degree(v))
		case "in_degree":
			values.Ints[v] = int64(g.In.Degree(v))
		}
	}
	return values
}

// run goes on until the program has converged.
func (w *intervalsWork) run() (it plugins.Iteration) {
	w.t.Helper()
	bound, norm := w.program.Bound(uint64(w.all.N())), w.program.Norm
	for base := 0; base < w.all.N(); base += w.each {
		w.bring(base)
		w.ask(plugins.Command{Op: plugins.Init})
		w.takeBack(base)
	}
	for {
		it.Change = w.turn()
		it.Active = count(w.active)
		small := norm != algorithms.NoNorm && it.Change <= w.program.Tolerance
		still := it.Active == 0 || it.Number > 0 && !w.settles && small
		if it.Converged = it.Number >= bound || !w.program.Exactly && still; it.Converged {
			return it
		}
		for base := 0; base < w.all.N(); base += w.each {
			if w.settles {
				w.settle(base, it)
			} else {
				w.step(base, it)
			}
		}
		it.Number, w.fresh = it.Number+1, false
	}
}

func count(set []bool) (n uint64) {
	for _, in := range set {
		if in {
			n++
		}
	}
	return n
}

// turn has the next state be the last one, and tells how far it has moved.
func (w *intervalsWork) turn() (change float64) {
	now := w.columns[len(w.columns)-len(w.next):]
	for v := range w.all.N() {
		before, after := numberOf(now[0], v), numberOf(w.next[0], v)
		switch by := max(after-before, before-after); {
		case before == after || w.program.Norm == algorithms.NoNorm:
		case w.program.Norm == algorithms.LInf:
			change = max(change, by)
		default:
			change += by
		}
	}
	for i, c := range w.next {
		putValues(now[i], 0, c, 0, w.all.N())
	}
	copy(w.active, w.soon)
	return change
}

// putValues copies values.
func putValues(to algorithms.Values, at int, from algorithms.Values, base, count int) {
	switch {
	case to.Floats != nil:
		copy(to.Floats[at:], from.Floats[base:base+count])
	case to.Bools != nil:
		copy(to.Bools[at:], from.Bools[base:base+count])
	default:
		copy(to.Ints[at:], from.Ints[base:base+count])
	}
}

func numberOf(values algorithms.Values, v int) float64 {
	switch {
	case values.Floats != nil:
		return values.Floats[v]
	case values.Bools != nil && values.Bools[v]:
		return 1
	case values.Bools != nil:
		return 0
	}
	return float64(values.Ints[v])
}

// spoil fills the session's columns with rubbish: what is not put there is not to be looked at.
func (w *intervalsWork) spoil(from, to int) {
	for _, c := range w.session.Layout.Columns {
		values := w.session.Column(c)
		for v := from; v < to; v++ {
			switch {
			case values.Floats != nil:
				values.Floats[v] = 1e3 * w.r.NormFloat64()
			case values.Bools != nil:
				values.Bools[v] = w.r.IntN(2) == 0
			default:
				values.Ints[v] = int64(w.r.IntN(100))
			}
		}
	}
}

// bring puts an interval where destinations are.
func (w *intervalsWork) bring(base int) {
	w.spoil(0, 2*w.each)
	for i, c := range w.session.Layout.Columns {
		putValues(w.session.Column(c), w.each, w.columns[i], base, min(w.each, w.all.N()-base))
	}
	clear(w.session.Active())
}

// takeBack takes the next state of an interval out of the destinations.
func (w *intervalsWork) takeBack(base int) {
	count := min(w.each, w.all.N()-base)
	for i, c := range w.session.Computed() {
		from := w.session.Column(c)
		for v := range count {
			putValues(w.next[i], base+v, from, w.each+v, 1)
		}
	}
	for v := range count {
		marked := w.session.Active()[(w.each+v)/word]>>((w.each+v)%word)&1 != 0
		w.soon[base+v] = marked || w.program.Activity == algorithms.Always
	}
}

// send puts sources into the session, those that are active with what messages are made of. It tells how many those
// are.
func (w *intervalsWork) send(sources []int) (active uint64) {
	w.spoil(0, w.each)
	set := w.session.Active()
	clear(set)
	for place, u := range sources {
		if !w.active[u] && !w.sums { // sums begin anew
			continue
		}
		active++
		set[place/word] |= 1 << (place % word)
		for i, c := range w.session.Layout.Columns {
			if w.sent[c.Name] {
				putValues(w.session.Column(c), place, w.columns[i], u, 1)
			}
		}
	}
	return active
}

// ask exchanges a command.
func (w *intervalsWork) ask(c plugins.Command) {
	w.t.Helper()
	if _, err := w.talk.Exchange(c); err != nil {
		w.t.Fatalf("command %d: %v", c.Op, err)
	}
}

// step has the device compute the next state of an interval, from sources that are drawn: those with an edge there, in
// parts of any size.
func (w *intervalsWork) step(base int, it plugins.Iteration) {
	w.t.Helper()
	w.bring(base)
	end := min(base+w.each, w.all.N())
	var sources []int
	for u := range w.all.N() {
		if w.leads(u, base, end) {
			sources = append(sources, u)
		}
	}
	w.r.Shuffle(len(sources), func(i, k int) { sources[i], sources[k] = sources[k], sources[i] })
	for cells := 0; len(sources) > 0 || cells == 0; cells++ { // without any the device applies all the same
		count := min(len(sources), 1+w.r.IntN(w.each))
		w.cell(sources[:count], base, end, it)
		sources = sources[count:]
	}
	w.ask(plugins.Command{Op: plugins.Apply})
	w.takeBack(base)
}

// lists are those along which messages pass from a vertex.
func (w *intervalsWork) lists() (all []algorithms.Lists) {
	if w.program.Edges != algorithms.Backward {
		all = append(all, w.all.Out)
	}
	if w.program.Edges != algorithms.Forward && w.all.Directed {
		all = append(all, w.all.In)
	}
	if len(all) == 0 { // without a direction both are the same
		all = append(all, w.all.Out)
	}
	return all
}

// leads tells whether a vertex has an edge to an interval.
func (w *intervalsWork) leads(u, base, end int) bool {
	for _, l := range w.lists() {
		for _, v := range l.Neighbors[l.Offsets[u]:l.Offsets[u+1]] {
			if int(v) >= base && int(v) < end {
				return true
			}
		}
	}
	return false
}

// cell has the device step along the edges from sources to an interval.
func (w *intervalsWork) cell(sources []int, base, end int, it plugins.Iteration) {
	w.t.Helper()
	it.Active = w.send(sources)
	it.Converged = false
	w.ask(plugins.Command{Op: plugins.Restore, Iteration: it})
	var edges []algorithms.Edge
	for place, u := range sources {
		edges = append(edges, w.edges(u, uint32(place), base, end)...)
	}
	w.along(edges, plugins.Command{Op: plugins.Step})
}

// edges are those from a vertex, which has a place in the session, to an interval.
func (w *intervalsWork) edges(u int, place uint32, base, end int) (edges []algorithms.Edge) {
	for _, l := range w.lists() {
		for k := l.Offsets[u]; k < l.Offsets[u+1]; k++ {
			if v := int(l.Neighbors[k]); v >= base && v < end {
				weights := map[string]float64{}
				for name, values := range l.Columns {
					weights[name] = values[k]
				}
				edges = append(edges, algorithms.Edge{Src: place, Dst: uint32(w.each + v - base), Weights: weights})
			}
		}
	}
	return edges
}

// along has the device do something while edges are resident.
func (w *intervalsWork) along(edges []algorithms.Edge, commands ...plugins.Command) {
	w.t.Helper()
	if len(edges) == 0 {
		return
	}
	lists := algorithms.NewGraph(true, make([]int64, 2*w.each), edges)
	rows := lists.Out
	if !w.plan.ActiveRows { // rows receive
		rows = lists.In
	}
	meta := chunk.Meta{Graph: "plugintest", Snapshot: 1, Direction: w.plan.Directions[0],
		Rows: chunk.Interval{Count: uint64(2 * w.each)}, Cols: chunk.Interval{Count: uint64(2 * w.each)}}
	one := drive.Piece{Lists: rows, Meta: meta, Partition: drive.Partition{Sparse: w.r.IntN(2) == 0}}.Encode(w.t,
		memory.NewGoAllocator(), w.program.EdgeColumns)
	at := arena.Range{Offset: w.slot.Offset, Length: uint64(len(one.Bytes))}
	b, err := w.session.Arena.Bytes(at)
	if err != nil || at.Length > w.slot.Length {
		w.t.Fatalf("%d bytes of edges: %v", at.Length, err)
	}
	copy(b, one.Bytes)
	w.ask(plugins.Command{Op: plugins.Upload, At: at})
	for _, c := range commands {
		w.ask(c)
	}
	w.ask(plugins.Command{Op: plugins.Evict})
}
