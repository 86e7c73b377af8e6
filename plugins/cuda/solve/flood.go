package solve

import (
	"context"
	"errors"
	"unsafe"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// flood solves by levels (solve_flood.cuh).
type flood struct {
	start, step  value
	bothWays     bool
	asynchronous bool
}

func (flood) Name() string { return "breadth-first, top down and bottom up" }

func (f flood) Scratch(vertices uint64) uint64 { return scratch(f.pieces(vertices)) }

// pieces are the cover, kernels.Flood, queue, visited and rows.
func (flood) pieces(n uint64) []uint64 {
	return []uint64{coverBytes(n), uint64(unsafe.Sizeof(kernels.Flood{})), 4 * n, setBytes(n), kernels.LongRowsBytes(n)}
}

// levels is a flood under way.
type levels struct {
	*run
	flood
	at, queue, visited, rows driver.Pointer
	now                      kernels.Flood // as the host has read it
	queued                   bool          // the frontier is in the queue, not in the active set
}

func (f flood) Run(ctx context.Context, job Job) (solved bool, err error) {
	r := begin(ctx, job, f.pieces(job.Program.Vertices))
	if ok, err := r.layCover(); err != nil || !ok {
		return false, err
	}
	l := &levels{run: r, flood: f, at: r.pieces[1], queue: r.pieces[2], visited: r.pieces[3], rows: r.pieces[4]}
	if err := l.first(); err != nil {
		return false, err
	}
	for over := false; !over; over = l.tell() {
		if err := l.level(); err != nil {
			return false, err
		}
	}
	return true, l.publish()
}

// first makes the active set the frontier.
func (l *levels) first() error {
	l.now = kernels.Flood{Value: l.start.plus(l.step).Bits, Step: l.step.Bits, Type: uint64(l.start.Type)}
	err := errors.Join(put(l.run, l.at, l.now), l.Stream.Copy(l.visited, l.Program.Active, setBytes(l.n())), l.enqueue())
	l.now.Reached, l.now.Unexplored = l.now.Size, l.edges()-l.now.Edges
	return errors.Join(err, l.put())
}

func (l *levels) put() error { return put(l.run, l.at, l.now) }

func (l *levels) get() (err error) {
	l.now, err = get[kernels.Flood](l.run, l.at)
	return err
}

// enqueue has the queue begin with the active set, which is the frontier.
func (l *levels) enqueue() error {
	err := errors.Join(l.launch("flood_enqueue", l.n(), uint64(l.At), uint64(l.cover), uint64(l.at),
		uint64(l.Program.Active), uint64(l.queue)), l.get())
	f := &l.now
	f.From, f.To, f.Size, f.Edges, f.Found, f.Met = 0, f.Found, f.Found, f.Met, 0, 0
	l.queued = true
	return err
}

// publish puts the frontier into the active set, if it is not there.
func (l *levels) publish() error {
	if !l.queued {
		return nil
	}
	l.queued = false
	return errors.Join(l.Stream.Fill8(l.Program.Active, 0, setBytes(l.n())),
		l.launch("flood_publish", l.now.Size, uint64(l.at), uint64(l.queue), uint64(l.Program.Active)))
}

// level makes those whom the frontier reaches the frontier; sometimes it does more than one.
func (l *levels) level() error {
	if l.now.Size == 0 {
		l.now.Levels++
		return nil
	}
	if l.goesUp() {
		return errors.Join(l.publish(), l.up(), l.get())
	}
	if !l.queued {
		if err := errors.Join(l.enqueue(), l.put()); err != nil {
			return err
		}
	}
	return errors.Join(l.down(), l.turn(), l.get())
}

// goesUp tells whether fewer edges are likely to be looked at from those who were not reached. Top down it is
// those of the frontier. Bottom up, whoever waits looks at all its edges, or finds one of the frontier soon: if
// edges lead anywhere, among as many as all edges that are left are to the frontier's.
func (l *levels) goesUp() bool {
	f := l.now
	edges, unexplored, waiting := float64(f.Edges), float64(f.Unexplored), float64(l.n()-f.Reached)
	return l.bothWays && edges > min(unexplored, waiting*(edges+unexplored)/edges)
}

// few vertices with few edges are what one block does alone. Each of its threads then looks at 16 edges, at one after
// another, for which they wait about as long as for the launches of a level and the host's look at it.
const (
	few      = 1024
	fewEdges = 16 * kernels.Block
)

func (l *levels) down() error {
	args := []uint64{uint64(l.At), uint64(l.cover), uint64(l.at), uint64(l.queue), uint64(l.visited), uint64(l.rows)}
	long := func() error { return l.launch("flood_long", whole, args...) }
	if l.asynchronous && l.now.Size <= few && l.now.Edges <= fewEdges {
		return errors.Join(l.launch("flood_few", 1, append(args, few, fewEdges, l.bound())...), long())
	}
	return errors.Join(l.launch("flood_down", l.now.Size, args...), long())
}

func (l *levels) up() error {
	return errors.Join(
		l.launch("flood_up", l.n(), uint64(l.At), uint64(l.cover), uint64(l.at), uint64(l.visited), uint64(l.Program.Active),
			uint64(l.Program.NextActive)),
		l.Stream.Copy(l.Program.Active, l.Program.NextActive, setBytes(l.n())),
		l.turn())
}

func (l *levels) turn() error { return l.launch("flood_turn", 1, uint64(l.at)) }

// tell tells of the levels so far, and answers whether they were the last.
func (l *levels) tell() bool {
	f := l.now
	over := f.Levels >= l.bound() || f.Size == 0 && !l.Spec.Exactly
	l.Tell(plugins.Iteration{Number: int(f.Levels), Active: f.Size, Converged: over}, f.Looked)
	return over
}
