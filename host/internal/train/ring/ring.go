// Package ring adds up what several devices have each added up of a stage of a neural network, so that all of them have
// the sum of all: an all-reduce in a ring (NeuGraph, section 4), in an order that depends on the graph alone.
//
//	interval 0 ──sums──▶ interval 1 ──▶ … ──▶ the last ──sums of all──▶ around the ring
//
// Intervals are taken by turns: interval i by device i modulo n. Each device adds its sections to the running sums of
// the intervals before, one after the other, as one device alone would. So the bits are the same, however many devices
// there are. With an interval for each of n devices, n-1 times the sums travel until the last has all, and n-1 times
// until all have them: 2(n-1)/n of their bytes for each device, as in any all-reduce in a ring.
package ring

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/plugins"
)

// Member is a device of the ring.
type Member struct {
	Stream *link.Stream
	Sums   []byte // the region Grid.Sums
	Sent   uint64 // bytes of sums that it has passed on
}

// Ring is devices in their order.
type Ring struct {
	Members []*Member
	Rec     *meter.Recorder
}

// Round is the all-reduce of a stage.
type Round struct {
	ring    *Ring
	bytes   int
	command plugins.Command
	turns   []chan struct{} // by interval: closed when those before are added up
}

// Begin begins the round of a stage with so many intervals, which adds up numbers of so many bytes. The command says
// which stage.
func (r *Ring) Begin(command plugins.Command, intervals int, bytes uint64) *Round {
	round := &Round{ring: r, bytes: int(bytes), command: command}
	for range intervals + 1 {
		round.turns = append(round.turns, make(chan struct{}))
	}
	close(round.turns[0])
	clear(r.Members[0].Sums[:bytes])
	return round
}

// Reduce has a device add what the interval of a command has come to, when those before have. The device has computed
// it.
func (r *Round) Reduce(ctx context.Context, interval int, command plugins.Command) error {
	if r.bytes == 0 {
		return nil
	}
	select {
	case <-r.turns[interval]:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	n := len(r.ring.Members)
	if interval > 0 {
		r.pass((interval-1)%n, interval%n)
	}
	command.Op = plugins.Reduce
	if _, err := r.ring.Members[interval%n].Stream.Do(command, nil); err != nil {
		return err
	}
	close(r.turns[interval+1])
	return nil
}

// pass passes the sums on from one device to another.
func (r *Round) pass(from, to int) {
	if from == to || r.bytes == 0 {
		return
	}
	began := time.Now()
	m := r.ring.Members
	copy(m[to].Sums[:r.bytes], m[from].Sums[:r.bytes])
	m[from].Sent += uint64(r.bytes)
	r.ring.Rec.Meter.Exchanged(uint64(r.bytes))
	r.ring.Rec.Trace.Stage("exchange", began, uint64(r.bytes))
}

// End gives all devices the sums of all intervals, each of which has been reduced, and ends the stage on all.
func (r *Round) End(ctx context.Context) error {
	n := len(r.ring.Members)
	last := (max(len(r.turns)-1, 1) - 1) % n
	for k := range n - 1 {
		r.pass((last+k)%n, (last+k+1)%n)
	}
	done := make(chan struct{}, n)
	command := r.command
	command.Op = plugins.Reduced
	for _, m := range r.ring.Members {
		if err := m.Stream.Send(command, link.Call{Done: func(plugins.Event) { done <- struct{}{} }}); err != nil {
			return err
		}
	}
	for range n {
		select {
		case <-done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// Bytes is what travels of sums of so many bytes, in a stage of so many intervals on n devices.
func Bytes(n, intervals int, sums uint64) uint64 {
	if n < 2 {
		return 0
	}
	return uint64(max(intervals-1, 0)+n-1) * sums
}
