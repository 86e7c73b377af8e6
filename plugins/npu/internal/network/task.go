package network

import (
	"cmp"
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/npu/internal/lowering"
	"github.com/penstock-db/penstock/plugins/npu/ort"
)

// Runtime is what networks are computed on.
type Runtime struct {
	Library *ort.Runtime
	Options ort.Options
	Scratch uint64 // bytes that a stage's operators bring for a block; 0: scratchBytes
}

// Task is plugins.ExtensionNetworks on this device.
type Task struct {
	on      Runtime
	job     plugins.Job
	network *plugins.Network
	budget  *kit.Budget
	n       int
	names   []string // of edge properties
	degrees map[chunk.Direction][]int64
	taking  map[chunk.Direction]*adjacency.Builder
	pairs   [2]*pairs // by dataflow.End
	given   map[*dataflow.Value][]float32
	dropped map[*dataflow.Value]*dropped
	passes  []*pass
	whole   rows
	ready   bool   // lists have come
	more    uint64 // bytes beyond what the plan foretold
	// batchLimit is how much the blocks of a stage of a batch may take.
	batchLimit uint64
	number     int
}

// dropped is a dropout of sparse rows, written as all of their numbers before a pass.
type dropped struct {
	input, mask *dataflow.Value
	rows        *sparse
	numbers     []float32
}

func newTask(on Runtime, job plugins.Job, task plugins.Task, budget *kit.Budget) *Task {
	return &Task{on: on, job: job, network: task.Network, budget: budget, n: int(job.Graph.Vertices),
		names: dataflow.EdgeProperties(task.Network.Values), degrees: map[chunk.Direction][]int64{},
		given: map[*dataflow.Value][]float32{}, dropped: map[*dataflow.Value]*dropped{}}
}

// NewTask plans a network, and refuses what the device has no operator or no memory for.
func NewTask(on Runtime, job plugins.Job, task plugins.Task, budget *kit.Budget) (*Task, plugins.Plan, error) {
	t := newTask(on, job, task, budget)
	plan := plugins.Plan{Kernel: "matrices by ONNX Runtime, float32", Portions: true,
		Fixed: kit.LayoutBytes(task.Layout) + t.network.Parameters.Length}
	columns, err := kit.OpenColumns(job.Arena, task.Layout, t.n)
	if err != nil {
		return nil, plan, err
	}
	edges := neural.LooksAtEdges(unbatched(t.network))
	for _, d := range directions(edges, job.Graph.Directed) {
		name := "out_degree"
		if d == chunk.In {
			name = "in_degree"
		}
		if t.degrees[d] = columns[name].Ints; t.degrees[d] == nil {
			return nil, plan, plugins.Errorf(plugins.KindInvalid, "the layout has no column %q of integers", name)
		}
		plan.Directions = append(plan.Directions, d)
		entries := uint64(0)
		for _, degree := range t.degrees[d] {
			entries += uint64(degree)
		}
		plan.Fixed += adjacency.Bytes(job.Graph.Vertices, entries, len(t.names), t.network.SelfLoops)
	}
	for _, in := range t.network.Inputs {
		plan.Fixed += in.Numbers.Length + in.Offsets.Length + in.Columns.Length
	}
	t.findDropped()
	for _, p := range t.network.Passes {
		plan.Fixed += p.At.Length
		t.passes = append(t.passes, newPass(t.network.Values, unbatchedPass(p)))
	}
	bytes, pairs, stages := needs(t)
	batches := planBatches(t)
	plan.Fixed += bytes + batches.bytes
	limit := limitOf(on, budget, plan.Fixed, stages+batches.stages)
	if bytes, err = choose(t, limit); err != nil {
		return nil, plan, err
	}
	plan.Fixed += bytes
	if bytes, err = batches.choose(limit); err != nil {
		return nil, plan, err
	}
	plan.Fixed += bytes
	return t, plan, t.fits(budget, plan.Fixed, pairs)
}

// unbatchedPass is a pass as the whole graph has it: none of one that is over batches.
func unbatchedPass(p plugins.NetworkPass) plugins.NetworkPass {
	if p.Batched {
		p.Roots = nil
	}
	return p
}

// unbatched are the values of passes over the whole graph.
func unbatched(network *plugins.Network) []*dataflow.Value {
	var roots []*dataflow.Value
	for _, p := range network.Passes {
		roots = append(roots, unbatchedPass(p).Roots...)
	}
	return dataflow.Order(network.Values, roots...)
}

// findDropped finds the dropouts of what comes sparse.
func (t *Task) findDropped() {
	for v, is := range dataflow.Sparse(unbatched(t.network), t.comesSparse) {
		if !is || v.Op == dataflow.Input {
			continue
		}
		input, mask := v.Args[0], v.Args[1]
		if input.Op == dataflow.Mask {
			input, mask = mask, input
		}
		if input.Op == dataflow.Input {
			t.dropped[v] = &dropped{input: input, mask: mask}
		}
	}
}

