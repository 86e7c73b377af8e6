package mega

import (
	"context"
	"sync"
	"time"
)

// link carries what a worker has changed to masters of others, as a Cluster pretends: what a clock sends arrives behind
// what the clocks before have sent, and then the clock is finished.
type link[V Number] struct {
	cluster Cluster
	clocks  *clocks
	worker  int
	free    time.Time     // from when it can send
	slots   chan struct{} // of clocks that are under way
	flights sync.WaitGroup
	last    chan struct{} // closed when what was sent last has arrived; nil: nothing was
}

// flight is what a clock has changed of rows of one master, under way.
type flight[V Number] struct {
	update[V]
	of   *masters[V]
	end  *end[V]
	from *mirrors[V]
	mine []uint32 // the rows, as mirrors are numbered
}

func newLink[V Number](c Cluster, clocks *clocks, worker int) *link[V] {
	return &link[V]{cluster: c, clocks: clocks, worker: worker, slots: make(chan struct{}, MaxFlights)}
}

// send has flights of so many bytes arrive in time, and then the clock be finished.
func (l *link[V]) send(ctx context.Context, all []*flight[V], bytes uint64) error {
	select {
	case l.slots <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	now := time.Now()
	if l.free.Before(now) {
		l.free = now
	}
	l.free = l.free.Add(l.cluster.sending(bytes))
	takes, before, arrived := l.free.Sub(now)+l.cluster.Latency, l.last, make(chan struct{})
	l.last = arrived
	l.flights.Go(func() {
		defer close(arrived)
		if sleep(ctx, takes) != nil {
			return
		}
		if before != nil {
			<-before
		}
		for _, f := range all {
			f.arrive()
		}
		<-l.slots
		l.clocks.finish(l.worker)
	})
	return nil
}

// arrive brings a flight to its master, which applies it when a worker in a later clock asks: its sender, if nobody
// else.
func (f *flight[V]) arrive() {
	f.end.Lock()
	defer f.end.Unlock()
	f.end.waiting = append(f.end.waiting, f.update)
	flying := f.from.flying[f.owner()]
	for i := range flying {
		if flying[i] == f {
			f.from.flying[f.owner()] = append(flying[:i], flying[i+1:]...)
			return
		}
	}
}

func (f *flight[V]) owner() uint16 { return f.of.owner[f.rows[0]] }
