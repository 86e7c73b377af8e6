package mega

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/penstock-db/penstock/plugins/mega/internal/commons"
)

// Asynchronous is a slack that has nobody wait for anybody.
const Asynchronous = -1

// MaxWorkers and MaxEpochs are how many a run may have.
const (
	MaxWorkers = 1024
	MaxEpochs  = 1 << 20
)

// Options are how a program runs.
type Options struct {
	Workers int // partitions, each with a worker; 0: 1
	Slack   int // how many clocks ahead of the slowest a worker may be; 0: bulk synchronous
	Epochs  int // at the most: see Program.Done
	Batch   int // edges of a partition in a MiniBatch; 0: all
	Batches int // in the place of Batch: so many of an epoch
	Seed    uint64
	Trace   bool    // have WorkerReport.Timeline
	Cut     Cut     // how the graph is cut into partitions; empty: Bipartite
	Cluster Cluster // that is pretended
	// Processes are those that the workers are divided among.
	Processes Processes
	// Patience is how long a worker may get nowhere in a call of the program's, such as Exchange, before it is said to
	// hang: longer than 16 vertices take. 0: forever.
	Patience time.Duration
	// Epoch is told of each epoch when the last worker has finished it, epoch after epoch. Calls do not overlap, with each
	// other or with those of Alive.
	Epoch func(number int, loss float64)
	// Alive is called about once a second while workers of this process get somewhere, or wait for others that do: who
	// watches over the process hears of it within an epoch. Nil: nobody does.
	Alive func()
	// Pause says, when no worker has begun the next epoch yet, whether they are to stop before it: see Course. Nil: never.
	Pause func() bool
	gate  func(c *commons.Memory, workers, slack int) *clocks // for tests; nil: newClocks
}

// State is what a program has come to: rows of left vertices, of the masters of right ones, and of the context.
type State[U any, V Number] struct {
	Left    []U
	Right   []V
	Context []V
}

// Traffic is what a worker has exchanged with masters of other partitions, in bytes.
type Traffic struct {
	Pushed, Pulled uint64
	size           uint64 // of a value
}

func (t *Traffic) add(travels bool, to *uint64, values int) {
	if travels {
		*to += t.size * uint64(values)
	}
}

// Report is how a run went.
type Report struct {
	Workers []WorkerReport // of this process
	Clocks  int
	Losses  []float64 // by epoch
	Done    bool      // Program.Done has ended it
	Left    Side
	Right   Side
}

// Side is vertices of one type.
type Side struct {
	Masters int // with edges
	Mirrors int
}

// Replication is how many mirrors there are of a vertex, on average.
func (s Side) Replication() float64 { return float64(s.Mirrors) / float64(max(s.Masters, 1)) }

func (s *Side) add(other Side) {
	s.Masters, s.Mirrors = s.Masters+other.Masters, s.Mirrors+other.Mirrors
}

// WorkerReport is what one worker has done.
type WorkerReport struct {
	Left    Side // that it has; where it has all edges of a left vertex, that is both
	Right   Side
	Clocks  int
	Edges   uint64
	Traffic Traffic
	Waited  time.Duration // for others
	Slept   time.Duration // for what Options.Cluster pretends, beside waiting for others
	// Timeline is its clocks, up to MaxSpans of all workers; nil: Options.Trace has not asked for it.
	Timeline []Span
	Ahead    int // clocks that it was before the slowest, at the most
}

// Run runs a program on a graph, whose Targets it takes for itself. When ctx ends, its cause is the error.
//
// Errors: *Error; *WorkerError.
func Run[U any, V Number, E any](ctx context.Context, p *Program[U, V, E], g *Graph[E], o Options) (*State[U, V],
	Report, error) {
	c, err := Start(p, g, o)
	for done := false; err == nil && !done; {
		done, err = c.Continue(ctx)
	}
	if err != nil {
		return nil, Report{}, err
	}
	return c.State(), c.Report(), nil
}

func (o Options) check(program string) error {
	switch {
	case o.Workers > MaxWorkers:
		return &Error{program, fmt.Sprintf("%d workers", o.Workers), fmt.Sprintf("give at most %d", MaxWorkers)}
	case o.Slack < Asynchronous:
		return &Error{program, fmt.Sprintf("slack %d", o.Slack), "give 0 or more clocks, or inf for no bound"}
	case o.Epochs < 1 || o.Epochs > MaxEpochs:
		return &Error{program, fmt.Sprintf("%d epochs", o.Epochs), fmt.Sprintf("give 1 to %d", MaxEpochs)}
	case o.Patience < 0:
		return &Error{program, fmt.Sprintf("a patience of %v", o.Patience), "give a time of at least 0"}
	case o.Batch < 0:
		return &Error{program, fmt.Sprintf("a batch of %d edges", o.Batch), "give at least 1, or 0 for all"}
	case o.Batches < 0:
		return &Error{program, fmt.Sprintf("%d batches", o.Batches), "give at least 1, or 0 for as many as their size makes"}
	}
	if what, do := o.Cut.check(); what != "" {
		return &Error{program, what, do}
	}
	if what, do := o.Cluster.check(); what != "" {
		return &Error{program, what, do}
	}
	if what, do := o.Processes.check(o); what != "" {
		return &Error{program, what, do}
	}
	return nil
}

