package streaming

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/train/ring"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Runner has devices compute passes, piece by piece.
type Runner struct {
	Layout Layout
	Passes []Stages
	Cells  *Cells
	Rows   *Rows
	Lanes  []*Lane
	Ring   *ring.Ring // of several lanes
	Rec    *meter.Recorder

	ready []bool   // of each pass: what is computed once has been
	done  []uint64 // how often each pass has been computed
}

// Lane is a device, to which the host brings some of the intervals: of n, each n-th.
type Lane struct {
	Stream *link.Stream
	Spent  *meter.Meter // of this device

	rows, cells [2]region
	turn        int // the region of cells that the next cell goes to
	window      Window
}

// region is a piece of the arena that the host fills and the device reads.
type region struct {
	bytes []byte
	read  <-chan struct{} // closed when the device has read what is there; nil: nothing is
}

// NewLane finds the regions of a device's grid in the arena.
func NewLane(memory *arena.Arena, g *plugins.Grid, stream *link.Stream, spent *meter.Meter) (l *Lane, err error) {
	l = &Lane{Stream: stream, Spent: spent}
	for i := range l.rows {
		if l.rows[i].bytes, err = memory.Bytes(g.Rows[i]); err != nil {
			return nil, err
		}
		if l.cells[i].bytes, err = memory.Bytes(g.Cells[i]); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Pass has the device compute a pass. What it stores is among the Rows then.
func (r *Runner) Pass(ctx context.Context, number int, dropout dataflow.Dropout) error {
	p := &r.Passes[number]
	if r.ready == nil {
		r.ready, r.done = make([]bool, len(r.Passes)), make([]uint64, len(r.Passes))
	}
	command := plugins.Command{Pass: uint32(number), Seed: dropout.Seed, Epoch: uint32(dropout.Epoch)}
	if !r.ready[number] {
		for k := range p.Once {
			command.Piece = plugins.Piece{Once: true, Stage: uint32(k)}
			if err := r.stage(ctx, &p.Once[k], p.Sparse, command); err != nil {
				return err
			}
		}
		r.ready[number] = true
	}
	for k := range p.Epoch {
		command.Piece = plugins.Piece{Stage: uint32(k)}
		if err := r.stage(ctx, &p.Epoch[k], p.Sparse, command); err != nil {
			return err
		}
	}
	r.done[number]++
	command.Op, command.Piece = plugins.Pass, plugins.Piece{}
	_, err := r.Lanes[0].Stream.Do(command, nil) // all of them have the same parameters
	return err
}

// Expected is what all passes that have been computed copy, by Bytes.
func (r *Runner) Expected() (bytes uint64) {
	for pass, times := range r.done {
		if once, each := r.Bytes(pass); times > 0 {
			bytes += once + times*each
		}
	}
	return bytes
}

// interval is one on its way through a stage.
type interval struct {
	of   chunk.Interval
	rows map[*dataflow.Value]grid.Rows
	done <-chan struct{}
}

// stage takes all intervals through a stage: on several devices, a part of them each, at the same time.
func (r *Runner) stage(ctx context.Context, s *grid.Stage, sparse map[*dataflow.Value]bool,
	command plugins.Command) error {
	if r.Ring == nil {
		return r.intervals(ctx, s, sparse, command, 0, nil)
	}
	round := r.Ring.Begin(command, len(r.Layout.Columns[s.End]), AddedBytes(s))
	lanes, within := errgroup.WithContext(ctx)
	for k := range r.Lanes {
		lanes.Go(func() error { return r.intervals(within, s, sparse, command, k, round) })
	}
	if err := lanes.Wait(); err != nil {
		return err
	}
	return round.End(ctx)
}

// intervals takes those of a lane through a stage. While the device computes one, what the one before has stored is
// taken back, and the next is brought.
func (r *Runner) intervals(ctx context.Context, s *grid.Stage, sparse map[*dataflow.Value]bool, command plugins.Command,
	lane int, round *ring.Round) error {
	l := r.Lanes[lane]
	var before *interval
	for i := lane; i < len(r.Layout.Columns[s.End]); i += len(r.Lanes) {
		command.Piece.Interval = uint32(i)
		now, err := r.send(ctx, l, s, sparse, command)
		if err == nil && before != nil {
			err = r.takeBack(ctx, l, s, int(command.Pass), before)
		}
		if err == nil && round != nil {
			last := command
			last.Piece.Wave = uint32(len(s.Waves) - 1)
			err = round.Reduce(ctx, i, last)
		}
		if err != nil {
			return err
		}
		before = now
	}
	if before == nil {
		return nil
	}
	return r.takeBack(ctx, l, s, int(command.Pass), before)
}

// send brings an interval, and has it computed.
func (r *Runner) send(ctx context.Context, l *Lane, s *grid.Stage, sparse map[*dataflow.Value]bool,
	command plugins.Command) (*interval, error) {
	number := int(command.Piece.Interval)
	slot := number / len(r.Lanes) % 2
	n := &interval{of: r.Layout.Columns[s.End][number]}
	command.Op, command.Piece.Slot = plugins.Rows, uint32(slot)
	began, bytes := time.Now(), uint64(0)
	var err error
	n.rows, err = s.PlaceRows(l.rows[slot].bytes, int(n.of.Count), sparse, func(v *dataflow.Value) int64 {
		return r.Rows.Entries(v, n.of.Base, n.of.End())
	})
	if err != nil {
		return nil, err
	}
	for _, v := range s.Near {
		size, err := r.Rows.load(r.Rows.of(int(command.Pass), v), v.Width, n.of, n.rows[v])
		if err != nil {
			return nil, err
		}
		bytes += size
	}
	r.sent(l, began, bytes)
	for wave := range s.Waves {
		command.Piece.Wave = uint32(wave)
		if s.Gathers(wave) {
			for _, each := range r.Cells.of(s.End, number) {
				if err := r.cell(ctx, l, s, each, command); err != nil {
					return nil, err
				}
			}
		}
		if n.done, err = l.command(command); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// cell brings the edges of a cell and what its wave reads of their far ends.
func (r *Runner) cell(ctx context.Context, l *Lane, s *grid.Stage, c cell, command plugins.Command) error {
	slot, wave := l.turn, command.Piece.Wave
	to := &l.cells[slot]
	l.turn = 1 - l.turn
	if err := wait(ctx, to.read); err != nil {
		return err
	}
	began := time.Now()
	if err := r.Cells.read(c, to.bytes); err != nil {
		return err
	}
	placed, err := grid.PlaceCell(to.bytes, c.size, s.Far[wave])
	if err != nil {
		return err
	}
	bytes := c.size.EdgeBytes()
	for i, v := range s.Far[wave] {
		size, err := r.Rows.pick(r.Rows.of(int(command.Pass), v), v.Width, placed.Sources, placed.Far[i], &l.window)
		if err != nil {
			return err
		}
		bytes += size
	}
	r.sent(l, began, bytes)
	command.Op, command.Piece.Slot = plugins.Cell, uint32(slot)
	command.Piece.Sources, command.Piece.Edges = uint64(c.size.Sources), uint64(c.size.Edges)
	to.read, err = l.command(command)
	return err
}

// takeBack waits until the device has computed an interval, and takes what the stage has stored.
func (r *Runner) takeBack(ctx context.Context, l *Lane, s *grid.Stage, pass int, n *interval) error {
	if err := wait(ctx, n.done); err != nil {
		return err
	}
	began, bytes := time.Now(), uint64(0)
	for _, v := range s.Stored {
		size, err := r.Rows.store(r.Rows.of(pass, v), v.Width, n.of, n.rows[v].Numbers)
		if err != nil {
			return err
		}
		bytes += size
	}
	r.sent(l, began, bytes)
	return nil
}

// sent counts what was copied to a region, or out of it.
func (r *Runner) sent(l *Lane, began time.Time, bytes uint64) {
	r.Rec.Meter.Sent(bytes, 0)
	l.Spent.Sent(bytes, 0)
	r.Rec.Trace.Stage("transfer", began, bytes)
}

// command sends one, and tells when it has been done.
func (l *Lane) command(c plugins.Command) (<-chan struct{}, error) {
	done := make(chan struct{})
	return done, l.Stream.Send(c, link.Call{Done: func(plugins.Event) { close(done) }})
}

// wait waits for a command; nil: there is none.
func wait(ctx context.Context, done <-chan struct{}) error {
	if done == nil {
		return nil
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Bytes is what a pass copies to regions and out of them, and what it does so once beforehand. It is the paper's sum:
// each row that a stage reads or stores once, the edges of each wave once, and a row at far ends once for each interval
// that it has an edge to.
func (r *Runner) Bytes(pass int) (once, each uint64) {
	p := &r.Passes[pass]
	for i := range p.Once {
		once += r.stageBytes(&p.Once[i], p.Sparse)
	}
	for i := range p.Epoch {
		each += r.stageBytes(&p.Epoch[i], p.Sparse)
	}
	return once, each
}

func (r *Runner) stageBytes(s *grid.Stage, sparse map[*dataflow.Value]bool) (bytes uint64) {
	intervals := len(r.Layout.Columns[s.End])
	vertices := r.Layout.Sections[s.End][len(r.Layout.Sections[s.End])-1]
	for _, v := range s.Near {
		if sparse[v] {
			bytes += 8*(vertices+uint64(intervals)) + 8*uint64(r.Rows.Entries(v, 0, vertices))
		} else {
			bytes += 4 * vertices * uint64(v.Width)
		}
	}
	for _, v := range s.Stored {
		bytes += 4 * vertices * uint64(v.Width)
	}
	for wave := range s.Waves {
		for i := 0; i < intervals && s.Gathers(wave); i++ {
			for _, c := range r.Cells.of(s.End, i) {
				bytes += c.size.EdgeBytes()
				for _, v := range s.Far[wave] {
					bytes += 4 * uint64(c.size.Sources) * uint64(v.Width)
				}
			}
		}
	}
	return bytes
}

// RingBytes is what sums take on their way from device to device: once, and in each pass.
func (r *Runner) RingBytes(pass int) (once, each uint64) {
	for i := range r.Passes[pass].Once {
		once += r.ringBytes(&r.Passes[pass].Once[i])
	}
	for i := range r.Passes[pass].Epoch {
		each += r.ringBytes(&r.Passes[pass].Epoch[i])
	}
	return once, each
}

func (r *Runner) ringBytes(s *grid.Stage) uint64 {
	return ring.Bytes(len(r.Lanes), len(r.Layout.Columns[s.End]), AddedBytes(s))
}

// Exchanged is what passes that have been computed had travel from device to device, by RingBytes.
func (r *Runner) Exchanged() (bytes uint64) {
	for pass, times := range r.done {
		if once, each := r.RingBytes(pass); times > 0 {
			bytes += once + times*each
		}
	}
	return bytes
}

// Close gives up rows and cells.
func (r *Runner) Close() {
	r.Rows.Close()
	r.Cells.Close()
}
