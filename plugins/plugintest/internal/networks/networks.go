package networks

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// Networks has the device compute neural networks: built-in models and random ones, on random graphs that are cut
// in random ways. The oracle is dataflow.Evaluate; however the graph is cut, the bits are the same.
func Networks(t *testing.T, device plugins.Device) {
	if d := drive.Describe(t, device); extension.Lacks(d, plugins.ExtensionNetworks) {
		t.Skip("the device computes no neural networks")
	}
	for _, name := range append(neural.Names(), "random", "random", "varying", "hub") {
		t.Run(name, func(t *testing.T) {
			r := testseed.Rand(t)
			w := newNetworkWork(t, r, name)
			var first []byte
			for _, cut := range []drive.Partition{{Rows: 1, Cols: 1}, {Rows: 3, Cols: 2, Sparse: true}, {Rows: 4, Cols: 1}} {
				got, err := w.run(t, r, device, cut)
				if plugins.KindOf(err) == plugins.KindUnsupported {
					t.Skip(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = got
					w.compare(t, r)
				}
				if !bytes.Equal(got, first) {
					t.Errorf("other bits where the graph is cut into %d × %d intervals", cut.Rows, cut.Cols)
				}
			}
			w.testGrids(t, r, device)
		})
	}
}

// TryNetwork has the device compute some network. An error is the device's.
func TryNetwork(t *testing.T, r *rand.Rand, device plugins.Device) error {
	t.Helper()
	_, err := newNetworkWork(t, r, "mlp").run(t, r, device, drive.Partition{Rows: 1, Cols: 1})
	return err
}

// Rounding is a device that adds up along edges in another order piece by piece than where all of them are there. What
// it says piece by piece is held to the oracle alone.
type Rounding struct{ plugins.Device }

// testGrids has the device compute the network piece by piece, cut in some ways. A row has the same bits as where all
// of them are on the device, unless it is Rounding; sums of rows are added up in another order, for sections are
// others.
func (w *networkWork) testGrids(t *testing.T, r *rand.Rand, device plugins.Device) {
	t.Helper()
	whole := w.numbers
	_, rounds := device.(Rounding)
	for range 3 {
		_, err := w.runGrid(t, r, device)
		if plugins.KindOf(err) == plugins.KindUnsupported {
			t.Logf("not by intervals: %v", err)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		w.compare(t, r)
		at := 0
		for _, root := range w.roots {
			if root.Place == dataflow.Parameters {
				at += root.Rows * root.Width
				continue
			}
			size := w.graph.N() * root.Width
			if !rounds && !bytes.Equal(floatBytes(whole[at:at+size]), floatBytes(w.numbers[at:at+size])) {
				t.Errorf("%v has other bits by intervals", root)
			}
			at += size
		}
	}
	w.refuseGrids(t, r, device)
	w.testSharedGrids(t, r, device)
}

// floatBytes are the bits of numbers.
func floatBytes(numbers []float32) (all []byte) {
	for _, x := range numbers {
		all = binary.NativeEndian.AppendUint32(all, math.Float32bits(x))
	}
	return all
}

// networkWork is a network to compute over a graph, and what comes of it.
type networkWork struct {
	graph     *algorithms.Graph
	data      *dataflow.Data
	values    []*dataflow.Value
	roots     []*dataflow.Value
	selfLoops bool
	sparse    bool      // features come without those that are 0
	numbers   []float32 // of the roots, as the device has left them
	sessions  int       // that are to compute grids together, beside one alone
}

// newNetworkWork makes a built-in model, or a random program, over a random graph.
func newNetworkWork(t *testing.T, r *rand.Rand, name string) *networkWork {
	t.Helper()
	w := &networkWork{graph: drawn.RandomGraph(r), selfLoops: r.IntN(2) == 0, sparse: r.IntN(2) == 0}
	if name == "hub" { // sums that a device may part
		w.graph = drawn.LongListsGraph(r)
		name = []string{"gcn", "gat", "sage"}[r.IntN(3)]
		t.Logf("the model is %s", name)
	}
	model, builtIn := neural.Lookup(name)
	if builtIn {
		w.selfLoops = model.SelfLoops
	}
	w.data = networkData(r, w.graph, w.selfLoops)
	var p *dataflow.Program
	switch {
	case name == "varying":
		p = growVarying(r, w.data)
	case builtIn:
		model.Sizes = map[string]int{"hidden": 4, "heads": 2, "steps": 2}
		c, err := neural.Compile(model, neural.Schema{Features: 4, Outputs: 4})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range c.Learned {
			m := neuraltest.Normal(r, dataflow.NewMatrix(l.Value.Rows, l.Value.Width))
			for i := range m.Of {
				m.Of[i] /= 2 // so that exponentials stay small
			}
			w.data.Parameters[l.Value.Name] = m
		}
		p = c.Program
	default:
		p = neuraltest.Grow(r, r.IntN(2) == 0, w.data)
	}
	w.values = p.Values
	w.roots = append(slices.DeleteFunc(slices.Clone(p.Gradients), func(v *dataflow.Value) bool { return v == nil }),
		p.Loss, p.Output)
	return w
}

// networkData is a graph as the oracle reads it, with features, wanted classes and weights.
func networkData(r *rand.Rand, g *algorithms.Graph, selfLoops bool) *dataflow.Data {
	n := g.N()
	d := &dataflow.Data{Vertices: n, Properties: map[string][]float64{}, Parameters: map[string]dataflow.Matrix{},
		Dropout: dataflow.Dropout{Seed: r.Uint64(), Epoch: r.IntN(9)}, Inputs: map[string]dataflow.Matrix{}}
	edge := func(from, to int, x float64) {
		d.Sources, d.Targets = append(d.Sources, uint32(from)), append(d.Targets, uint32(to))
		d.Properties[drawn.Weight] = append(d.Properties[drawn.Weight], x)
	}
	for v := range n {
		for e := g.Out.Offsets[v]; e < g.Out.Offsets[v+1]; e++ {
			if u := int(g.Out.Neighbors[e]); !selfLoops || u != v {
				edge(v, u, g.Out.Columns[drawn.Weight][e])
			}
		}
		if at := slices.Index(g.Out.Neighbors[g.Out.Offsets[v]:g.Out.Offsets[v+1]], uint32(v)); selfLoops && at >= 0 {
			edge(v, v, g.Out.Columns[drawn.Weight][g.Out.Offsets[v]+at])
		} else if selfLoops {
			edge(v, v, 1)
		}
	}
	column := func(each func(v int) float64) dataflow.Matrix {
		m := dataflow.NewMatrix(n, 1)
		for v := range n {
			m.Of[v] = each(v)
		}
		return m
	}
	d.Inputs[neural.InputWanted] = column(func(int) float64 { return float64(r.IntN(5) - 1) })
	d.Inputs[neural.InputWeight] = column(func(int) float64 { return float64(r.IntN(5)) / 4 })
	d.Inputs[neural.InputOutDegree], d.Inputs[neural.InputInDegree] = dataflow.NewMatrix(n, 1), dataflow.NewMatrix(n, 1)
	for e, source := range d.Sources {
		d.Inputs[neural.InputOutDegree].Of[source]++
		d.Inputs[neural.InputInDegree].Of[d.Targets[e]]++
	}
	x := neuraltest.Normal(r, dataflow.NewMatrix(n, 4))
	for i := range x.Of {
		if x.Of[i] = float64(float32(x.Of[i])); r.IntN(2) == 0 {
			x.Of[i] = 0
		}
	}
	d.Inputs[neural.InputFeatures] = x
	return d
}

// networkArena places numbers one after the other.
type networkArena struct {
	writes []func(*arena.Arena) error
	end    uint64
}

// place takes the next range, which is for so many bytes.
func (a *networkArena) place(size int) arena.Range {
	at := arena.Range{Offset: a.end, Length: uint64(size)}
	a.end = (at.End() + arena.Align - 1) / arena.Align * arena.Align
	return at
}

// floats places numbers.
func (a *networkArena) floats(numbers []float32) arena.Range {
	at := a.place(4 * len(numbers))
	a.writes = append(a.writes, func(memory *arena.Arena) error {
		to, err := memory.Float32s(at)
		copy(to, numbers)
		return err
	})
	return at
}

// tensor places an input: all numbers, or those that are not 0.
func (a *networkArena) tensor(name string, m dataflow.Matrix, sparse bool) plugins.Tensor {
	var numbers []float32
	var columns []uint32
	offsets := []int64{0}
	for v := range m.Rows() {
		for j, x := range m.Row(v) {
			if !sparse || x != 0 {
				numbers, columns = append(numbers, float32(x)), append(columns, uint32(j))
			}
		}
		offsets = append(offsets, int64(len(numbers)))
	}
	t := plugins.Tensor{Name: name, Numbers: a.floats(numbers)}
	if sparse {
		t.Offsets, t.Columns = a.place(8*len(offsets)), a.place(4*len(columns))
		a.writes = append(a.writes, func(memory *arena.Arena) error {
			rows, err := memory.Int64s(t.Offsets)
			copy(rows, offsets)
			if err == nil {
				var to []uint32
				to, err = memory.Uint32s(t.Columns)
				copy(to, columns)
			}
			return err
		})
	}
	return t
}

// task places a network.
func (w *networkWork) task(a *networkArena) plugins.Task {
	n := w.graph.N()
	network := &plugins.Network{Values: w.values, SelfLoops: w.selfLoops}
	var parameters []float32
	size := 0
	for _, v := range w.values {
		switch {
		case v.Op == dataflow.Parameter:
			for _, x := range w.data.Parameters[v.Name].Of {
				parameters = append(parameters, float32(x))
			}
		case v.Op == dataflow.Input && v.Name != neural.InputInDegree && v.Name != neural.InputOutDegree:
			network.Inputs = append(network.Inputs, a.tensor(v.Name, w.data.Inputs[v.Name],
				v.Width > 1 && !v.Varies && w.sparse))
		}
	}
	for _, root := range w.roots {
		rows := root.Rows
		if root.Place == dataflow.Vertices {
			rows = n
		}
		size += rows * root.Width
	}
	network.Parameters = a.floats(parameters)
	network.Passes = []plugins.NetworkPass{{Roots: w.roots, At: a.place(4 * size), Drops: true}}
	var layout plugins.Layout
	for i, name := range []string{"out_degree", "in_degree"} {
		at := a.place(8 * n)
		layout.Columns = append(layout.Columns,
			plugins.VertexColumn{Column: algorithms.Column{Name: name, Type: algorithms.Int}, Range: at})
		lists := []algorithms.Lists{w.graph.Out, w.graph.In}[i]
		a.writes = append(a.writes, func(memory *arena.Arena) error {
			to, err := memory.Int64s(at)
			for v := range to {
				to[v] = int64(lists.Offsets[v+1] - lists.Offsets[v])
			}
			return err
		})
	}
	layout.Active = a.place((n + 63) / 64 * 8)
	return plugins.Task{Network: network, Layout: layout}
}

// run has the device compute the network over the graph, cut in a way, and leaves the bytes of its roots. The same pass
// twice must have the same bits.
func (w *networkWork) run(t *testing.T, r *rand.Rand, device plugins.Device, cut drive.Partition) ([]byte, error) {
	t.Helper()
	a := &networkArena{}
	task := w.task(a)
	stored, slot := drive.Chunks{}, 0
	for _, d := range drawn.DirectionsOf(w.graph) {
		stored[d] = drive.Encode(t, r, w.graph, d, cut, drawn.EdgeColumns(w.graph))
		for _, c := range stored[d] {
			slot = max(slot, len(c.Bytes))
		}
	}
	at := a.place(slot)
	memory, err := arena.Create(a.end)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	for _, write := range a.writes {
		if err := write(memory); err != nil {
			t.Fatal(err)
		}
	}
	session, err := device.Open(t.Context(), plugins.Job{Arena: memory, Graph: plugins.Graph{Name: "plugintest",
		Snapshot: 1, Vertices: uint64(w.graph.N()), Edges: drawn.EdgeCount(w.graph), Directed: w.graph.Directed}})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	plan, err := session.Compile(t.Context(), task)
	if err != nil {
		return nil, err
	}
	if !plan.Networks {
		return nil, fmt.Errorf("the plan does not say Networks")
	}
	talk := drive.Converse(t.Context(), t, session, 0)
	commands := []plugins.Command{{Op: plugins.Init}}
	if _, err := talk.Exchange(commands...); err != nil {
		return nil, err
	}
	number := uint32(0)
	for _, d := range plan.Directions {
		r.Shuffle(len(stored[d]), func(i, j int) { stored[d][i], stored[d][j] = stored[d][j], stored[d][i] })
		for _, c := range stored[d] {
			place := arena.Range{Offset: at.Offset, Length: uint64(len(c.Bytes))}
			to, err := memory.Bytes(place)
			if err != nil {
				t.Fatal(err)
			}
			copy(to, c.Bytes)
			if _, err := talk.Exchange(plugins.Command{Op: plugins.Upload, Chunk: number, At: place},
				plugins.Command{Op: plugins.Step, Chunk: number}, plugins.Command{Op: plugins.Evict, Chunk: number}); err != nil {
				return nil, err
			}
			number++
		}
	}
	pass := plugins.Command{Op: plugins.Pass, Seed: w.data.Dropout.Seed, Epoch: uint32(w.data.Dropout.Epoch)}
	if _, err := talk.Exchange(plugins.Command{Op: plugins.Apply}, pass); err != nil {
		return nil, err
	}
	result, err := memory.Bytes(task.Network.Passes[0].At)
	if err != nil {
		t.Fatal(err)
	}
	once := slices.Clone(result)
	numbers, err := memory.Float32s(task.Network.Passes[0].At)
	if err != nil {
		t.Fatal(err)
	}
	w.numbers = slices.Clone(numbers)
	other := pass
	other.Epoch++
	if _, err := talk.Exchange(other, pass); err != nil {
		return nil, err
	}
	if !bytes.Equal(once, result) {
		t.Errorf("the same pass has other bits when it is computed again")
	}
	again := func() error { _, err := talk.Exchange(pass); return err }
	if err := w.vary(t, r, memory, task, again); err != nil {
		return nil, err
	}
	talk.Finish()
	return once, nil
}

// singleTolerance is what single precision may be off, as a share of the largest number of a root: exponentials are
// summed up and divided by each other, and gradients of all vertices cancel.
const singleTolerance = 1e-2

// compare holds what the device has left against the oracle, to what single precision can say: where the oracle itself
// says something else when what it is given is a little off, as at a kink, the device may as well.
func (w *networkWork) compare(t *testing.T, r *rand.Rand) {
	t.Helper()
	single(w.data)
	want, err := dataflow.Evaluate(w.values, w.data)
	if err != nil {
		t.Fatal(err)
	}
	off := w.spread(t, r, want)
	at := 0
	for _, root := range w.roots {
		numbers := want[root].Of
		scale := 1.0
		for _, x := range numbers {
			scale = max(scale, math.Abs(x))
		}
		for i, x := range numbers {
			allowed := singleTolerance*scale + 10*off[root].Of[i]
			if got := float64(w.numbers[at+i]); math.Abs(got-x) > allowed || math.IsNaN(got) != math.IsNaN(x) {
				t.Fatalf("%v: number %d is %v, not %v", root, i, got, x)
			}
		}
		at += len(numbers)
	}
}

// single rounds parameters to what the device was given.
func single(d *dataflow.Data) {
	for _, m := range d.Parameters {
		for i, x := range m.Of {
			m.Of[i] = float64(float32(x))
		}
	}
}

// spread is by how much the roots differ where parameters and features are a hundred thousandth off, and all that is
// computed is rounded to single precision: the second tells where large numbers cancel.
func (w *networkWork) spread(t *testing.T, r *rand.Rand,
	want map[*dataflow.Value]dataflow.Matrix) map[*dataflow.Value]dataflow.Matrix {
	t.Helper()
	off := map[*dataflow.Value]dataflow.Matrix{}
	for _, root := range w.roots {
		off[root] = dataflow.NewMatrix(want[root].Rows(), want[root].Width)
	}
	for range 8 {
		other := *w.data
		other.Single = true
		other.Parameters, other.Inputs = map[string]dataflow.Matrix{}, maps.Clone(w.data.Inputs)
		for name, m := range testseed.Sorted(w.data.Parameters) {
			other.Parameters[name] = shaken(r, m)
		}
		other.Inputs[neural.InputFeatures] = shaken(r, w.data.Inputs[neural.InputFeatures])
		got, err := dataflow.Evaluate(w.values, &other)
		if err != nil {
			t.Fatal(err)
		}
		for _, root := range w.roots {
			for i, x := range got[root].Of {
				off[root].Of[i] = max(off[root].Of[i], math.Abs(x-want[root].Of[i]))
			}
		}
	}
	return off
}

func shaken(r *rand.Rand, m dataflow.Matrix) dataflow.Matrix {
	other := dataflow.Matrix{Width: m.Width, Of: slices.Clone(m.Of)}
	for i := range other.Of {
		other.Of[i] *= 1 + 1e-5*r.NormFloat64()
	}
	return other
}
