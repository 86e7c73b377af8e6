package host

import (
	"context"
	"sync"
)

// meeting is where two who work by themselves find out that neither has anything to do any more: each has looked at what the other
// has now, and has found nothing. What either has is numbered by its turns.
type meeting struct {
	mu      sync.Mutex // protects all
	changed *sync.Cond
	turns   [2]int
	idle    [2]bool
	seen    [2]int // when idle: so many of the other's turns
	looks   int    // at the other's
	news    int    // looks that found something new
	absent  error  // why one has left
}

// begin opens the meeting, until ctx ends.
func (m *meeting) begin(ctx context.Context) {
	m.changed = sync.NewCond(&m.mu)
	context.AfterFunc(ctx, func() { m.leave(context.Cause(ctx)) })
}

// moved tells that one has ended a turn.
func (m *meeting) moved(who int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turns[who]++
	m.changed.Broadcast()
}

// turn is the number of the last that one has ended.
func (m *meeting) turn(who int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.turns[who]
}

// looked tells that one has looked at the other's, after so many turns of it, and whether it has something to do, and found something
// new. If there is nothing to do it waits, and is told whether there is something to look at again; else nobody has anything to do, or
// somebody has left.
func (m *meeting) looked(who, seen int, busy, news bool) (goesOn bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.looks++; news {
		m.news++
	}
	if busy {
		return m.absent == nil
	}
	m.idle[who], m.seen[who] = true, seen
	m.changed.Broadcast()
	for m.turns[1-who] == seen && !m.over() {
		m.changed.Wait()
	}
	if m.over() {
		return false
	}
	m.idle[who] = false
	return true
}

func (m *meeting) over() bool {
	return m.absent != nil || m.idle[0] && m.idle[1] && m.seen[0] == m.turns[1] && m.seen[1] == m.turns[0]
}

// leave tells that one will not come back. Only the first to leave counts.
func (m *meeting) leave(why error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.absent == nil {
		m.absent = why
	}
	m.changed.Broadcast()
}

// left is why one has left; nil: nobody has.
func (m *meeting) left() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.absent
}
