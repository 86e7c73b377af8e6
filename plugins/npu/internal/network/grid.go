package network

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/npu/internal/lowering"
)

// GridTask is plugins.ExtensionNetworks on this device where rows and edges come and go. Of an interval some rows, and
// of a cell some rows and the columns that have an edge to them, are a block: matrices as large as a tile. So what a
// graph takes does not grow with the square of its vertices.
//
//	Init ──▶ tiles of each wave ──Rows, Cell…──▶ Pass ──▶ parameters among its roots, in the arena
type GridTask struct {
	*Task
	passes []*gridPass
	rows   int       // that intervals have at most
	kept   int       // numbers that they keep from wave to wave at most
	room   []float32 // for these
	added  int       // numbers that a stage adds up at most
	sums   []float32 // room for these, unless they are at Grid.Sums
	seen   []bool    // of each row of the interval: it had an edge in the cells of the wave at hand
	columns
}

// gridPass is a pass of the network.
type gridPass struct {
	plugins.NetworkPass
	stages [2][]*gridStage // once, then of each epoch
	sparse map[*dataflow.Value]bool
	known  map[*dataflow.Value][]float32 // parameters, and rows of the interval at hand
	few    map[*dataflow.Value]grid.Rows // those that have come sparse
	at     plugins.Piece
	origin uint64 // the first vertex of the interval
	begun  bool   // rows of the first wave of at have been computed
	ended  bool   // and those of the last wave of the last interval of the last stage
}

// gridStage is a stage with its tiles, by wave; nil: there is nothing to do.
type gridStage struct {
	grid.Stage
	rows, pairs []*tile
	small       *tile
}

// NewGridTask plans a network with a grid, and refuses what the device has no operator or no memory for.
func NewGridTask(on Runtime, job plugins.Job, task plugins.Task, budget *kit.Budget) (*GridTask, plugins.Plan, error) {
	t := &GridTask{Task: newTask(on, job, task, budget)}
	g := t.network.Grid
	if g.Stays {
		return nil, plugins.Plan{}, plugins.Errorf(plugins.KindUnsupported, "rows and edges do not stay on the device")
	}
	plan := plugins.Plan{Kernel: "matrices by intervals, by ONNX Runtime, float32", Portions: true,
		Fixed: t.network.Parameters.Length}
	for i := range g.Rows {
		plan.Fixed += g.Rows[i].Length + g.Cells[i].Length
	}
	most, kept, waves := [2]int{}, 0, 0
	for end := range most {
		for k := range g.Intervals(dataflow.End(end)) {
			most[end] = max(most[end], int(g.Interval(dataflow.End(end), k).Count))
		}
	}
	for _, p := range t.network.Passes {
		made := newGridPass(t.Task, unbatchedPass(p))
		t.passes = append(t.passes, made)
		plan.Fixed += p.At.Length
		for s := range made.all() {
			for _, v := range parametersOf(s.Stage.Stage) {
				plan.Fixed += 4 * uint64(v.Rows) * uint64(v.Width)
			}
			size := 0
			for _, v := range s.Kept {
				size += most[s.End] * v.Width
			}
			t.added = max(t.added, s.AddedNumbers())
			kept, waves = max(kept, size), waves+len(s.Waves)
		}
	}
	t.rows, t.kept = max(most[0], most[1]), kept
	if g.Shared {
		t.added = 0
	}
	plan.Fixed += g.Sums.Length + 4*uint64(t.added)
	batches := planBatches(t.Task)
	plan.Fixed += 4*uint64(kept) + uint64(t.rows) + columnBytes(g) + batches.bytes
	limit := limitOf(on, budget, plan.Fixed, 2*waves+batches.stages)
	for _, p := range t.passes {
		for s := range p.all() {
			bytes, err := s.planTiles(most[s.End], t.n, limit)
			if err != nil {
				return nil, plan, err
			}
			plan.Fixed += bytes
		}
	}
	bytes, err := batches.choose(limit)
	plan.Fixed += bytes
	return t, plan, err
}

// newGridPass finds the stages of a pass.
func newGridPass(t *Task, of plugins.NetworkPass) *gridPass {
	p := &gridPass{NetworkPass: of, sparse: dataflow.Sparse(dataflow.Order(t.network.Values, of.Roots...), t.comesSparse)}
	schedule := dataflow.NewSchedule(t.network.Values, of.Roots...)
	for k, stages := range [][]dataflow.Stage{schedule.Once, schedule.Epoch} {
		for _, s := range grid.Stages(stages) {
			p.stages[k] = append(p.stages[k], &gridStage{Stage: s})
		}
	}
	return p
}

// all are the stages of a pass.
func (p *gridPass) all() func(yield func(*gridStage) bool) {
	return slices.Values(slices.Concat(p.stages[0], p.stages[1]))
}

