package streamed

import (
	"context"
	"math"
	"math/bits"

	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/plugins"
)

// shipTogether has several devices settle a shipment, of which each has the edges that lead to its own vertices. Each
// iterates on these by itself; then they meet, and settle again along what they still have, as long as to send the
// lists once more that are not done with would take more bytes than to tell each other took,
// and less than the time before. Then they evict it.
func (s settling) shipTogether(ctx context.Context, each *shipment.Shipment, last *plugins.Iteration) error {
	commands := s.carry(ctx, each)
	for before := uint64(math.MaxUint64); ; {
		if err := s.settleOnce(ctx, each, commands); err != nil {
			return err
		}
		it, told, err := s.Device.Meet(*last)
		if err != nil {
			return err
		}
		*last, commands = it, nil
		again, err := s.unsent(each)
		if err != nil {
			return err
		}
		if again <= told || again >= before { // of values that get ever better there is no end
			break
		}
		before = again
	}
	for i, upload := range each.Uploads {
		if s.Stays(each, i) {
			s.stays[upload.Chunk] = true
			continue
		}
		commands = append(commands, plugins.Command{Op: plugins.Evict, Chunk: upload.Chunk})
	}
	if len(commands) == 0 {
		s.Free <- each.Slot
		return nil
	}
	return s.send(each, commands, nil)
}

// settleOnce has the devices do what comes before, and settle. It waits for the end.
func (s settling) settleOnce(ctx context.Context, each *shipment.Shipment, before []plugins.Command) error {
	for _, c := range before {
		if err := s.Device.Send(c, link.Call{}); err != nil {
			return err
		}
	}
	ended := make(chan struct{})
	c := plugins.Command{Op: plugins.Settle, At: each.Slot.Set, Rounds: uint32(each.Rounds)}
	err := s.Device.Send(c, link.Call{Done: func(e plugins.Event) {
		s.profile.worked(each, e)
		close(ended)
	}})
	if err != nil {
		return err
	}
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// unsent is what the lists take of a shipment's senders that are active.
func (s settling) unsent(each *shipment.Shipment) (size uint64, err error) {
	set, err := s.Arena().Uint64s(each.Slot.Set)
	if err != nil {
		return 0, err
	}
	lists, edges := 0, 0
	for k, word := range set[:len(s.Active)] {
		for word &= s.Active[k]; word != 0; word &= word - 1 {
			v := 64*k + bits.TrailingZeros64(word)
			for _, degrees := range s.Degrees {
				if n := degrees[v]; n > 0 {
					lists, edges = lists+1, edges+int(n)
				}
			}
		}
	}
	return s.Plan.Sizes().ListsCost(lists, edges), nil
}
