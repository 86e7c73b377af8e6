package confine

import (
	"sync"
	"time"
)

// Watch looks again and again at what a process takes, and ends it when it has more memory of its own, or more threads,
// than it may, or has taken more time of processors.
//
// It looks again when the process could have filled the room that is left, so that a process which fills as fast as a
// machine can is seen before it has taken much more than its limit, and an idle one costs ten looks a second, of some
// 20 µs each. Where the system has control groups for it, the process is in one as well, which holds it to the same
// limit and what was handed to it, so that it never has more, whatever kind of memory that is. A nil Watch watches
// nothing.
type Watch struct {
	of     Watched
	hold   *hold
	kill   func()
	sooner chan struct{} // the limit is another now

	mu     sync.Mutex // protects what is below
	given  bool       // it has a budget
	card   bool       // which is a card's
	limit  Limit
	handed uint64 // bytes of files that it was given
	turn   turn
	seen   Use
	over   error
}

// Watched is what a watch is over.
type Watched struct {
	PID    int
	Family bool // and its children, and theirs
	Free   bool // it is looked at alone
}

const (
	fastestFill  = 16 << 30 // bytes a second that processors fill, about
	shortestRest = 2 * time.Millisecond
	longestRest  = 100 * time.Millisecond
)

// NewWatch is a watch over a process, which kill ends.
func NewWatch(of Watched, kill func()) *Watch {
	return &Watch{of: of, hold: holdOf(of), kill: kill, sooner: make(chan struct{}, 1), limit: Limit{Beside: unopened}}
}

// look is what the process takes now.
func (w *Watch) look() (Use, error) {
	if w.of.Family {
		return useOfFamily(w.of.PID)
	}
	return UseOf(w.of.PID)
}

// Run watches until the process is done.
func (w *Watch) Run(done <-chan struct{}) {
	for {
		use, err := w.look()
		if err != nil {
			return // it has ended, or the system does not tell
		}
		rest, over := w.judge(use)
		if w.of.Family && !over { // the kernel may have killed another than the first
			w.ask()
			over = w.Over() != nil
		}
		if over {
			w.kill()
			return
		}
		select {
		case <-done:
			return
		case <-w.sooner:
		case <-time.After(rest):
		}
	}
}

// judge tells whether the process takes too much, and else when to look again.
func (w *Watch) judge(use Use) (rest time.Duration, over bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	use.Own += use.emptyTables(w.handed)
	w.seen = w.seen.most(use)
	limit := w.limit.Bytes()
	took, rest, over := w.turn.over(use)
	switch {
	case over:
		w.over = &CPUTimeError{Limit: w.turn.limit, Took: took}
		return 0, true
	case w.of.Free || limit == 0:
		return min(max(rest, shortestRest), longestRest), false
	case use.Own > limit:
		w.over = &MemoryError{Limit: w.limit, Own: use.Own}
		return 0, true
	case use.Tasks > mostTasks():
		w.over = &TasksError{Most: mostTasks(), Had: use.Tasks}
		return 0, true
	}
	room := time.Duration(float64(limit-use.Own) / fastestFill * float64(time.Second))
	return min(max(min(room, rest), shortestRest), longestRest), false
}

// Give has the process have a budget for a session; 0: any. What it has when it is first given one is its program's. A
// process that had a larger budget before may still have what it took of that. card: the budget is of a card.
func (w *Watch) Give(budget uint64, card bool) {
	if w == nil {
		return
	}
	use, err := w.look()
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.tighten()
	if err != nil || budget == 0 {
		w.of.Free = w.of.Free || err == nil
		return
	}
	if !w.given {
		w.given, w.card, w.limit = true, card, Limit{Beside: beside(use.Own, card)}
	}
	w.limit.Budget = max(w.limit.Budget, budget)
	select {
	case w.sooner <- struct{}{}:
	default: // it has been told already
	}
}

// GiveTime has the process have so much time of processors from now on; 0: any. That goes for one without walls as
// well.
func (w *Watch) GiveTime(cpu time.Duration) {
	if w == nil {
		return
	}
	use, _ := w.look() // of a process that has ended, nothing
	w.mu.Lock()
	defer w.mu.Unlock()
	w.turn = turn{limit: cpu, began: use.CPU}
	select {
	case w.sooner <- struct{}{}:
	default: // it has been told already
	}
}

// Hand tells of how many bytes the files are that the process was handed: the memory that they lie in counts as that of
// whoever looks at it first.
func (w *Watch) Hand(bytes uint64) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if bytes > w.handed {
		w.handed = bytes
		w.tighten()
	}
}

// tighten has the control group be of the present limit. Drivers of cards pin memory of their own and others', of which
// nobody knows how much: there the watch is alone. It needs w.mu.
func (w *Watch) tighten() {
	switch {
	case w.of.Free || w.card:
		w.hold.limit(0)
	case w.given:
		w.hold.limit(w.limit.Bytes() + w.handed)
	}
}

// ask has the control group say what became of the process.
func (w *Watch) ask() {
	ended := w.hold.ended()
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.over != nil:
	case ended.Killed:
		w.over = &MemoryError{Limit: w.limit, Own: ended.Most, Group: true, Handed: w.handed}
	case ended.Refused:
		w.over = &TasksError{Most: mostTasks(), Had: mostTasks()}
	}
}

// End is called when the process has ended: then Over says what for, and nothing is left of its control group.
func (w *Watch) End() {
	w.ask()
	w.hold.remove()
}

// Tell completes what is said of walls by what holds memory. It waits until that does.
func (w *Watch) Tell(states []State) []State {
	<-w.hold.ready
	for i, s := range states {
		if s.Wall == Memory && s.Stands {
			states[i].How = w.hold.how + s.How
		}
	}
	return states
}

// Limit is what the process may have of memory; the zero value is no limit.
func (w *Watch) Limit() Limit {
	if w == nil {
		return Limit{}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of.Free {
		return Limit{}
	}
	return w.limit
}

// Seen is the most that the process was seen to take, now included.
func (w *Watch) Seen() Use {
	if w == nil {
		return Use{}
	}
	use, _ := w.look() // of a process that has ended, nothing
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = w.seen.most(use)
	return w.seen
}

// Over says what the process was ended for; nil: it was not.
func (w *Watch) Over() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.over
}
