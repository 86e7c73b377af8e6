package parallel

import (
	"context"
	"math"
	"sync/atomic"
)

// loop is one call of a pool's run. Others may join the caller until he finds no more
// tasks; who comes later, since waking takes its time, is not waited for.
type loop struct {
	ctx     context.Context
	tasks   int64
	do      func(worker, task int)
	next    atomic.Int64
	members atomic.Int64  // beside the caller; closed is added when nobody may join
	left    chan struct{} // has room for the last member's farewell
}

const closed = math.MinInt64

// join tells whether there may be something to do; leave must follow then.
func (r *loop) join() bool {
	for {
		members := r.members.Load()
		if members < 0 || r.members.CompareAndSwap(members, members+1) {
			return members >= 0
		}
	}
}

func (r *loop) leave() {
	if r.members.Add(-1) == closed {
		r.left <- struct{}{}
	}
}

// work does tasks as long as there are any.
func (r *loop) work(worker int) {
	for r.ctx.Err() == nil {
		task := r.next.Add(1) - 1
		if task >= r.tasks {
			return
		}
		r.do(worker, int(task))
	}
}

// close waits for those who have joined, awake at first: they are at their last tasks.
func (r *loop) close() {
	if r.members.Add(closed) == closed {
		return
	}
	if !spin(func() bool { return r.members.Load() == closed }) {
		<-r.left
	}
}
