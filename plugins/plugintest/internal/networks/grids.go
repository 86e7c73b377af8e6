package networks

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// gridWork is a network that a device computes piece by piece, and what a host keeps of it.
type gridWork struct {
	*networkWork
	network *plugins.Network
	memory  *arena.Arena
	talk    *drive.Dialog
	sparse  map[*dataflow.Value]bool
	rows    map[*dataflow.Value][]float32 // of all vertices, what stages have stored
	whole   bool                          // cells have sources without an edge among them
	shared  []*sharer                     // several sessions, of which each takes the intervals of its turn; nil: one
}

// sectionsOf cuts n vertices at random.
func sectionsOf(r *rand.Rand, n int) []uint64 {
	bounds := []uint64{0, uint64(n)}
	for range r.IntN(6) {
		bounds = append(bounds, uint64(r.IntN(n+1)))
	}
	slices.Sort(bounds)
	return slices.Compact(bounds)
}

// runGrid has the device compute the network piece by piece, with vertices and edges cut in a random way, and leaves
// the bytes of its roots.
func (w *networkWork) runGrid(t *testing.T, r *rand.Rand, device plugins.Device) ([]byte, error) {
	t.Helper()
	g, end, err := w.openGrid(t, r, device)
	if err != nil {
		return nil, err
	}
	defer end()
	cuts := r.Uint64() // edges that are added up into a parameter come cell by cell
	once, err := g.pass(cuts, true)
	if err != nil {
		return nil, err
	}
	if again, err := g.pass(cuts, false); err != nil || !bytes.Equal(once, again) {
		t.Errorf("the same pass has other bits when it is computed again, or %v", err)
	}
	g.talk.Finish()
	return once, nil
}

