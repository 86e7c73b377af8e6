package streamed

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// stepping is a pass in which the device steps the loads and then applies what came of them.
type stepping struct{ *watch }

// pass sends the loads. What is there already comes first, which gives the rest time to be read.
func (s stepping) pass(ctx context.Context, loads []schedule.Load) (plugins.Iteration, error) {
	final := s.Progress.Final
	s.begin(final.Number + 1)
	here, missing := s.apart(loads)
	for _, l := range here {
		if err := s.Device.Send(plugins.Command{Op: plugins.Step, Chunk: uint32(l.Chunk)}, link.Call{}); err != nil {
			return final, err
		}
	}
	for each := range s.Shipments(ctx, missing, final.Places) {
		if each.Err != nil {
			return final, each.Err
		}
		if err := s.ship(ctx, each); err != nil {
			return final, err
		}
	}
	if err := ctx.Err(); err != nil {
		return final, err
	}
	e, err := s.Device.Do(plugins.Command{Op: plugins.Apply}, nil)
	if err != nil {
		return final, err
	}
	return *e.Iteration, nil
}

// ship has the device work with a shipment and then evict it, unless it is to stay.
func (s stepping) ship(ctx context.Context, each *shipment.Shipment) error {
	if s.Plan.Streaming.Grid {
		s.profile.shipped = append(s.profile.shipped, each)
	}
	commands := s.carry(ctx, each)
	for _, upload := range each.Uploads {
		commands = append(commands, plugins.Command{Op: plugins.Step, Chunk: upload.Chunk})
		if each.Slot == nil {
			s.stays[upload.Chunk] = true
		} else {
			commands = append(commands, plugins.Command{Op: plugins.Evict, Chunk: upload.Chunk})
		}
	}
	return s.send(each, commands, nil)
}

// apart tells loads of chunks that are on the device already from the others.
func (w *watch) apart(loads []schedule.Load) (here, missing []schedule.Load) {
	for _, l := range loads {
		if w.stays[l.Chunk] {
			here = append(here, l)
		} else {
			missing = append(missing, l)
		}
	}
	return here, missing
}

// begin begins an iteration.
func (w *watch) begin(number int) {
	w.Rec.Trace.Iteration(number)
	w.profile = &profile{began: time.Now(), copies: w.Plan.Device.LinkBandwidth > 0}
}

// carry has the uploads of a shipment pass over the link.
func (w *watch) carry(ctx context.Context, s *shipment.Shipment) (commands []plugins.Command) {
	for i, upload := range s.Uploads {
		s.Carry(ctx, w.Env, i)
		commands = append(commands, upload)
	}
	return commands
}

// send sends the commands for a shipment. It does not wait for the answers: the slot comes back by itself.
func (w *watch) send(s *shipment.Shipment, commands []plugins.Command, iterated func(plugins.Event)) error {
	profile := w.profile
	for i, command := range commands {
		call := link.Call{Done: func(e plugins.Event) { profile.worked(s, e) }}
		if command.Op == plugins.Settle {
			call.Iterated = iterated
		}
		if i == len(commands)-1 && s.Slot != nil {
			call.Done = func(e plugins.Event) {
				profile.worked(s, e)
				w.Free <- s.Slot
			}
		}
		if err := w.Device.Send(command, call); err != nil {
			return err
		}
	}
	return nil
}