// comesSparse says whether an input comes with offsets.
func (t *Task) comesSparse(v *dataflow.Value) bool {
	return slices.ContainsFunc(t.network.Inputs, func(in plugins.Tensor) bool {
		return in.Name == v.Name && in.Offsets != (arena.Range{})
	})
}

// isGiven says whether rows are written before a pass, though they are made of others.
func (t *Task) isGiven(v *dataflow.Value) bool { return t.dropped[v] != nil }

// needs is what a task takes but for the blocks of its stages, which are so many; pairs are part of that.
func needs(t *Task) (bytes, pairs uint64, stages int) {
	n := uint64(t.n)
	ends, dense := map[dataflow.End]bool{}, map[*dataflow.Value]bool{}
	for v := range t.dropped {
		dense[v] = true
	}
	for _, p := range t.passes {
		bytes += 4 * p.numbers(t.n)
		for s := range p.stages() {
			stages++
			if looks(s.Stage) {
				ends[s.End] = true
			}
			for _, v := range t.reads(s.Stage) {
				dense[v] = dense[v] || v.Op == dataflow.Input && t.comesSparse(v)
			}
		}
	}
	for v, is := range dense {
		if is {
			bytes += 4 * n * uint64(v.Width)
		}
	}
	pairs = pairBytes(n, n, len(t.names)) * uint64(len(ends))
	if len(ends) > 0 && !t.job.Graph.Directed {
		pairs = pairBytes(n, n, len(t.names))
	}
	return bytes + pairs, pairs, stages
}

// limitOf is how much the blocks of each of so many stages may take beside all else.
func limitOf(on Runtime, budget *kit.Budget, beside uint64, stages int) uint64 {
	limit := cmp.Or(on.Scratch, scratchBytes)
	if left := budget.Left(); budget.Limit > 0 {
		limit = min(limit, (left-min(left, beside+kit.SmallestChunk))/uint64(max(stages, 1)))
	}
	return limit
}

// choose chooses blocks that take no more than limit, and adds up what they take.
func choose(t *Task, limit uint64) (bytes uint64, err error) {
	size := lowering.Size{Vertices: t.n, Columns: t.n}
	for _, p := range t.passes {
		for s := range p.stages() {
			var takes uint64
			if s.rows, takes, err = blockOf(s.Stage, size, t.isGiven, limit); err != nil {
				return 0, err
			}
			if _, err := lowering.Small(s.Small); err != nil {
				return 0, err
			}
			s.limit = limit
			bytes += takes
		}
	}
	return bytes, nil
}

// reads lists the values that a stage is handed.
func (t *Task) reads(stage *dataflow.Stage) (values []*dataflow.Value) {
	lists := [][]*dataflow.Value{stage.Sums}
	for _, w := range stage.Waves {
		lists = append(lists, w.Edges, w.Gathers, w.Rows)
	}
	for _, v := range slices.Concat(lists...) {
		if !t.isGiven(v) {
			values = append(values, v.Args...)
		}
	}
	return values
}

// EdgeColumns are the properties of edges that the network reads.
func (t *Task) EdgeColumns() []string { return t.names }

// Init makes room for the lists.
func (t *Task) Init(context.Context) error {
	t.Close()
	t.number, t.taking = 0, map[chunk.Direction]*adjacency.Builder{}
	for d, degrees := range t.degrees {
		t.taking[d] = adjacency.NewBuilder(0, degrees, t.names, t.network.SelfLoops)
	}
	return nil
}

// Step takes the lists of a chunk.
func (t *Task) Step(_ context.Context, c *kit.Chunk) (edges uint64, err error) {
	to := t.taking[c.Meta().Direction]
	if to == nil {
		return 0, plugins.Errorf(plugins.KindInvalid, "a chunk whose lists have come, or were not asked for")
	}
	return uint64(c.Edges()), take(to, c)
}

// Apply makes matrices and sessions when all lists have come.
func (t *Task) Apply(context.Context) error {
	t.release()
	if err := t.link(); err != nil {
		return err
	}
	if err := t.fill(map[string][]float32{neural.InputInDegree: t.pairs[dataflow.AtTarget].lists.Degrees(),
		neural.InputOutDegree: t.pairs[dataflow.AtSource].lists.Degrees()}); err != nil {
		return err
	}
	for _, p := range t.passes {
		if err := t.build(p); err != nil {
			return err
		}
	}
	t.ready = true
	t.number++
	return nil
}