// openGrid has a session begin with the network.
func (w *networkWork) openGrid(t *testing.T, r *rand.Rand, device plugins.Device) (g *gridWork, end func(), err error) {
	t.Helper()
	g = &gridWork{networkWork: w, rows: map[*dataflow.Value][]float32{}, whole: r.IntN(2) == 0}
	a := &networkArena{}
	g.place(r, a)
	if g.memory, err = arena.Create(a.end); err != nil {
		t.Fatal(err)
	}
	for _, write := range a.writes {
		if err := write(g.memory); err != nil {
			t.Fatal(err)
		}
	}
	session, err := device.Open(t.Context(), plugins.Job{Arena: g.memory, Graph: plugins.Graph{Name: "plugintest",
		Snapshot: 1, Vertices: uint64(w.graph.N()), Edges: drawn.EdgeCount(w.graph), Directed: w.graph.Directed}})
	if err != nil {
		t.Fatal(err)
	}
	end = func() {
		session.Close()
		g.memory.Close()
	}
	plan, err := session.Compile(t.Context(), plugins.Task{Network: g.network})
	if err == nil && (!plan.Networks || !plan.Grid) {
		err = fmt.Errorf("the plan does not say Networks and Grid: %+v", plan)
	}
	if err == nil {
		g.talk = drive.Converse(t.Context(), t, session, 0)
		_, err = g.talk.Exchange(plugins.Command{Op: plugins.Init})
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	return g, end, nil
}

// refuseGrids holds a device to refusing pieces that make no sense.
func (w *networkWork) refuseGrids(t *testing.T, r *rand.Rand, device plugins.Device) {
	t.Helper()
	for name, c := range testseed.Sorted(map[string]plugins.Command{
		"a pass without its pieces": {Op: plugins.Pass},
		"a pass that is not":        {Op: plugins.Rows, Pass: 9},
		"a stage that is not":       {Op: plugins.Rows, Piece: plugins.Piece{Stage: 1 << 20}},
		"an interval that is not":   {Op: plugins.Rows, Piece: plugins.Piece{Interval: 1 << 20}},
		"a wave that is not":        {Op: plugins.Rows, Piece: plugins.Piece{Wave: 1 << 20}},
		"a slot that is not":        {Op: plugins.Rows, Piece: plugins.Piece{Slot: 2}},
		"a cell before its rows":    {Op: plugins.Cell, Piece: plugins.Piece{Wave: 1, Sources: 1, Edges: 1}},
		"lists":                     {Op: plugins.Apply},
	}) {
		g, end, err := w.openGrid(t, r, device)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.talk.Exchange(c); plugins.KindOf(err) != plugins.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
		end()
	}
}

// place places parameters, roots and regions, the largest that an interval may need.
func (g *gridWork) place(r *rand.Rand, a *networkArena) {
	n := g.graph.N()
	g.network = &plugins.Network{Values: g.values, SelfLoops: g.selfLoops, Grid: &plugins.Grid{Each: uint32(1 + r.IntN(3)),
		Sections: [2][]uint64{sectionsOf(r, n), sectionsOf(r, n)}}}
	var parameters []float32
	for _, v := range g.values {
		switch v.Op {
		case dataflow.Parameter:
			for _, x := range g.data.Parameters[v.Name].Of {
				parameters = append(parameters, float32(x))
			}
		case dataflow.Input:
			in := plugins.Tensor{Name: v.Name}
			if v.Width > 1 && g.networkWork.sparse { // else a library need not have the same bits
				in.Offsets.Length = 8
			}
			g.network.Inputs = append(g.network.Inputs, in)
		}
	}
	g.network.Parameters = a.floats(parameters)
	size := 0
	for _, root := range g.roots {
		size += root.Rows * root.Width
	}
	g.network.Passes = []plugins.NetworkPass{{Roots: g.roots, At: a.place(4 * size), Drops: true}}
	g.sparse = dataflow.Sparse(dataflow.Order(g.values, g.roots...), func(v *dataflow.Value) bool {
		return slices.ContainsFunc(g.network.Inputs, func(in plugins.Tensor) bool {
			return in.Name == v.Name && in.Offsets != (arena.Range{})
		})
	})
	rows, cells := uint64(0), uint64(0)
	schedule := dataflow.NewSchedule(g.values, g.roots...)
	for _, stage := range grid.Stages(slices.Concat(schedule.Once, schedule.Epoch)) {
		rows = max(rows, stage.RowsBytes(n, g.sparse, func(v *dataflow.Value) int64 { return int64(n) * int64(v.Width) }))
		for wave := range stage.Waves {
			all := grid.Size{Vertices: n, Sources: n, Edges: len(g.data.Sources), Properties: 1}
			cells = max(cells, all.Bytes(stage.Far[wave]))
		}
	}
	regions := func(to *plugins.Grid) {
		for i := range to.Rows {
			to.Rows[i], to.Cells[i] = a.place(int(rows)), a.place(int(cells))
		}
	}
	regions(g.network.Grid)
	g.placeShared(a, regions)
}

// pass has the device compute all pieces of the pass, with cells of that seed, and returns the bytes of its roots.
func (g *gridWork) pass(cuts uint64, first bool) ([]byte, error) {
	schedule := dataflow.NewSchedule(g.values, g.roots...)
	command := plugins.Command{Seed: g.data.Dropout.Seed, Epoch: uint32(g.data.Dropout.Epoch)}
	if first {
		r := rand.New(rand.NewPCG(cuts, 0))
		for k, stage := range grid.Stages(schedule.Once) {
			command.Piece = plugins.Piece{Once: true, Stage: uint32(k)}
			if err := g.stage(r, &stage, command); err != nil {
				return nil, err
			}
		}
	}
	r := rand.New(rand.NewPCG(cuts, 1))
	for k, stage := range grid.Stages(schedule.Epoch) {
		command.Piece = plugins.Piece{Stage: uint32(k)}
		if err := g.stage(r, &stage, command); err != nil {
			return nil, err
		}
	}
	command.Op, command.Piece = plugins.Pass, plugins.Piece{}
	if _, err := g.talk.Exchange(command); err != nil {
		return nil, err
	}
	if err := g.sameParameters(command); err != nil {
		return nil, err
	}
	parameters, err := g.memory.Float32s(g.network.Passes[0].At)
	if err != nil {
		return nil, err
	}
	g.numbers = nil
	for _, root := range g.roots {
		if root.Place == dataflow.Vertices {
			g.numbers = append(g.numbers, g.rows[root]...)
			continue
		}
		size := root.Rows * root.Width
		g.numbers, parameters = append(g.numbers, parameters[:size]...), parameters[size:]
	}
	return floatBytes(g.numbers), nil
}

// stage takes all intervals through a stage.
func (g *gridWork) stage(r *rand.Rand, stage *grid.Stage, command plugins.Command) error {
	if g.shared != nil {
		return g.sharedStage(r, stage, command)
	}
	for i := range g.network.Grid.Intervals(stage.End) {
		command.Piece.Interval = uint32(i)
		if err := g.interval(r, stage, command); err != nil {
			return err
		}
	}
	return nil
}

func (g *gridWork) interval(r *rand.Rand, stage *grid.Stage, command plugins.Command) error {
	of, slot := g.network.Grid.Interval(stage.End, int(command.Piece.Interval)), r.IntN(2)
	region, err := g.memory.Bytes(g.network.Grid.Rows[slot])
	if err != nil {
		return err
	}
	from, to := int(of.Base), int(of.End())
	rows, err := stage.PlaceRows(region, to-from, g.sparse, func(v *dataflow.Value) (count int64) {
		for _, x := range g.of(v)[from*v.Width : to*v.Width] {
			if x != 0 {
				count++
			}
		}
		return count
	})
	if err != nil {
		return err
	}
	for _, v := range stage.Near {
		put(rows[v], g.of(v)[from*v.Width:to*v.Width], v.Width)
	}
	command.Op, command.Piece.Slot = plugins.Rows, uint32(slot)
	for wave := range stage.Waves {
		command.Piece.Wave = uint32(wave)
		if stage.Gathers(wave) {
			if err := g.cells(r, stage, from, to, command); err != nil {
				return err
			}
		}
		if _, err := g.talk.Exchange(command); err != nil {
			return err
		}
	}
	for _, v := range stage.Stored {
		if g.rows[v] == nil {
			g.rows[v] = make([]float32, g.graph.N()*v.Width)
		}
		copy(g.rows[v][from*v.Width:], rows[v].Numbers)
	}
	return nil
}

// of is the rows of all vertices, given or stored.
func (g *gridWork) of(v *dataflow.Value) []float32 {
	if v.Op == dataflow.Input && g.rows[v] == nil {
		for _, x := range g.data.Inputs[v.Name].Of {
			g.rows[v] = append(g.rows[v], float32(x))
		}
	}
	return g.rows[v]
}

// put writes rows to their place, all numbers or those that are not 0.
func put(to grid.Rows, rows []float32, width int) {
	if to.Offsets == nil {
		copy(to.Numbers, rows)
		return
	}
	at := int64(0)
	to.Offsets[0] = 0
	for i, x := range rows {
		if x != 0 {
			to.Numbers[at], to.Columns[at] = x, uint32(i%width)
			at++
		}
		if (i+1)%width == 0 {
			to.Offsets[(i+1)/width] = at
		}
	}
}

// endOf is an edge of a row.
type endOf struct {
	row    int
	other  uint32
	weight float64
}

// cells sends the edges to vertices [from, to), some sources after the other.
func (g *gridWork) cells(r *rand.Rand, stage *grid.Stage, from, to int, command plugins.Command) error {
	rows, others := g.data.Targets, g.data.Sources
	if stage.End == dataflow.AtSource {
		rows, others = others, rows
	}
	var edges []endOf
	var sources []uint32
	for e, v := range rows {
		if int(v) >= from && int(v) < to {
			edges = append(edges, endOf{int(v) - from, others[e], g.data.Properties[drawn.Weight][e]})
			sources = append(sources, others[e])
		}
	}
	if g.whole {
		for v := range g.graph.N() {
			sources = append(sources, uint32(v))
		}
	}
	slices.SortFunc(edges, func(a, b endOf) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.other, b.other), cmp.Compare(a.weight, b.weight))
	})
	slices.Sort(sources)
	for sources = slices.Compact(sources); len(sources) > 0; {
		count := 1 + r.IntN(len(sources))
		if err := g.cell(r, stage, edges, sources[:count], to-from, command); err != nil {
			return err
		}
		sources = sources[count:]
	}
	return nil
}

