package cpu

import "sync"

// turns has workers do a part of their tasks one after the other, in the tasks' order.
// Nobody waits for good where tasks are begun in order, as a pool's are, and each of them
// takes its turn.
type turns struct {
	next    int
	changed *sync.Cond
}

func newTurns() *turns { return &turns{changed: sync.NewCond(new(sync.Mutex))} }

// take calls do when all tasks before have had their turn.
func (t *turns) take(task int, do func()) {
	t.changed.L.Lock()
	defer t.changed.L.Unlock()
	for t.next != task {
		t.changed.Wait()
	}
	do()
	t.next++
	t.changed.Broadcast()
}
