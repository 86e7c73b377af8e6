package neural

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Task is plugins.ExtensionNetworks on this device.
//
//	Init ──Step…──▶ taking ──Apply──▶ Graph ──▶ a Network for each pass ──Pass──▶ roots in the arena
type Task struct {
	job      plugins.Job
	network  *plugins.Network
	pool     parallel.Pool
	vertices int
	degrees  map[chunk.Direction][]int64 // of the lists that are asked for
	names    []string                    // of edge properties
	taking   map[chunk.Direction]*adjacency.Builder
	size     workspaceSize
	each     int                 // numbers that the pass stores that stores most
	passes   []*Network[float32] // nil: lists have not come, or the pass is over batches
	work     *workspace[float32]
	number   int
	batches
}

// NewTask makes a network ready.
func NewTask(job plugins.Job, task plugins.Task, pool parallel.Pool) (*Task, plugins.Plan, error) {
	if err := checkVertices(job.Graph.Vertices); err != nil {
		return nil, plugins.Plan{}, err
	}
	t := &Task{job: job, network: task.Network, pool: pool, vertices: int(job.Graph.Vertices),
		degrees: map[chunk.Direction][]int64{}, names: dataflow.EdgeProperties(task.Network.Values)}
	values := unbatched(task.Network)
	if h := task.Network.Halves; h != nil && h.Rows {
		values = nil // what looks at edges is another device's
	}
	columns, err := kit.OpenColumns(job.Arena, task.Layout, t.vertices)
	if err != nil {
		return nil, plugins.Plan{}, err
	}
	plan := plugins.Plan{Kernel: "fused gather, float32", Portions: true,
		Fixed: kit.LayoutBytes(task.Layout) + t.network.Parameters.Length}
	for _, d := range directions(values, job.Graph.Directed) {
		name := "out_degree"
		if d == chunk.In {
			name = "in_degree"
		}
		t.degrees[d] = columns[name].Ints
		if t.degrees[d] == nil {
			return nil, plan, plugins.Errorf(plugins.KindInvalid, "the layout has no column %q of integers", name)
		}
		plan.Directions = append(plan.Directions, d)
		entries := uint64(0)
		for _, n := range t.degrees[d] {
			entries += uint64(n)
		}
		plan.Fixed += adjacency.Bytes(job.Graph.Vertices, entries, len(t.names), task.Network.SelfLoops)
	}
	if isHeld(t.network) && t.network.Batch != nil {
		return nil, plan, heldError()
	}
	t.size.sections = largestSections(t.degrees, t.network.SelfLoops)
	for _, in := range t.network.Inputs {
		plan.Fixed += in.Numbers.Length + in.Offsets.Length + in.Columns.Length
	}
	for _, p := range t.network.Passes {
		if plan.Fixed += p.At.Length; !p.Batched && t.network.Halves == nil {
			once, each := stored(t.network.Values, p.Roots, t.vertices, t.sections(), givenSparse(t.network.Inputs), &t.size,
				t.byColumn())
			plan.Fixed += 4*uint64(once) + t.columnBytes(p.Roots)
			t.each = max(t.each, each)
		}
	}
	plan.Fixed += slabBytes(t.each)
	batches := newBatches(job, t.network, pool, &t.size)
	t.batches = batches
	plan.Fixed += batches.bytes() + t.size.bytes(pool.Threads)
	return t, plan, nil
}

// isHeld says whether a network holds values of edges.
func isHeld(network *plugins.Network) bool {
	return slices.ContainsFunc(network.Values, func(v *dataflow.Value) bool { return v.Op == dataflow.Hold })
}

func heldError() error {
	return plugins.Errorf(plugins.KindUnsupported,
		"values of edges are held only where a network looks at a whole graph, all of which is on the device")
}

// largestSections is how large sections of lists of such lengths are at most.
func largestSections(degrees map[chunk.Direction][]int64, selfLoops bool) (most [2]extent) {
	for d, lengths := range degrees {
		var r extent
		bounds := adjacency.Sections(lengths)
		for k := range max(0, len(bounds)-1) {
			rows, edges := bounds[k+1]-bounds[k], 0
			for _, length := range lengths[bounds[k]:bounds[k+1]] {
				edges += int(length)
			}
			if selfLoops {
				edges += rows
			}
			r = extent{max(r.rows, rows), max(r.edges, edges)}
		}
		for end, of := range map[dataflow.End]chunk.Direction{dataflow.AtTarget: chunk.In, dataflow.AtSource: chunk.Out} {
			if d == of || d == chunk.Both {
				most[end] = r
			}
		}
	}
	return most
}

// sections is how many there are at most at an end.
func (t *Task) sections() int {
	most := adjacency.SectionsOf(int64(t.vertices), 0) // of stages that look at no edges
	for _, lengths := range t.degrees {
		most = max(most, len(adjacency.Sections(lengths))-1)
	}
	return most
}

// directions are the chunks that a network needs: none, if it looks at no edges.
func directions(values []*dataflow.Value, directed bool) []chunk.Direction {
	switch {
	case !neural.LooksAtEdges(values):
		return nil
	case directed:
		return []chunk.Direction{chunk.In, chunk.Out}
	}
	return []chunk.Direction{chunk.Both}
}

// givenSparse says whether an input comes with offsets.
func givenSparse(inputs []plugins.Tensor) func(v *dataflow.Value) bool {
	return func(v *dataflow.Value) bool {
		return slices.ContainsFunc(inputs, func(in plugins.Tensor) bool {
			return in.Name == v.Name && in.Offsets != (arena.Range{})
		})
	}
}

// EdgeColumns are the properties of edges that the network reads.
func (t *Task) EdgeColumns() []string { return t.names }

