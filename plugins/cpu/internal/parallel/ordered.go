package parallel

import "sync"

// Ordered has workers do a part of their tasks one after the other, in the tasks' order.
// Nobody waits for good where tasks are begun in order, as a pool's are, and each of them
// takes its turn.
type Ordered struct {
	next    int
	changed *sync.Cond
}

func NewOrdered() *Ordered { return &Ordered{changed: sync.NewCond(new(sync.Mutex))} }

// Do calls do when all tasks before have had their turn.
func (t *Ordered) Do(task int, do func()) {
	t.changed.L.Lock()
	defer t.changed.L.Unlock()
	for t.next != task {
		t.changed.Wait()
	}
	do()
	t.next++
	t.changed.Broadcast()
}
