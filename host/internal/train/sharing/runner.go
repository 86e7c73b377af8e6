package sharing

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/train/ring"
	"github.com/penstock-db/penstock/host/internal/train/streaming"
	"github.com/penstock-db/penstock/plugins"
)

// Runner has devices compute passes together.
type Runner struct {
	Layout  Layout
	Passes  []streaming.Stages
	Devices []*Device
	Ring    *ring.Ring
	Rec     *meter.Recorder

	stored map[*dataflow.Value]stored
	ready  []bool   // of each pass: what is computed once has been
	done   []uint64 // how often each pass has been computed
}

// Pass has the devices compute a pass.
func (r *Runner) Pass(ctx context.Context, number int, dropout dataflow.Dropout) error {
	p := &r.Passes[number]
	if r.stored == nil {
		r.stored, r.ready = map[*dataflow.Value]stored{}, make([]bool, len(r.Passes))
		r.done = make([]uint64, len(r.Passes))
	}
	command := plugins.Command{Pass: uint32(number), Seed: dropout.Seed, Epoch: uint32(dropout.Epoch)}
	if !r.ready[number] {
		for k := range p.Once {
			command.Piece = plugins.Piece{Once: true, Stage: uint32(k)}
			if err := r.stage(ctx, &p.Once[k], command); err != nil {
				return err
			}
			r.keep(&p.Once[k], true)
		}
		r.ready[number] = true
	}
	for k := range p.Epoch {
		command.Piece = plugins.Piece{Stage: uint32(k)}
		if err := r.stage(ctx, &p.Epoch[k], command); err != nil {
			return err
		}
		r.keep(&p.Epoch[k], false)
	}
	r.done[number]++
	command.Op, command.Piece = plugins.Pass, plugins.Piece{}
	_, err := r.Devices[0].Stream.Do(command, nil) // all of them have the same parameters
	return err
}

// stage has all devices compute a stage at the same time, and then their sums go around.
func (r *Runner) stage(ctx context.Context, s *grid.Stage, command plugins.Command) error {
	columns := len(r.Layout.Columns[s.End])
	round := r.Ring.Begin(command, columns, streaming.AddedBytes(s))
	devices, within := errgroup.WithContext(ctx)
	for _, d := range r.Devices[:columns] {
		devices.Go(func() error { return r.compute(within, d, s, command, round) })
	}
	if err := devices.Wait(); err != nil {
		return err
	}
	return round.End(ctx)
}

// keep takes note of what a stage has stored. What is fixed is the same whichever pass has stored it.
func (r *Runner) keep(s *grid.Stage, fixed bool) {
	for _, v := range s.Stored {
		if at := r.stored[v]; !fixed || at.version == 0 {
			r.stored[v] = stored{s.End, at.version + 1}
		}
	}
}

// compute has a device compute a stage for its interval, up to its part of the sums.
func (r *Runner) compute(ctx context.Context, d *Device, s *grid.Stage, command plugins.Command,
	round *ring.Round) error {
	r.pull(d, s)
	at := d.regions[s.End]
	command.Piece.Slot = at.slot
	done := make(chan struct{})
	for wave := range s.Waves {
		command.Piece.Wave = uint32(wave)
		if s.Gathers(wave) && at.linked {
			cell := command
			cell.Op, cell.Piece.Sources, cell.Piece.Edges = plugins.Cell, uint64(at.size.Sources), uint64(at.size.Edges)
			if err := d.Stream.Send(cell, link.Call{}); err != nil {
				return err
			}
		}
		command.Op = plugins.Rows
		call := link.Call{}
		if wave == len(s.Waves)-1 {
			call.Done = func(plugins.Event) { close(done) }
		}
		if err := d.Stream.Send(command, call); err != nil {
			return err
		}
	}
	select {
	case <-done:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return round.Reduce(ctx, d.number, command)
}

// All reads the rows of all vertices that a pass has stored.
func (r *Runner) All(v *dataflow.Value, to []float32) {
	end := r.stored[v].end
	for k, of := range r.Layout.Columns[end] {
		copy(to[of.Base*uint64(v.Width):], r.Devices[k].regions[end].rows[v].Numbers)
	}
}