// Init makes room for the lists.
func (t *Task) Init(context.Context) error {
	t.number, t.passes, t.taking = 0, nil, map[chunk.Direction]*adjacency.Builder{}
	for d, degrees := range t.degrees {
		t.taking[d] = adjacency.NewBuilder(0, degrees, t.names, t.network.SelfLoops)
	}
	t.work = newWorkspace[float32](t.size, t.pool.Threads)
	return t.begin(t.work)
}

// Step takes the lists of a chunk.
func (t *Task) Step(ctx context.Context, c *csr.Chunk, direction chunk.Direction) (edges uint64, err error) {
	to := t.taking[direction]
	if to == nil {
		return 0, plugins.Errorf(plugins.KindInvalid, "a chunk whose lists have come, or were not asked for")
	}
	return uint64(len(c.Neighbors)), take(ctx, t.pool, to, c)
}

// graph is all lists, when they have come.
func (t *Task) graph() (Graph, error) {
	graph := Graph{Vertices: t.vertices}
	for i := range graph.Ends { // of a network that looks at no edges
		graph.Ends[i].Offsets = make([]int64, t.vertices+1)
		graph.Sections[i] = adjacency.Sections(make([]int64, t.vertices))
	}
	for d, taking := range t.taking {
		lists, err := taking.Complete()
		if err != nil {
			return graph, plugins.Errorf(plugins.KindInvalid, "%w", err)
		}
		for end, of := range map[dataflow.End]chunk.Direction{dataflow.AtTarget: chunk.In, dataflow.AtSource: chunk.Out} {
			if d == of || d == chunk.Both {
				graph.Ends[end], graph.Sections[end] = lists, adjacency.Sections(t.degrees[d])
			}
		}
	}
	t.taking = nil
	return graph, nil
}

// Apply makes the networks when all lists have come.
func (t *Task) Apply(context.Context) error {
	graph, err := t.graph()
	if err != nil {
		return err
	}
	inputs, err := t.inputs(graph)
	if err != nil {
		return err
	}
	memory := newSlab(t.each) // of the pass at hand
	for _, p := range t.network.Passes {
		if p.Batched {
			t.passes = append(t.passes, nil)
			continue
		}
		memory.used = 0
		n, err := New(graph, t.pool, t.work, memory, dataflow.Order(t.network.Values, p.Roots...), inputs, p.Roots...)
		if err != nil {
			return plugins.Errorf(plugins.KindInvalid, "%w", err)
		}
		if err := bind(t.job.Arena, t.network, n); err != nil {
			return err
		}
		t.passes = append(t.passes, n)
	}
	t.number++
	return nil
}

// inputs are the rows that lie in the arena, and degrees.
func (t *Task) inputs(graph Graph) (map[string]Rows[float32], error) {
	all := map[string]Rows[float32]{
		neural.InputInDegree:  {Dense: graph.Ends[dataflow.AtTarget].Degrees()},
		neural.InputOutDegree: {Dense: graph.Ends[dataflow.AtSource].Degrees()},
	}
	for _, in := range t.network.Inputs {
		numbers, err := t.job.Arena.Float32s(in.Numbers)
		rows := Rows[float32]{Dense: numbers}
		if err == nil && in.Offsets != (arena.Range{}) {
			rows = Rows[float32]{Values: numbers}
			if rows.Offsets, err = t.job.Arena.Int64s(in.Offsets); err == nil {
				rows.Columns, err = t.job.Arena.Uint32s(in.Columns)
			}
		}
		if err != nil {
			return nil, plugins.Errorf(plugins.KindInvalid, "input %s: %w", in.Name, err)
		}
		all[in.Name] = rows
	}
	return all, nil
}

// bind has a network read parameters where they lie in the arena.
func bind(memory *arena.Arena, network *plugins.Network, n *Network[float32]) error {
	numbers, err := memory.Float32s(network.Parameters)
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "parameters: %w", err)
	}
	for _, v := range network.Values {
		if v.Op != dataflow.Parameter {
			continue
		}
		size := v.Rows * v.Width
		if len(numbers) < size {
			return plugins.Errorf(plugins.KindInvalid, "there are fewer parameters than the network has")
		}
		if v.ID < len(n.known) { // others are none of what the pass needs
			n.known[v.ID] = numbers[:size:size]
		}
		numbers = numbers[size:]
	}
	return nil
}

// Pass computes the roots of a pass.
func (t *Task) Pass(ctx context.Context, number int, dropout dataflow.Dropout) (edges uint64, err error) {
	if number < 0 || number >= len(t.passes) || t.passes[number] == nil {
		return 0, plugins.Errorf(plugins.KindInvalid, "pass %d of %d that are ready", number, len(t.passes))
	}
	n, p := t.passes[number], t.network.Passes[number]
	dropout.Off = !p.Drops
	if err := n.Run(ctx, dropout); err != nil {
		return 0, err
	}
	return n.edges(), leave(t.job.Arena, p, n, p.Roots)
}

// leave puts roots where a pass says, one after the other.
func leave(memory *arena.Arena, p plugins.NetworkPass, n *Network[float32], roots []*dataflow.Value) error {
	to, err := memory.Float32s(p.At)
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "a pass: %w", err)
	}
	for _, root := range roots {
		numbers := n.Of(root)
		if len(to) < len(numbers) {
			return plugins.Errorf(plugins.KindInvalid, "the roots of a pass do not fit their range")
		}
		to = to[copy(to, numbers):]
	}
	return nil
}

// Iteration says whether lists have come.
func (t *Task) Iteration() *plugins.Iteration { return &plugins.Iteration{Number: t.number} }