// parametersOf are those that a stage adds up, and makes of that.
func parametersOf(s *dataflow.Stage) []*dataflow.Value { return slices.Concat(s.Added(), s.Small) }

// planTiles plans the tiles of a stage, and says what they take.
func (s *gridStage) planTiles(rows, columns int, limit uint64) (bytes uint64, err error) {
	for wave := range s.Waves {
		of, err := newTile(rows, 1, limit, func(rows, _ int) (*lowering.Model, error) {
			return lowering.Rows(&s.Stage, wave, rows)
		})
		if err != nil {
			return 0, err
		}
		pairs, err := newTile(rows, columns, limit, func(rows, columns int) (*lowering.Model, error) {
			return lowering.Pairs(&s.Stage, wave, rows, columns)
		})
		if err != nil {
			return 0, err
		}
		s.rows, s.pairs = append(s.rows, of), append(s.pairs, pairs)
	}
	s.small, err = newTile(1, 1, limit, func(int, int) (*lowering.Model, error) { return lowering.Small(s.Small) })
	if err != nil {
		return 0, err
	}
	for _, of := range s.tiles() {
		bytes += of.bytes()
	}
	return bytes, nil
}

// tiles are those of a stage.
func (s *gridStage) tiles() []*tile {
	return slices.DeleteFunc(append(slices.Concat(s.rows, s.pairs), s.small), func(t *tile) bool { return t == nil })
}

// Init makes sessions and room.
func (t *GridTask) Init(context.Context) error {
	t.Close()
	parameters, err := t.job.Arena.Float32s(t.network.Parameters)
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "parameters: %w", err)
	}
	given := map[*dataflow.Value][]float32{}
	for _, v := range t.network.Values {
		if v.Op != dataflow.Parameter {
			continue
		}
		size := v.Rows * v.Width
		if len(parameters) < size {
			return plugins.Errorf(plugins.KindInvalid, "there are fewer parameters than the network has")
		}
		given[v], parameters = parameters[:size:size], parameters[size:]
	}
	t.room, t.sums, t.seen = make([]float32, t.kept), make([]float32, t.added), make([]bool, t.rows)
	for _, p := range t.passes {
		if err := p.open(t.Task, given); err != nil {
			return err
		}
	}
	return nil
}

// open makes the sessions of a pass.
func (p *gridPass) open(t *Task, given map[*dataflow.Value][]float32) error {
	p.known, p.few, p.begun, p.ended = map[*dataflow.Value][]float32{}, map[*dataflow.Value]grid.Rows{}, false, false
	for v, numbers := range given {
		p.known[v] = numbers
	}
	for s := range p.all() {
		for _, v := range parametersOf(s.Stage.Stage) {
			p.known[v] = make([]float32, v.Rows*v.Width)
		}
	}
	for s := range p.all() {
		for _, of := range s.tiles() {
			if err := of.open(t.on, t.job.Threads, p.known); err != nil {
				return err
			}
		}
	}
	return nil
}

// Pass leaves the parameters among the roots of a pass, all pieces of which have come.
func (t *GridTask) Pass(_ context.Context, number int, _ dataflow.Dropout) (edges uint64, err error) {
	if number < 0 || number >= len(t.passes) {
		return 0, plugins.Errorf(plugins.KindInvalid, "pass %d of %d", number, len(t.passes))
	}
	p := t.passes[number]
	if !p.ended && len(p.stages[1]) > 0 {
		return 0, plugins.Errorf(plugins.KindInvalid, "pass %d: not all of its pieces have come", number)
	}
	to, err := t.job.Arena.Float32s(p.At)
	if err != nil {
		return 0, plugins.Errorf(plugins.KindInvalid, "a pass: %w", err)
	}
	for _, root := range p.Roots {
		if root.Place != dataflow.Parameters {
			continue
		}
		numbers := p.known[root]
		if len(to) < len(numbers) {
			return 0, plugins.Errorf(plugins.KindInvalid, "the roots of a pass do not fit their range")
		}
		to = to[copy(to, numbers):]
	}
	return 0, nil
}

// Step never comes: no chunk does.
func (t *GridTask) Step(context.Context, *kit.Chunk) (uint64, error) {
	return 0, plugins.Errorf(plugins.KindInvalid, "a network with a grid takes no chunks")
}

// Apply never comes: no lists do.
func (t *GridTask) Apply(context.Context) error {
	return plugins.Errorf(plugins.KindInvalid, "a network with a grid takes no lists")
}

// Iteration says that there is nothing to wait for.
func (t *GridTask) Iteration() *plugins.Iteration { return &plugins.Iteration{} }

// Close ends the sessions.
func (t *GridTask) Close() {
	for _, p := range t.passes {
		for s := range p.all() {
			for _, of := range s.tiles() {
				of.close()
			}
		}
	}
}
