package mega

import (
	"fmt"
	"sync/atomic"
	"time"
)

// place is where a worker is, for who watches it.
type place struct {
	doing        atomic.Int32 // an action
	epoch, clock atomic.Int64
	beats        atomic.Uint64 // go on while it gets somewhere
	steps        uint          // the worker's alone
}

// Actions that are no stages: what waits, for others or for its end, does not hang; the others call the program.
const (
	waiting action = iota + look + 1
	applying
	settling
	judging
)

var actionNames = map[action]string{exchange: "Exchange of left vertices", visit: "Visit of left vertices",
	visitRight: "VisitRight of right vertices", look: "Look of left vertices", syncing: "Sync", applying: "Apply of right vertices or the context",
	settling: "Settle of right vertices", judging: "Done"}

// does says what comes next.
func (p *place) does(a action) {
	p.doing.Store(int32(a))
	p.beats.Add(1)
}

// beat says, vertex by vertex, that there is progress. Not each is told of, which would take as long as a short one.
func (p *place) beat() {
	const every = 16
	if p.steps++; p.steps%every == 0 {
		p.beats.Add(1)
	}
}

// WorkerError is a worker that has died, since the program panicked, or hangs in what it calls of the program.
type WorkerError struct {
	Program         string
	Worker, Workers int           // its number, from 0, and how many there are
	Epoch, Clock    int           // from 0
	Stage           string        // and of which side's vertices
	Silent          time.Duration // for how long it has got nowhere; 0: it has died
	Panic           any
	At              string // file:line of the panic
}

func (e *WorkerError) Error() string {
	where := fmt.Sprintf("%s: worker %d of %d", e.Program, e.Worker, e.Workers)
	at := fmt.Sprintf("in %s (epoch %d, clock %d)", e.Stage, e.Epoch, e.Clock)
	if e.Silent > 0 {
		return fmt.Sprintf("%s hangs %s: nothing has come of it for %v: mend the program, or give it more time", where, at,
			e.Silent)
	}
	return fmt.Sprintf("%s has died %s: %v at %s: mend the program", where, at, e.Panic, e.At)
}

// Hangs says whether the worker does, which then still runs.
func (e *WorkerError) Hangs() bool { return e.Silent > 0 }
