package networks

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// Batches has the device compute networks over graphs that come one after the other: built-in models and random
// ones. The oracle is dataflow.Evaluate; a graph that comes again has the same bits again, whatever was there between.
func Batches(t *testing.T, device plugins.Device) {
	d := drive.Describe(t, device)
	if extension.Lacks(d, plugins.ExtensionNetworks) || extension.Lacks(d, plugins.ExtensionBatches) {
		t.Skip("the device computes no neural networks over batches")
	}
	for _, name := range append(neural.Names(), "random", "random") {
		t.Run(name, func(t *testing.T) {
			r := testseed.Rand(t)
			b := newBatchWork(t, r, name)
			err := b.run(t, r, device)
			if plugins.KindOf(err) == plugins.KindUnsupported {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			b.testPortions(t, r, device)
			b.refuse(t, r, device)
		})
	}
}

// TryBatches has the device compute some network over batches. An error is the device's.
func TryBatches(t *testing.T, r *rand.Rand, device plugins.Device) error {
	t.Helper()
	return newBatchWork(t, r, "mlp").run(t, r, device)
}

// batchWork is a network over graphs that come one after the other.
type batchWork struct {
	*networkWork
	graphs  []*dataflow.Data
	network *plugins.Network
	memory  *arena.Arena
	talk    *drive.Dialog
	sparse  bool
	portion bool // rows are told
}

// newBatchWork has the graph of a network come, another one, and one without a vertex.
func newBatchWork(t *testing.T, r *rand.Rand, name string) *batchWork {
	t.Helper()
	b := &batchWork{networkWork: newNetworkWork(t, r, name), sparse: r.IntN(2) == 0}
	single(b.data)
	b.graphs = []*dataflow.Data{b.data}
	for _, n := range []int{b.graph.N(), 0} {
		var some *dataflow.Data
		if n > 0 {
			some = networkData(r, drawn.RandomGraph(r), b.selfLoops)
		} else {
			some = &dataflow.Data{Properties: map[string][]float64{drawn.Weight: {}}, Inputs: map[string]dataflow.Matrix{}}
			for name, m := range b.data.Inputs {
				some.Inputs[name] = dataflow.NewMatrix(0, m.Width)
			}
		}
		some.Parameters = b.data.Parameters
		b.graphs = append(b.graphs, some)
	}
	return b
}

// place places parameters, roots, and the room that the largest graph needs.
func (b *batchWork) place(a *networkArena) {
	b.network = &plugins.Network{Values: b.values, SelfLoops: b.selfLoops, Batch: &plugins.Batch{}}
	var parameters []float32
	most, at := 0, b.network.Batch
	for _, d := range b.graphs {
		size := 0
		for _, root := range b.roots {
			rows := root.Rows
			if root.Place == dataflow.Vertices {
				rows = d.Vertices
			}
			size += rows * root.Width
		}
		most = max(most, size)
		at.Vertices, at.Edges = max(at.Vertices, uint64(d.Vertices)), max(at.Edges, uint64(len(d.Sources)))
	}
	n, edges := int(at.Vertices), int(at.Edges)
	for _, v := range b.values {
		switch v.Op {
		case dataflow.Parameter:
			for _, x := range b.data.Parameters[v.Name].Of {
				parameters = append(parameters, float32(x))
			}
		case dataflow.Input:
			in := plugins.Tensor{Name: v.Name, Numbers: a.place(4 * n * v.Width)}
			if v.Width > 1 && b.sparse {
				in.Offsets, in.Columns = a.place(8*(n+1)), a.place(4*n*v.Width)
			}
			at.Inputs = append(at.Inputs, in)
		}
	}
	for end := range at.Lists {
		at.Lists[end] = plugins.BatchLists{Offsets: a.place(8 * (n + 1)), Others: a.place(4 * edges)}
		for range dataflow.EdgeProperties(b.values) {
			at.Lists[end].Properties = append(at.Lists[end].Properties, a.place(8*edges))
		}
	}
	if b.portion {
		at.Rows = a.place(4 * max(n, 1))
	}
	b.network.Parameters = a.floats(parameters)
	b.network.Passes = []plugins.NetworkPass{{}, {Roots: b.roots, At: a.place(4 * most), Drops: true, Batched: true}}
}

// open has a session begin with the network.
func (b *batchWork) open(t *testing.T, device plugins.Device) (end func(), err error) {
	t.Helper()
	a := &networkArena{}
	b.place(a)
	if b.memory, err = arena.Create(a.end); err != nil {
		t.Fatal(err)
	}
	for _, write := range a.writes {
		if err := write(b.memory); err != nil {
			t.Fatal(err)
		}
	}
	session, err := device.Open(t.Context(), plugins.Job{Arena: b.memory, Graph: plugins.Graph{Name: "plugintest",
		Snapshot: 1, Vertices: uint64(b.graph.N()), Edges: drawn.EdgeCount(b.graph), Directed: b.graph.Directed}})
	if err != nil {
		t.Fatal(err)
	}
	end = func() {
		session.Close()
		b.memory.Close()
	}
	plan, err := session.Compile(t.Context(), plugins.Task{Network: b.network})
	switch {
	case err != nil:
	case !plan.Networks || !plan.Batches || plan.Portions && !b.portion:
		err = fmt.Errorf("the plan does not say Networks and Batches, or says Portions unasked: %+v", plan)
	case b.portion && !plan.Portions:
		err = plugins.Errorf(plugins.KindUnsupported, "the plan says no Portions")
	}
	if err == nil {
		b.talk = drive.Converse(t.Context(), t, session, 0)
		_, err = b.talk.Exchange(plugins.Command{Op: plugins.Init})
	}
	if err != nil {
		end()
	}
	return end, err
}

// run has the device compute all graphs, and the first once more.
func (b *batchWork) run(t *testing.T, r *rand.Rand, device plugins.Device) error {
	t.Helper()
	end, err := b.open(t, device)
	if err != nil {
		return err
	}
	defer end()
	var first []byte
	for i, d := range append(b.graphs, b.graphs[0]) {
		command := b.bring(t, d)
		command.Seed, command.Epoch = d.Dropout.Seed, uint32(d.Dropout.Epoch)
		if _, err := b.talk.Exchange(command); err != nil {
			return err
		}
		numbers, err := b.memory.Float32s(b.network.Passes[1].At)
		if err != nil {
			t.Fatal(err)
		}
		of := &networkWork{graph: b.graph, data: d, values: b.values, roots: b.roots, numbers: slices.Clone(numbers)}
		of.compare(t, r)
		switch i {
		case 0:
			first = floatBytes(of.numbers)
		case len(b.graphs):
			size := 4 * b.numbersOf(d)
			if !bytes.Equal(first[:size], floatBytes(of.numbers)[:size]) {
				t.Errorf("a graph that comes again has other bits")
			}
		}
	}
	b.talk.Finish()
	return nil
}

// tensorRows are the rows of an input in the arena.
func tensorRows(memory *arena.Arena, in plugins.Tensor) (rows grid.Rows, err error) {
	if rows.Numbers, err = memory.Float32s(in.Numbers); err == nil && in.Offsets != (arena.Range{}) {
		if rows.Offsets, err = memory.Int64s(in.Offsets); err == nil {
			rows.Columns, err = memory.Uint32s(in.Columns)
		}
	}
	return rows, err
}

// numbersOf is how many numbers the roots have of a graph.
func (b *batchWork) numbersOf(d *dataflow.Data) (count int) {
	for _, root := range b.roots {
		if root.Place == dataflow.Vertices {
			count += d.Vertices * root.Width
		} else {
			count += root.Rows * root.Width
		}
	}
	return count
}

// bring puts a graph where the device looks for it, and is the command to compute the pass.
func (b *batchWork) bring(t *testing.T, d *dataflow.Data) plugins.Command {
	t.Helper()
	at := b.network.Batch
	for end, ends := range [2][2][]uint32{dataflow.AtTarget: {d.Targets, d.Sources},
		dataflow.AtSource: {d.Sources, d.Targets}} {
		offsets, err := b.memory.Int64s(at.Lists[end].Offsets)
		if err != nil {
			t.Fatal(err)
		}
		others, err := b.memory.Uint32s(at.Lists[end].Others)
		if err != nil {
			t.Fatal(err)
		}
		var weights []float64
		if len(at.Lists[end].Properties) > 0 {
			if weights, err = b.memory.Float64s(at.Lists[end].Properties[0]); err != nil {
				t.Fatal(err)
			}
		}
		to := 0
		offsets[0] = 0
		for v := range d.Vertices {
			for e, of := range ends[0] {
				if int(of) != v {
					continue
				}
				if others[to] = ends[1][e]; weights != nil {
					weights[to] = d.Properties[drawn.Weight][e]
				}
				to++
			}
			offsets[v+1] = int64(to)
		}
	}
	for _, in := range at.Inputs {
		rows, err := tensorRows(b.memory, in)
		if err != nil {
			t.Fatal(err)
		}
		numbers := make([]float32, 0, len(d.Inputs[in.Name].Of))
		for _, x := range d.Inputs[in.Name].Of {
			numbers = append(numbers, float32(x))
		}
		put(rows, numbers, d.Inputs[in.Name].Width)
	}
	return plugins.Command{Op: plugins.Pass, Pass: 1,
		Batch: plugins.BatchSize{Vertices: uint64(d.Vertices), Edges: uint64(len(d.Sources))}}
}

// refuse holds a device to refusing batches that make no sense.
func (b *batchWork) refuse(t *testing.T, r *rand.Rand, device plugins.Device) {
	t.Helper()
	d := b.graphs[0]
	if len(d.Sources) == 0 {
		return
	}
	spoil := func(at arena.Range, place int) {
		bytes, err := b.memory.Bytes(at)
		if err != nil {
			t.Fatal(err)
		}
		bytes[place] = 0xff
	}
	for name, wrong := range map[string]func(c *plugins.Command){
		"more vertices than there is room for": func(c *plugins.Command) { c.Batch.Vertices = b.network.Batch.Vertices + 1 },
		"more edges than there is room for":    func(c *plugins.Command) { c.Batch.Edges = b.network.Batch.Edges + 1 },
		"no end of vertices":                   func(c *plugins.Command) { c.Batch.Vertices = 1<<64 - 1 },
		"edges that are not in lists":          func(c *plugins.Command) { c.Batch.Edges-- },
		"a pass that is not":                   func(c *plugins.Command) { c.Pass = 9 },
		"a vertex that is not": func(*plugins.Command) {
			spoil(b.network.Batch.Lists[dataflow.AtTarget].Others, 3)
		},
		"a list that ends before it begins": func(*plugins.Command) {
			spoil(b.network.Batch.Lists[dataflow.AtSource].Offsets, 8+7)
		},
	} {
		end, err := b.open(t, device)
		if err != nil {
			t.Fatal(err)
		}
		c := b.bring(t, d)
		wrong(&c)
		if _, err := b.talk.Exchange(c); plugins.KindOf(err) != plugins.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
		end()
	}
	b.place(&networkArena{})
	b.network.Batch = nil
	memory, err := arena.Create(arena.Align)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	session, err := device.Open(t.Context(), plugins.Job{Arena: memory, Graph: plugins.Graph{Name: "plugintest",
		Snapshot: 1, Vertices: uint64(r.IntN(9))}})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if _, err := session.Compile(t.Context(), plugins.Task{Network: b.network}); plugins.KindOf(err) !=
		plugins.KindInvalid {
		t.Errorf("a batched pass of a network without a batch: %v", err)
	}
}
