package streaming

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Runner has a device compute passes, piece by piece.
type Runner struct {
	Layout Layout
	Passes []Stages
	Cells  *Cells
	Rows   *Rows
	Stream *link.Stream
	Rec    *meter.Recorder

	rows, cells [2]region
	turn        int      // the region of cells that the next cell goes to
	ready       []bool   // of each pass: what is computed once has been
	done        []uint64 // how often each pass has been computed
}

// region is a piece of the arena that the host fills and the device reads.
type region struct {
	bytes []byte
	read  <-chan struct{} // closed when the device has read what is there; nil: nothing is
}

// Open finds the regions in the arena.
func (r *Runner) Open(memory *arena.Arena) (err error) {
	for i := range r.rows {
		if r.rows[i].bytes, err = memory.Bytes(r.Layout.Grid.Rows[i]); err != nil {
			return err
		}
		if r.cells[i].bytes, err = memory.Bytes(r.Layout.Grid.Cells[i]); err != nil {
			return err
		}
	}
	r.ready, r.done = make([]bool, len(r.Passes)), make([]uint64, len(r.Passes))
	return nil
}

// Pass has the device compute a pass. What it stores is among the Rows then.
func (r *Runner) Pass(ctx context.Context, number int, dropout dataflow.Dropout) error {
	p := &r.Passes[number]
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
	_, err := r.Stream.Do(command, nil)
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

// stage takes all intervals through a stage. While the device computes one, what the one before has stored is taken
// back, and the next is brought.
func (r *Runner) stage(ctx context.Context, s *grid.Stage, sparse map[*dataflow.Value]bool,
	command plugins.Command) error {
	var before *interval
	for i := range r.Layout.Grid.Intervals(s.End) {
		command.Piece.Interval = uint32(i)
		now, err := r.send(ctx, s, sparse, command)
		if err == nil && before != nil {
			err = r.takeBack(ctx, s, int(command.Pass), before)
		}
		if err != nil {
			return err
		}
		before = now
	}
	return r.takeBack(ctx, s, int(command.Pass), before)
}

// send brings an interval, and has it computed.
func (r *Runner) send(ctx context.Context, s *grid.Stage, sparse map[*dataflow.Value]bool,
	command plugins.Command) (*interval, error) {
	number := int(command.Piece.Interval)
	n := &interval{of: r.Layout.Grid.Interval(s.End, number)}
	command.Op, command.Piece.Slot = plugins.Rows, uint32(number%2)
	began, bytes := time.Now(), uint64(0)
	var err error
	n.rows, err = s.PlaceRows(r.rows[number%2].bytes, int(n.of.Count), sparse, func(v *dataflow.Value) int64 {
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
	r.sent(began, bytes)
	for wave := range s.Waves {
		command.Piece.Wave = uint32(wave)
		if s.Gathers(wave) {
			for _, each := range r.Cells.of(s.End, number) {
				if err := r.cell(ctx, s, each, command); err != nil {
					return nil, err
				}
			}
		}
		if n.done, err = r.command(command); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// cell brings the edges of a cell and what its wave reads of their far ends.
func (r *Runner) cell(ctx context.Context, s *grid.Stage, c cell, command plugins.Command) error {
	slot, wave := r.turn, command.Piece.Wave
	to := &r.cells[slot]
	r.turn = 1 - r.turn
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
		size, err := r.Rows.pick(r.Rows.of(int(command.Pass), v), v.Width, placed.Sources, placed.Far[i])
		if err != nil {
			return err
		}
		bytes += size
	}
	r.sent(began, bytes)
	command.Op, command.Piece.Slot = plugins.Cell, uint32(slot)
	command.Piece.Sources, command.Piece.Edges = uint64(c.size.Sources), uint64(c.size.Edges)
	to.read, err = r.command(command)
	return err
}

// takeBack waits until the device has computed an interval, and takes what the stage has stored.
func (r *Runner) takeBack(ctx context.Context, s *grid.Stage, pass int, n *interval) error {
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
	r.sent(began, bytes)
	return nil
}

// sent counts what was copied to a region, or out of it.
func (r *Runner) sent(began time.Time, bytes uint64) {
	r.Rec.Meter.Sent(bytes, 0)
	r.Rec.Trace.Stage("transfer", began, bytes)
}

// command sends one, and tells when it has been done.
func (r *Runner) command(c plugins.Command) (<-chan struct{}, error) {
	done := make(chan struct{})
	return done, r.Stream.Send(c, link.Call{Done: func(plugins.Event) { close(done) }})
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
	intervals := r.Layout.Grid.Intervals(s.End)
	vertices := r.Layout.Grid.Sections[s.End][len(r.Layout.Grid.Sections[s.End])-1]
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

// Close gives up rows and cells.
func (r *Runner) Close() {
	r.Rows.Close()
	r.Cells.Close()
}
