package commons

import "context"

// Barrier has processes wait for each other.
type Barrier struct {
	monitor Monitor
	came    *uint64 // how often any process has come
	of      uint64
	times   uint64 // that this process has
	stopped error
}

// NewBarrier is one of so many processes.
func NewBarrier(m *Memory, of int) *Barrier {
	return &Barrier{monitor: NewMonitor(m), came: &Take[uint64](m, 1)[0], of: uint64(of)}
}

// Meet waits until all processes have come as often as this one. When ctx ends, its cause is the error, also later.
func (b *Barrier) Meet(ctx context.Context) error {
	stopped := context.AfterFunc(ctx, func() { b.stop(context.Cause(ctx)) })
	defer stopped()
	b.monitor.Lock()
	defer b.monitor.Unlock()
	b.times++
	*b.came++
	b.monitor.Broadcast()
	for b.stopped == nil && *b.came < b.times*b.of {
		b.monitor.Wait()
	}
	return b.stopped
}

// stop has this process give up.
func (b *Barrier) stop(err error) {
	b.monitor.Lock()
	b.stopped = err
	b.monitor.Unlock()
	b.monitor.Broadcast()
}
