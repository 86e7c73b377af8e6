package link

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/penstock-db/penstock/plugins"
)

// patience is how many timeouts a device may be silent that still answers Describe: it
// may be in one very long kernel.
const patience = 10

// pulse remembers when a device last gave a sign of life.
type pulse struct{ at atomic.Int64 } // Unix nanoseconds

func (p *pulse) beat() { p.at.Store(time.Now().UnixNano()) }

func (p *pulse) silence() time.Duration { return time.Duration(time.Now().UnixNano() - p.at.Load()) }

// Watch ends the run when the device owes an answer, or is to leave, and stays silent: for timeout when
// it does not answer Describe either, for patience times timeout when it does.
func (s *Stream) Watch(device plugins.Device, timeout time.Duration) {
	tick := time.NewTicker(max(timeout/4, 1))
	defer tick.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.ended:
			return
		case <-tick.C:
		}
		silence := s.pulse.silence()
		if !s.owes() || silence < timeout {
			continue
		}
		if silence > patience*timeout || !answers(s.ctx, device, timeout) {
			s.fail(Hung(s.Device, silence))
			return
		}
	}
}

// answers asks for a sign of life that costs the device nothing.
func answers(ctx context.Context, device plugins.Device, timeout time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	_, err := device.Describe(ctx)
	return err == nil
}

// Hung is the error of a device that has not answered for so long.
func Hung(device string, silence time.Duration) error {
	err := plugins.Errorf(plugins.KindHung, "no answer for %v; it has been killed. "+
		"Allow it more time, or look at it with `penstock plugin doctor`", silence.Round(time.Millisecond))
	err.Device = device
	return err
}
