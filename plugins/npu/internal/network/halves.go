package network

import (
	"context"
	"iter"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/npu/internal/lowering"
)

// HalvesTask is plugins.ExtensionHalves on this device: the halves of stages that look at no edges. Rows lie in the
// arena, so that a graph takes no matrix; blocks are the host's intervals.
type HalvesTask struct{ *Task }

// NewHalvesTask plans halves, and refuses what the device has no operator or no memory for.
func NewHalvesTask(on Runtime, job plugins.Job, task plugins.Task, budget *kit.Budget) (*HalvesTask, plugins.Plan,
	error) {
	t := newTask(on, job, task, budget)
	plan := plugins.Plan{Kernel: "rows by ONNX Runtime, float32",
		Fixed: kit.LayoutBytes(task.Layout) + t.network.Parameters.Length}
	if !t.network.Halves.Rows {
		return nil, plan, plugins.Errorf(plugins.KindUnsupported, "halves that look at edges are for another device")
	}
	for _, in := range t.network.Inputs {
		plan.Fixed += in.Numbers.Length + in.Offsets.Length + in.Columns.Length
	}
	for _, degrees := range t.network.Halves.Degrees {
		plan.Fixed += degrees.Length
	}
	t.findDropped()
	dense := map[*dataflow.Value]bool{}
	for v := range t.dropped {
		dense[v] = true
	}
	rows := min(t.n, int(t.network.Halves.Each))
	for _, p := range t.network.Passes {
		plan.Fixed += p.At.Length
		made := newHalvesPass(t.network.Values, p)
		t.passes = append(t.passes, made)
		for s := range made.rowStages() {
			for _, v := range t.reads(s.Stage) {
				dense[v] = dense[v] || v.Op == dataflow.Input && t.comesSparse(v)
			}
			bytes, err := t.planHalf(s, rows)
			if err != nil {
				return nil, plan, err
			}
			plan.Fixed += bytes
		}
	}
	for v, is := range dense {
		if is {
			plan.Fixed += 4 * uint64(t.n) * uint64(v.Width)
		}
	}
	return &HalvesTask{t}, plan, nil
}

// planHalf is what a half takes beside the arena.
func (t *Task) planHalf(s *stage, rows int) (bytes uint64, err error) {
	s.rows = max(rows, 1)
	m, err := lowering.Stage(s.Stage, lowering.Size{Rows: s.rows, Vertices: t.n, Columns: t.n}, t.isGiven)
	if err != nil {
		return 0, err
	}
	if _, err := lowering.Small(s.Small); err != nil {
		return 0, err
	}
	for _, o := range m.Outputs {
		if o.Kind == lowering.Sum {
			bytes += o.Bytes()
		}
	}
	return bytes + takes(m), nil
}

// newHalvesPass is a pass whose stages are halves.
func newHalvesPass(values []*dataflow.Value, of plugins.NetworkPass) *pass {
	p := &pass{NetworkPass: of, schedule: dataflow.NewSchedule(values, of.Roots...)}
	for k, stages := range [][]dataflow.Stage{p.schedule.Once, p.schedule.Epoch} {
		for _, h := range dataflow.Halves(stages) {
			if k == 0 {
				p.once = append(p.once, &stage{Stage: &h.Stage})
			} else {
				p.epoch = append(p.epoch, &stage{Stage: &h.Stage})
			}
		}
	}
	return p
}

// rowStages goes through the halves that look at no edges.
func (p *pass) rowStages() iter.Seq[*stage] {
	return func(yield func(*stage) bool) {
		for s := range p.stages() {
			if !looks(s.Stage) && !yield(s) {
				return
			}
		}
	}
}

// Step never comes: the plan asks for no chunks.
func (t *HalvesTask) Step(context.Context, *kit.Chunk) (uint64, error) {
	return 0, plugins.Errorf(plugins.KindInvalid, "halves that look at no edges take no chunks")
}

// Apply makes sessions of the halves, and binds what they read and write in the arena.
func (t *HalvesTask) Apply(context.Context) error {
	t.release()
	degrees := map[string][]float32{}
	for end, name := range map[dataflow.End]string{dataflow.AtTarget: neural.InputInDegree,
		dataflow.AtSource: neural.InputOutDegree} {
		var err error
		if degrees[name], err = t.job.Arena.Float32s(t.network.Halves.Degrees[end]); err != nil {
			return plugins.Errorf(plugins.KindInvalid, "degrees: %w", err)
		}
	}
	for end := range t.pairs {
		t.pairs[end] = &pairs{width: t.n}
	}
	if err := t.fill(degrees); err != nil {
		return err
	}
	for _, p := range t.passes {
		if err := t.buildHalves(p); err != nil {
			return err
		}
	}
	t.ready = true
	t.number++
	return nil
}

// buildHalves makes the sessions of a pass, whose results lie where it says.
func (t *HalvesTask) buildHalves(p *pass) error {
	at, err := t.job.Arena.Float32s(p.At)
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "a pass: %w", err)
	}
	p.known = map[*dataflow.Value][]float32{}
	for v, numbers := range t.given {
		p.known[v] = numbers
	}
	for _, v := range plugins.HalfResults(dataflow.Halves(p.schedule.Once), dataflow.Halves(p.schedule.Epoch)) {
		size := numbersOf(v, t.n)
		if len(at) < size {
			return plugins.Errorf(plugins.KindInvalid, "what halves leave does not fit the range of their pass")
		}
		p.known[v], at = at[:size:size], at[size:]
	}
	for s := range p.rowStages() {
		if err := t.buildStage(p, s); err != nil {
			return err
		}
	}
	return nil
}

// Half computes a half for an interval: a block.
func (t *HalvesTask) Half(ctx context.Context, number int, piece plugins.Piece, dropout dataflow.Dropout) (uint64,
	error) {
	if !t.ready || number < 0 || number >= len(t.passes) {
		return 0, plugins.Errorf(plugins.KindInvalid, "pass %d of %d: ready is %v", number, len(t.passes), t.ready)
	}
	p := t.passes[number]
	stages := p.epoch
	if piece.Once {
		stages = p.once
	}
	if int(piece.Stage) >= len(stages) || looks(stages[piece.Stage].Stage) {
		return 0, plugins.Errorf(plugins.KindInvalid, "half %d of %d is none that looks at no edges", piece.Stage, len(stages))
	}
	s := stages[piece.Stage]
	dropout.Off = !p.Drops
	if piece.Interval == 0 {
		t.draw(s, dropout)
		p.clear(s)
	}
	if k := int(piece.Interval); k < len(s.blocks) {
		if err := t.runBlock(ctx, p, s, s.blocks[k], dropout); err != nil {
			return 0, err
		}
	}
	if int(piece.Interval)+1 < t.network.Halves.Intervals(uint64(t.n)) {
		return 0, nil
	}
	return 0, t.runSmall(ctx, p, s)
}

// draw draws the dropouts of sparse rows that a half reads.
func (t *Task) draw(s *stage, dropout dataflow.Dropout) {
	reads := t.reads(s.Stage)
	for v, d := range t.dropped {
		if slices.Contains(reads, v) {
			d.rows.drop(t.given[v], d.mask, dropout, nil)
		}
	}
}
