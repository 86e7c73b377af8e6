package neural

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// GridTask is plugins.ExtensionNetworks on this device where rows and edges come and go.
//
//	Init ──▶ a Streamed for each pass ──Rows, Cell…──▶ Pass ──▶ parameters among its roots, in the arena
type GridTask struct {
	job     plugins.Job
	network *plugins.Network
	pool    parallel.Pool
	passes  []*Streamed
	size    workspaceSize
	kept    int // numbers that intervals keep at most
	rows    int // vertices that they have at most
	staying [2]grid.Staying
	batches
}

// NewGridTask makes a network with a grid ready.
func NewGridTask(job plugins.Job, task plugins.Task, pool parallel.Pool) (*GridTask, plugins.Plan, error) {
	if err := checkVertices(job.Graph.Vertices); err != nil {
		return nil, plugins.Plan{}, err
	}
	if isHeld(task.Network) {
		return nil, plugins.Plan{}, heldError()
	}
	t := &GridTask{job: job, network: task.Network, pool: pool, staying: stayingOf(task.Network)}
	g := task.Network.Grid
	plan := plugins.Plan{Kernel: "fused gather by intervals, float32", Portions: true,
		Fixed: t.network.Parameters.Length + g.Sums.Length}
	for i := range g.Rows {
		if i == 0 || !g.Stays || len(ends(g, i)) == 1 {
			plan.Fixed += g.Rows[i].Length + g.Cells[i].Length
		}
	}
	for _, p := range t.network.Passes {
		if p.Batched {
			plan.Fixed += p.At.Length
			continue
		}
		schedule := dataflow.NewSchedule(t.network.Values, p.Roots...)
		stages := slices.Concat(schedule.Once, schedule.Epoch)
		kept, rows := roomOf(g, grid.Stages(stages))
		t.kept, t.rows = max(t.kept, kept), max(t.rows, rows)
		t.size.need(stages, dataflow.Sparse(dataflow.Order(t.network.Values, p.Roots...), givenSparse(t.network.Inputs)),
			int(g.Each), false)
		plan.Fixed += p.At.Length + 4*uint64(parameterNumbers(stages))
	}
	batches := newBatches(job, t.network, pool, &t.size)
	t.batches = batches
	plan.Fixed += batches.bytes() + t.size.bytes(pool.Threads) + 4*uint64(t.kept) + 9*uint64(t.rows+1)
	if g.Stays {
		plan.Fixed += 8 * uint64(t.rows+1) // offsets, at both ends
	}
	return t, plan, nil
}

// Init makes room for intervals.
func (t *GridTask) Init(context.Context) error {
	t.passes = nil
	room := &room{kept: make([]float32, t.kept), touched: make([]bool, t.rows)}
	if !t.network.Grid.Stays {
		room.offsets = make([]int64, t.rows+1)
	}
	work := newWorkspace[float32](t.size, t.pool.Threads)
	for _, p := range t.network.Passes {
		if p.Batched {
			t.passes = append(t.passes, nil)
			continue
		}
		s := newStreamed(t.job, t.network, p.Roots, t.pool, work, room, t.staying)
		if err := bind(t.job.Arena, t.network, s.Network); err != nil {
			return err
		}
		t.passes = append(t.passes, s)
	}
	return t.begin(work)
}

// Rows computes the rows of a wave for an interval.
func (t *GridTask) Rows(ctx context.Context, number int, piece plugins.Piece, dropout dataflow.Dropout) error {
	s, err := t.pass(number, &dropout)
	if err != nil {
		return err
	}
	return s.Rows(ctx, piece, dropout)
}

// Cell adds up along the edges of a cell.
func (t *GridTask) Cell(ctx context.Context, number int, piece plugins.Piece, dropout dataflow.Dropout) error {
	s, err := t.pass(number, &dropout)
	if err != nil {
		return err
	}
	return s.Cell(ctx, piece, dropout)
}

// Reduce adds up what the sections of the interval at hand have come to.
func (t *GridTask) Reduce(number int, piece plugins.Piece) error {
	s, err := t.pass(number, &dataflow.Dropout{})
	if err != nil {
		return err
	}
	return s.Reduce(piece)
}

// Reduced ends a stage.
func (t *GridTask) Reduced(_ context.Context, number int, piece plugins.Piece, dropout dataflow.Dropout) error {
	s, err := t.pass(number, &dropout)
	if err != nil {
		return err
	}
	return s.Reduced(piece, dropout)
}

// Pass leaves the parameters among the roots of a pass, all pieces of which have come.
func (t *GridTask) Pass(_ context.Context, number int, dropout dataflow.Dropout) (edges uint64, err error) {
	s, err := t.pass(number, &dropout)
	if err != nil {
		return 0, err
	}
	if !s.ended && len(s.stages[1]) > 0 {
		return 0, plugins.Errorf(plugins.KindInvalid, "pass %d: not all of its pieces have come", number)
	}
	p := t.network.Passes[number]
	return 0, leave(t.job.Arena, p, s.Network, slices.DeleteFunc(slices.Clone(p.Roots), func(v *dataflow.Value) bool {
		return v.Place != dataflow.Parameters
	}))
}

// pass is one by its number, and whether its dropouts drop.
func (t *GridTask) pass(number int, dropout *dataflow.Dropout) (*Streamed, error) {
	if number < 0 || number >= len(t.passes) || t.passes[number] == nil {
		return nil, plugins.Errorf(plugins.KindInvalid, "pass %d of %d", number, len(t.passes))
	}
	dropout.Off = !t.network.Passes[number].Drops
	return t.passes[number], nil
}

// Apply never comes: no lists do.
func (t *GridTask) Apply(context.Context) error {
	return plugins.Errorf(plugins.KindInvalid, "a network with a grid takes no lists")
}

// Iteration says that there is nothing to wait for.
func (t *GridTask) Iteration() *plugins.Iteration { return &plugins.Iteration{} }
