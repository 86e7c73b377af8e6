package neural

import (
	"context"
	"maps"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// HalvesTask is plugins.ExtensionHalves on this device: networks whose stages are halves, and whose rows lie in the
// arena. A half goes through an interval by the sections that it has there.
type HalvesTask struct{ *Task }

// NewHalvesTask makes a network ready of which another device computes halves as well.
func NewHalvesTask(job plugins.Job, task plugins.Task, pool parallel.Pool) (*HalvesTask, plugins.Plan, error) {
	t, plan, err := NewTask(job, task, pool)
	if err != nil {
		return nil, plan, err
	}
	plan.Kernel = "fused gather of halves, float32"
	before := t.size.bytes(pool.Threads)
	for _, p := range t.network.Passes {
		plan.Fixed += 4 * uint64(t.halvesNeed(p))
	}
	plan.Fixed += t.size.bytes(pool.Threads) - before
	return &HalvesTask{t}, plan, nil
}

// halvesNeed is how many numbers the halves of a pass take beside the arena: what their sections add up, and rows that
// come sparse and are needed dense. The workspace is made large enough for them.
func (t *Task) halvesNeed(p plugins.NetworkPass) (numbers int) {
	values := dataflow.Order(t.network.Values, p.Roots...)
	sparse := dataflow.Sparse(values, givenSparse(t.network.Inputs))
	for _, stages := range t.halves(values, p) {
		t.size.need(stages, sparse, t.sections(), false)
		for _, s := range stages {
			numbers += t.sections() * sumNumbers(s.Added())
		}
	}
	for _, v := range values {
		if v.Op == dataflow.Input && givenSparse(t.network.Inputs)(v) && !sparse[v] {
			numbers += t.vertices * v.Width
		}
	}
	return numbers
}

// halves are those of a pass that is computed once, and each time.
func (t *Task) halves(values []*dataflow.Value, p plugins.NetworkPass) (stages [2][]dataflow.Stage) {
	schedule := dataflow.NewSchedule(values, p.Roots...)
	for k, of := range [][]dataflow.Stage{schedule.Once, schedule.Epoch} {
		for _, h := range dataflow.Halves(of) {
			stages[k] = append(stages[k], h.Stage)
		}
	}
	return stages
}

// Apply makes the networks. Degrees are left to the device that is given rows, or taken from where they were left.
func (t *HalvesTask) Apply(context.Context) error {
	graph, err := t.graph()
	if err != nil {
		return err
	}
	inputs, err := t.inputs(graph)
	if err != nil {
		return err
	}
	h := t.network.Halves
	for end, name := range map[dataflow.End]string{dataflow.AtTarget: neural.InputInDegree,
		dataflow.AtSource: neural.InputOutDegree} {
		degrees, err := t.job.Arena.Float32s(h.Degrees[end])
		if err != nil {
			return plugins.Errorf(plugins.KindInvalid, "degrees: %w", err)
		}
		if h.Rows {
			inputs[name] = Rows[float32]{Dense: degrees}
		} else {
			copy(degrees, inputs[name].Dense)
		}
	}
	t.passes = nil
	for _, p := range t.network.Passes {
		n, err := t.halved(graph, inputs, p)
		if err != nil {
			return err
		}
		t.passes = append(t.passes, n)
	}
	t.number++
	return nil
}

// halved is a pass as a network whose stages are halves.
func (t *HalvesTask) halved(graph Graph, inputs map[string]Rows[float32], p plugins.NetworkPass) (*Network[float32],
	error) {
	values := dataflow.Order(t.network.Values, p.Roots...)
	stages := t.halves(values, p)
	at, err := t.job.Arena.Float32s(p.At)
	if err != nil {
		return nil, plugins.Errorf(plugins.KindInvalid, "a pass: %w", err)
	}
	if need := t.resultNumbers(stages); len(at) < need {
		return nil, plugins.Errorf(plugins.KindInvalid, "halves leave %d numbers: there is room for %d", need, len(at))
	}
	left := &slab[float32]{all: at}
	n := &Network[float32]{graph: graph, pool: t.pool, work: t.work, known: newTable[[]float32](t.network.Values),
		schedule: dataflow.Schedule{Once: stages[0], Epoch: stages[1]}, memory: [2]*slab[float32]{left, left},
		sparse: dataflow.Sparse(values, givenSparse(t.network.Inputs))}
	dense := maps.Clone(inputs)
	for _, v := range values {
		if rows := inputs[v.Name]; v.Op == dataflow.Input && rows.Offsets != nil && !n.sparse[v] &&
			rows.fits(graph.Vertices, v.Width) {
			all := make([]float32, graph.Vertices*v.Width)
			rows.spread(all, v.Width)
			dense[v.Name] = Rows[float32]{Dense: all}
		}
	}
	if err := bind(t.job.Arena, t.network, n); err != nil {
		return nil, err
	}
	if err := n.begin(values, dense); err != nil {
		return nil, plugins.Errorf(plugins.KindInvalid, "%w", err)
	}
	n.ownPartials()
	return n, nil
}

// resultNumbers is how many numbers halves leave.
func (t *Task) resultNumbers(stages [2][]dataflow.Stage) (numbers int) {
	for _, list := range stages {
		numbers += parameterNumbers(list)
		for _, s := range list {
			numbers += t.vertices * widths(s.Stored)
		}
	}
	return numbers
}

// ownPartials gives what sections add up memory of its own, for halves are in the midst of their intervals at a time.
func (n *Network[T]) ownPartials() {
	for k := range n.passes {
		for i := range n.passes[k] {
			p := &n.passes[k][i]
			memory := make([]T, len(p.partial)*sumNumbers(p.sums))
			for _, partial := range p.partial {
				for _, v := range p.sums {
					partial[v], memory = memory[:v.Rows*v.Width], memory[v.Rows*v.Width:]
				}
			}
		}
	}
}

// Half computes a half for an interval.
func (t *HalvesTask) Half(ctx context.Context, number int, piece plugins.Piece, dropout dataflow.Dropout) (edges uint64,
	err error) {
	if number < 0 || number >= len(t.passes) {
		return 0, plugins.Errorf(plugins.KindInvalid, "pass %d of %d that are ready", number, len(t.passes))
	}
	n, k := t.passes[number], 1
	if piece.Once {
		k = 0
	}
	if int(piece.Stage) >= len(n.passes[k]) {
		return 0, plugins.Errorf(plugins.KindInvalid, "half %d of %d", piece.Stage, len(n.passes[k]))
	}
	p := &n.passes[k][piece.Stage]
	sparse := len(p.Waves) > 0 && len(p.Waves[0].Gathers) > 0
	if sparse && t.network.Halves.Rows {
		return 0, plugins.Errorf(plugins.KindInvalid, "half %d looks at edges, which the device has not been given",
			piece.Stage)
	}
	each := int(t.network.Halves.Each)
	from := min(int(piece.Interval)*each, t.vertices)
	to := min(from+each, t.vertices)
	dropout.Off = !t.network.Passes[number].Drops
	if n.dropout = dropout; sparse {
		lists := &n.graph.Ends[p.End]
		edges = uint64(lists.Offsets[to] - lists.Offsets[from])
	}
	return edges, n.runInterval(ctx, p, from, to)
}

// runInterval takes vertices [from, to) through a stage. The first of all clear what sections add up, and the last add
// that up in turn.
func (n *Network[T]) runInterval(ctx context.Context, p *pass[T], from, to int) error {
	bounds := n.graph.Sections[p.End]
	if from == 0 {
		n.pack(p)
		for _, partial := range p.partial {
			for _, sum := range partial {
				clear(sum)
			}
		}
	}
	var sections []int
	for s := range p.partial {
		if max(from, bounds[s]) < min(to, bounds[s+1]) {
			sections = append(sections, s)
		}
	}
	err := n.pool.Run(ctx, len(sections), func(worker, i int) {
		s := sections[i]
		if p.blocks[worker] == nil {
			p.blocks[worker] = newBlock(n, p, worker)
		}
		p.blocks[worker].section(max(from, bounds[s]), min(to, bounds[s+1]), p.partial[s])
	})
	if err != nil || to < n.graph.Vertices {
		return err
	}
	n.finish(p)
	return nil
}