// inTurn has calls of Epoch and of Alive not overlap.
func (o Options) inTurn() Options {
	epoch, alive := o.Epoch, o.Alive
	if epoch == nil || alive == nil {
		return o
	}
	var turn sync.Mutex
	o.Epoch = func(number int, loss float64) {
		turn.Lock()
		defer turn.Unlock()
		epoch(number, loss)
	}
	o.Alive = func() {
		turn.Lock()
		defer turn.Unlock()
		alive()
	}
	return o
}

func (p *Program[U, V, E]) check() error {
	bad := func(what string) error { return &Error{p.Name, what, "mend the program"} }
	if min(p.Left.Shared, p.Left.Mirror, p.Right.Shared, p.Right.Master, p.Right.Mirror) < 0 ||
		min(p.Context.Shared, p.Context.Master, p.Context.Mirror, p.Tally) < 0 {
		return bad("a row has less than no values")
	}
	synced := false
	for _, s := range p.Stages {
		stages := []Stage{s}
		if s.do == miniBatch {
			stages = s.batch
		}
		for _, s := range stages {
			switch {
			case s.do == miniBatch:
				return bad("a MiniBatch is in a MiniBatch")
			case (s.do == exchange || s.do == look) && p.Exchange == nil && p.Block == nil:
				return bad("it has a stage " + s.String() + ", but neither Exchange nor Block")
			case s.do == visitRight && p.VisitRight == nil:
				return bad("it has a stage VisitRight, but no VisitRight")
			case s.do == visit && p.Visit == nil:
				return bad("it has a stage Visit, but no Visit")
			}
		}
		last := len(stages) - 1
		synced = last >= 0 && stages[last].do == syncing
	}
	if !synced {
		return bad("its stages do not end with Sync")
	}
	return nil
}

// run is a program on its way.
type run[U any, V Number, E any] struct {
	program *Program[U, V, E]
	options Options
	parts   []*partition[E] // of all workers
	left    []U
	right   *masters[V]
	context *masters[V]
	lefts   *masters[V] // nil: left vertices are in one partition each, and left has their rows
	clocks  *clocks
	workers []*worker[U, V, E] // of this process
	epochs  *epochs
	barrier *commons.Barrier
	life    *life
	batches int    // of a MiniBatch: as many in all partitions, so that clocks are
	from    int    // the epoch that comes next
	kept    []byte // from which all go on; nil: there is nothing, or they have it
}

func newRun[U any, V Number, E any](p *Program[U, V, E], g *Graph[E], o Options) (*run[U, V, E], error) {
	parts := divide(g, o.Cut, o.Workers)
	gate := o.gate
	if gate == nil {
		gate = newClocks
	}
	c := &commons.Memory{Room: o.Processes.Room}
	r := &run[U, V, E]{program: p, options: o, parts: parts, clocks: gate(c, o.Workers, o.Slack),
		barrier: commons.NewBarrier(c, max(o.Processes.Of, 1)), batches: o.batches(parts[0].most)}
	r.epochs = newEpochs(c, o, p.Done, p.Tally, p.lag(o.Slack, r.batches))
	r.startLeft(c, g.Lefts())
	r.right = newMasters(c, o, p.Right, mirrorsOf(parts), owners(parts, g.Rights), p.StartRight, p.Apply)
	var together func(k, i int) float64 // how many are likely to change mirror i of worker k together
	if p.Right.Mean {
		r.right.overlap = overlap(parts, g.Rights, o.unheard(r.batches))
		together = func(k, i int) float64 { return r.right.of(parts[k].mirrors[i]) }
	} else if p.StartMirror != nil {
		unheard := unheardBy(parts, g.Rights, r.batches, o.unheard(r.batches))
		together = func(k, i int) float64 { return 1 + unheard[k][i] }
	}
	startContext := func(_ int, row []V) {
		if p.StartContext != nil {
			p.StartContext(row)
		}
	}
	r.context = newMasters(c, o, p.Context, slices.Repeat([][]uint32{{0}}, o.Workers), []uint16{0}, startContext,
		p.ApplyContext)
	began, places := beginning(c), []*place(nil)
	for k := range parts {
		if o.Processes.has(k, o.Workers) {
			w := r.newWorker(k, began, together)
			r.workers, places = append(r.workers, w), append(places, &w.at)
		}
	}
	r.life = newLife(c, places, o)
	if c.Small() {
		return nil, &Error{p.Name, fmt.Sprintf("processes share %d bytes, and there is room for %d", c.Used, len(c.Room)),
			"give more room"}
	}
	return r, nil
}

