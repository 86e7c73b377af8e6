package learners

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/algorithms/mega/kept"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/mega"
)

// course is a run that goes on from one command to the next, as what it has come to is to be kept in between.
type course[U any, V mega.Number, E any] struct {
	*mega.Course[U, V, E]
	first bool   // of the processes
	row   []byte // where it is kept; nil: nowhere
	edges uint64 // gone along by earlier commands
}

// start makes a run ready, to go on from what was kept, if anything was. Commands are told by what pause is.
func start[U any, V mega.Number, E any](in Input, p *mega.Program[U, V, E], g *mega.Graph[E], o mega.Options) (
	*course[U, V, E], error) {
	c := &course[U, V, E]{first: in.first(), row: in.kept()}
	var err error
	if c.Course, err = mega.Start(p, g, o); err != nil || c.row == nil {
		return c, err
	}
	_, bytes, err := kept.Open(c.row)
	if err == nil && bytes != nil {
		err = c.Restore(bytes)
	}
	return c, err
}

// next goes on until the run is done, or is to be kept; it then is. It says how many edges that went along.
func (c *course[U, V, E]) next(ctx context.Context) (done bool, edges uint64, err error) {
	if done, err = c.Continue(ctx); err != nil {
		return false, 0, err
	}
	for _, w := range c.Report().Workers {
		edges += w.Edges
	}
	edges, c.edges = edges-c.edges, edges
	if c.first && c.row != nil {
		kept.Clear(c.row)
	}
	if done {
		return true, edges, nil
	}
	n, err := c.Save(kept.Room(c.row))
	if err == nil {
		err = c.Meet(ctx)
	}
	if err == nil && c.first {
		kept.Close(c.row, c.Epochs(), n)
	}
	return false, edges, err
}

// kept is the row in which a run is kept; nil: there is none.
func (in Input) kept() []byte { return in.bytes(kept.Row) }

// running is a learner's run, which goes on with each command.
type running[U any, V mega.Number, E any] struct {
	telling
	course *course[U, V, E] // nil: it has not begun
}

// goOn has a command take the run further, as next does. start makes the course, if there is none.
func (r *running[U, V, E]) goOn(ctx context.Context, in Input, tell func(plugins.Event), start func() error) (done bool,
	edges uint64, err error) {
	r.begin(in, tell)
	if r.course == nil {
		if err := start(); err != nil {
			return false, 0, err
		}
	}
	return r.course.next(ctx)
}

// telling is whom a learner tells, and from when on it is to stop for what it has come to to be kept.
type telling struct {
	tell  func(plugins.Event)
	until time.Time
}

// begin has a command be told.
func (t *telling) begin(in Input, tell func(plugins.Event)) {
	t.tell, t.until = tell, time.Now().Add(time.Duration(in.Args.Ints[kept.Every]))
}

// pause says when a run is to stop; nil: never.
func (t *telling) pause(in Input) func() bool {
	if in.kept() == nil {
		return nil
	}
	return func() bool { return !time.Now().Before(t.until) }
}
