package cpu

import (
	"context"
	"math"
	"sync/atomic"
)

// round is one call of a pool's run. Others may join the caller until he finds no more
// tasks; who comes later, since waking takes its time, is not waited for.
type round struct {
	ctx     context.Context
	tasks   int64
	do      func(worker, task int)
	next    atomic.Int64
	members atomic.Int64  // beside the caller; closed is added when nobody may join
	left    chan struct{} // has room for the last member's farewell
}

const closed = math.MinInt64

// join tells whether there may be something to do; leave must follow then.
func (r *round) join() bool {
	for {
		members := r.members.Load()
		if members < 0 || r.members.CompareAndSwap(members, members+1) {
			return members >= 0
		}
	}
}

func (r *round) leave() {
	if r.members.Add(-1) == closed {
		r.left <- struct{}{}
	}
}

// work does tasks as long as there are any.
func (r *round) work(worker int) {
	for r.ctx.Err() == nil {
		task := r.next.Add(1) - 1
		if task >= r.tasks {
			return
		}
		r.do(worker, int(task))
	}
}

// close waits for those who have joined, awake at first: they are at their last tasks.
func (r *round) close() {
	if r.members.Add(closed) == closed {
		return
	}
	if !awake(func() bool { return r.members.Load() == closed }) {
		<-r.left
	}
}