// newWorker is that of partition k. Of each mirror of a worker, together tells how many are likely to change it
// at once.
func (r *run[U, V, E]) newWorker(k int, began time.Time, together func(k, i int) float64) *worker[U, V, E] {
	var value V
	o, part := r.options, r.parts[k]
	w := &worker[U, V, E]{run: r, part: part, context: newMirrors(r.context, []uint32{0}, nil)}
	var start func(i int, own []V)
	if r.program.StartMirror != nil {
		start = func(i int, own []V) { r.program.StartMirror(own, together(k, i)) }
	}
	w.mirrors = newMirrors(r.right, part.mirrors, start)
	w.timeline = newTimeline(o, began)
	w.takeLeft()
	w.Worker = &Worker[V]{Number: k, Context: w.context.row(0), Tally: make([]float64, r.program.Tally)}
	w.source = rand.NewPCG(o.Seed, uint64(k))
	w.Random = rand.New(w.source)
	w.report.Traffic.size = uint64(unsafe.Sizeof(value))
	if o.Cluster.linked() && o.Workers > 1 {
		w.link = newLink[V](o.Cluster, r.clocks, k)
	}
	return w
}

// batches is how many a MiniBatch has where the largest partition has so many edges.
func (o Options) batches(most int) int {
	switch {
	case o.Batches > 0:
		return o.Batches
	case o.Batch == 0:
		return 1
	}
	return max(1, (most+o.Batch-1)/o.Batch)
}

// batch is one of so many.
type batch struct{ number, of int }

// epoch is the stages of an epoch, one after the other, those of a MiniBatch batch by batch.
func (p *Program[U, V, E]) epoch(batches int) iter.Seq2[Stage, batch] {
	return func(yield func(Stage, batch) bool) {
		for _, s := range p.Stages {
			if s.do != miniBatch {
				if !yield(s, batch{0, 1}) {
					return
				}
				continue
			}
			for b := range batches {
				for _, s := range s.batch {
					if !yield(s, batch{b, batches}) {
						return
					}
				}
			}
		}
	}
}

// clocks is how many an epoch has.
func (p *Program[U, V, E]) clocks(batches int) (n int) {
	for _, s := range p.Stages {
		for _, each := range s.batch {
			if each.do == syncing {
				n += batches
			}
		}
		if s.do == syncing {
			n++
		}
	}
	return n
}

// lag is how many epochs the slack lets a worker be ahead.
func (p *Program[U, V, E]) lag(slack, batches int) int {
	last := p.Stages[len(p.Stages)-1]
	if n := len(last.batch); n > 0 {
		last = last.batch[n-1]
	}
	if last.meets {
		return 0
	}
	clocks := p.clocks(batches)
	return (slack + clocks - 1) / clocks
}

// stop has the workers of this process give up.
func (r *run[U, V, E]) stop(err error) {
	r.clocks.stop(err)
	r.epochs.stop(err)
}

// serve has masters of this process's workers apply all that waits.
func (r *run[U, V, E]) serve() {
	all := []*masters[V]{r.right, r.context}
	if r.lefts != nil {
		all = append(all, r.lefts)
	}
	for _, m := range all {
		for _, w := range r.workers {
			e := m.ends[w.Number]
			e.Lock()
			m.serve(w.Worker, e, math.MaxInt)
			e.Unlock()
		}
	}
}

func (r *run[U, V, E]) state() *State[U, V] {
	return &State[U, V]{Left: r.leftRows(), Right: r.right.values, Context: r.context.values}
}

func (r *run[U, V, E]) report() Report {
	rep := Report{Losses: slices.Clone(r.epochs.sums[:r.epochs.many]), Done: r.epochs.found}
	lefts, rights := wholeSides(r.parts), sidesOf(mirrorsOf(r.parts), r.right.owner)
	if r.lefts != nil {
		lefts = sidesOf(leftsOf(r.parts), r.lefts.owner)
	}
	for _, w := range r.workers {
		k := w.Number
		w.report.Timeline = w.spans
		w.report.Left, w.report.Right, w.report.Clocks = lefts[k], rights[k], w.Clock
		rep.Workers = append(rep.Workers, w.report)
		rep.Clocks = max(rep.Clocks, w.Clock)
		rep.Left.add(w.report.Left)
		rep.Right.add(w.report.Right)
	}
	return rep
}
