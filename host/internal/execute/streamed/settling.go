package streamed

import (
	"context"

	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// settling is a pass in which each shipment is brought to local convergence while it is on the device: vertices that it
// changes send at once. An iteration is then a pass over all that is wanted. What has stayed on the device comes first,
// which gives the rest time to be read.
type settling struct{ *watch }

func (s settling) pass(ctx context.Context, loads []schedule.Load) (plugins.Iteration, error) {
	last, number := s.Progress.Final, s.Progress.Final.Number+1
	places := last.Places // what is sent answers into last from here on
	s.begin(number)
	here, missing := s.apart(loads)
	if err := s.settleHere(ctx, here, &last); err != nil {
		return last, err
	}
	for each := range s.Shipments(ctx, missing, places) {
		if each.Err != nil {
			return last, each.Err
		}
		if err := s.ship(ctx, each, &last); err != nil {
			return last, err
		}
	}
	err := s.await(ctx)
	last.Number = number
	return last, err
}

// ship has the device settle a shipment and then evict it.
func (s settling) ship(ctx context.Context, each *shipment.Shipment, last *plugins.Iteration) error {
	if s.Plan.Devices > 1 {
		return s.shipTogether(ctx, each, last)
	}
	commands := append(s.carry(ctx, each), plugins.Command{Op: plugins.Settle, At: each.Slot.Set,
		Rounds: uint32(each.Rounds)})
	for i, upload := range each.Uploads {
		if s.Stays(each, i) {
			s.stays[upload.Chunk] = true
			continue
		}
		commands = append(commands, plugins.Command{Op: plugins.Evict, Chunk: upload.Chunk})
	}
	return s.send(each, commands, func(e plugins.Event) { *last = *e.Iteration })
}

// settleHere has the device settle chunks that are on it already. It takes a slot for the set of their senders.
func (s settling) settleHere(ctx context.Context, here []schedule.Load, last *plugins.Iteration) error {
	if len(here) == 0 {
		return nil
	}
	each := &shipment.Shipment{Rounds: here[0].Rounds}
	for _, l := range here {
		rows, _ := s.Lists(l.Chunk)
		each.Senders = append(each.Senders, shipment.TakeSenders(s.Active, rows, s.Priority))
	}
	select {
	case each.Slot = <-s.Free:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := s.WriteSenders(each.Slot.Set, each.Senders); err != nil {
		return err
	}
	return s.ship(ctx, each, last)
}

// await waits until every slot is free: nothing is under way any more.
func (s settling) await(ctx context.Context) error {
	var free []*plan.Slot
	defer func() {
		for _, slot := range free {
			s.Free <- slot
		}
	}()
	for range s.Plan.Fit.Slots {
		select {
		case slot := <-s.Free:
			free = append(free, slot)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