// link makes lists matrices.
func (t *Task) link() error {
	empty := adjacency.Lists{Offsets: make([]int64, t.n+1)} // of a network that looks at no edges
	lists := [2]*adjacency.Lists{&empty, &empty}
	for d, taking := range t.taking {
		all, err := taking.Complete()
		if err != nil {
			return plugins.Errorf(plugins.KindInvalid, "%w", err)
		}
		for end, of := range map[dataflow.End]chunk.Direction{dataflow.AtTarget: chunk.In, dataflow.AtSource: chunk.Out} {
			if d == of || d == chunk.Both {
				lists[end] = &all
			}
		}
	}
	t.taking = nil
	return pair(t, lists)
}

// pair makes matrices of lists.
func pair(t *Task, lists [2]*adjacency.Lists) error {
	wanted := map[dataflow.End]bool{}
	for _, p := range t.passes {
		for s := range p.stages() {
			wanted[s.End] = wanted[s.End] || looks(s.Stage)
		}
	}
	for end, of := range lists {
		if end == 1 && of == lists[0] {
			t.pairs[end] = t.pairs[0]
		} else {
			t.pairs[end] = newPairs(of, t.n)
		}
	}
	return t.fillPairs(wanted)
}

// fillPairs makes the matrices of the ends that are wanted, once the budget agrees to what more columns than foretold
// take.
func (t *Task) fillPairs(wanted map[dataflow.End]bool) error {
	for _, end := range []dataflow.End{dataflow.AtTarget, dataflow.AtSource} {
		p := t.pairs[end]
		if !wanted[end] || p.counts != nil {
			continue
		}
		n := uint64(t.n)
		more := pairBytes(n, uint64(p.width), len(t.names)) - pairBytes(n, n, len(t.names))
		if err := t.budget.Take(more, "a column for each of parallel edges"); err != nil {
			return err
		}
		t.more += more
		p.fill()
	}
	return nil
}

// fill finds inputs, beside degrees, and parameters, and makes room for what is written before a pass.
func (t *Task) fill(all map[string][]float32) error {
	parameters, err := t.job.Arena.Float32s(t.network.Parameters)
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "parameters: %w", err)
	}
	few, read := map[string]*sparse{}, unbatched(t.network)
	for _, in := range t.network.Inputs {
		numbers, err := t.job.Arena.Float32s(in.Numbers)
		if all[in.Name] = numbers; err == nil && in.Offsets != (arena.Range{}) {
			s := &sparse{numbers: numbers}
			few[in.Name] = s
			if s.offsets, err = t.job.Arena.Int64s(in.Offsets); err == nil {
				s.columns, err = t.job.Arena.Uint32s(in.Columns)
			}
		}
		if err != nil {
			return plugins.Errorf(plugins.KindInvalid, "input %s: %w", in.Name, err)
		}
	}
	for _, v := range t.network.Values {
		switch v.Op {
		case dataflow.Parameter:
			size := v.Rows * v.Width
			if len(parameters) < size {
				return plugins.Errorf(plugins.KindInvalid, "there are fewer parameters than the network has")
			}
			t.given[v], parameters = parameters[:size:size], parameters[size:]
		case dataflow.Number:
			t.given[v] = []float32{float32(v.Number)}
		case dataflow.Input:
			if !slices.Contains(read, v) {
				continue // of batches
			}
			if err := t.fillInput(v, all[v.Name], few[v.Name]); err != nil {
				return err
			}
		}
	}
	for v, d := range t.dropped {
		d.rows, d.numbers = few[d.input.Name], make([]float32, t.n*v.Width)
		t.given[v] = d.numbers
	}
	return nil
}

// fillInput finds the rows of an input; those of a sparse one are written out where a stage or the host reads them.
func (t *Task) fillInput(v *dataflow.Value, numbers []float32, few *sparse) error {
	if few == nil && len(numbers) != t.n*v.Width || few != nil && !few.fits(t.n, v.Width) {
		return plugins.Errorf(plugins.KindInvalid, "input %s does not have %d rows of %d numbers", v.Name, t.n, v.Width)
	}
	if t.given[v] = numbers; few == nil {
		return nil
	}
	delete(t.given, v)
	for _, p := range t.passes {
		read := slices.Contains(p.Roots, v)
		for s := range p.stages() {
			read = read || slices.Contains(t.reads(s.Stage), v)
		}
		if read && t.given[v] == nil {
			t.given[v] = make([]float32, t.n*v.Width)
			few.dense(t.given[v], v.Width)
		}
	}
	return nil
}

// Iteration says whether lists have come.
func (t *Task) Iteration() *plugins.Iteration { return &plugins.Iteration{Number: t.number} }

// release gives up what Apply has made.
func (t *Task) release() {
	t.ready = false
	for _, p := range t.passes {
		p.close()
	}
	t.pairs = [2]*pairs{}
	t.budget.Give(t.more)
	t.more = 0
}

// Close gives up lists, matrices and sessions.
func (t *Task) Close() {
	t.release()
	t.taking = nil
}
