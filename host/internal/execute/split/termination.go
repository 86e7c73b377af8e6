package split

import (
	"context"
	"sync"
)

// termination detects that two devices that work by themselves have both nothing to do any more: each has looked at the
// other's last state, and has found nothing new. States are numbered by the turns that made them.
type termination struct {
	mu      sync.Mutex // protects all
	changed *sync.Cond
	turns   [2]int
	idle    [2]bool
	seen    [2]int // when idle: so many of the other's turns
	looks   int    // at the other's
	news    int    // looks that found something new
	absent  error  // why one has left
}

// begin makes it ready for use, until ctx ends.
func (t *termination) begin(ctx context.Context) {
	t.changed = sync.NewCond(&t.mu)
	context.AfterFunc(ctx, func() { t.leave(context.Cause(ctx)) })
}

// moved tells that one has ended a turn.
func (t *termination) moved(which int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.turns[which]++
	t.changed.Broadcast()
}

// turn is the number of the last that one has ended.
func (t *termination) turn(which int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.turns[which]
}

// looked tells that one has looked at the other's state, after so many turns of it, whether it has something to do, and
// whether it found something new. If there is nothing to do it waits. It returns whether there is something to do or to
// look at again; if not, neither has anything to do, or one has left.
func (t *termination) looked(which, seen int, busy, news bool) (goesOn bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.looks++; news {
		t.news++
	}
	if busy {
		return t.absent == nil
	}
	t.idle[which], t.seen[which] = true, seen
	t.changed.Broadcast()
	for t.turns[1-which] == seen && !t.over() {
		t.changed.Wait()
	}
	if t.over() {
		return false
	}
	t.idle[which] = false
	return true
}

func (t *termination) over() bool {
	return t.absent != nil || t.idle[0] && t.idle[1] && t.seen[0] == t.turns[1] && t.seen[1] == t.turns[0]
}

// leave tells that one will not come back. Only the first to leave counts.
func (t *termination) leave(why error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.absent == nil {
		t.absent = why
	}
	t.changed.Broadcast()
}

// left is why one has left; nil: neither has.
func (t *termination) left() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.absent
}