// cell sends the edges that some sources have.
func (g *gridWork) cell(r *rand.Rand, stage *grid.Stage, edges []endOf, sources []uint32, rows int,
	command plugins.Command) error {
	var some []endOf
	for _, e := range edges {
		if e.other >= sources[0] && e.other <= sources[len(sources)-1] {
			some = append(some, e)
		}
	}
	far, slot := stage.Far[command.Piece.Wave], r.IntN(2)
	region, err := g.memory.Bytes(g.network.Grid.Cells[slot])
	if err != nil {
		return err
	}
	properties := len(dataflow.EdgeProperties(g.values))
	size := grid.Size{Vertices: rows, Sources: len(sources), Edges: len(some), Properties: properties}
	cell, err := grid.PlaceCell(region, size, far)
	if err != nil {
		return err
	}
	copy(cell.Sources, sources)
	clear(cell.Offsets)
	for i, e := range some {
		cell.Offsets[e.row+1]++
		place, _ := slices.BinarySearch(sources, e.other)
		cell.Others[i] = uint32(place)
		if properties > 0 {
			cell.Properties[0][i] = e.weight
		}
	}
	for v := range rows {
		cell.Offsets[v+1] += cell.Offsets[v]
	}
	for i, v := range far {
		for k, u := range sources {
			copy(cell.Far[i][k*v.Width:], g.of(v)[int(u)*v.Width:(int(u)+1)*v.Width])
		}
	}
	command.Op, command.Piece.Slot = plugins.Cell, uint32(slot)
	command.Piece.Sources, command.Piece.Edges = uint64(len(sources)), uint64(len(some))
	_, err = g.talk.Exchange(command)
	return err
}
