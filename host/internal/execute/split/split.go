// Package split executes a plan by which two devices have a part of the edges each: one those of a dense core, the
// other the rest. All chunks stay on the devices.
//
//	chunks ──Cut──▶ rest ──Upload──▶ device 1 ◀─┐
//	            └─▶ core ──Upload──▶ device 2 ◀─┴─ columns: each has one writer, and is read by both
//
// Both work at once, in one of two ways:
//
//	settling   each goes on by itself, and takes what the other has found in between, until neither finds more;
//	           neither waits while it has something to do (settle.go, termination.go)
//	in step    in each iteration both send along their edges; the first takes what came along the second's, and
//	           applies (step.go)
//
// Should the second device die, hang or have no room, the first is given all edges and goes on alone (alone.go).
package split

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/execute/gaining"
	"github.com/penstock-db/penstock/host/internal/partition"
	"github.com/penstock-db/penstock/plugins"
)

// Executor is a split at work.
type Executor struct {
	*execute.Env
	*partition.Split
	Sending time.Duration // from when both have begun to send until both are done

	group *device.Group
	fail  context.CancelCauseFunc // ends the run
	cut   []int                   // the chunks that have some of the core's edges
	has   map[*device.Device][]int
	final termination // of a run that settles
}

// New executes the plan of env on the devices of a group, to both of which it opens streams. That to the second may end
// without the run.
func New(ctx context.Context, fail context.CancelCauseFunc, env *execute.Env, group *device.Group,
	s *partition.Split) *Executor {
	e := &Executor{Env: env, Split: s, group: group, fail: fail, has: map[*device.Device][]int{}}
	vertices := env.Plan.Graph.Manifest().Vertices
	group.Talk(ctx, fail, s.Rest, vertices, env.Rec, env.Events)
	own, failOwn := context.WithCancelCause(ctx)
	group.Talk(own, failOwn, s.Dense, vertices, env.Rec, env.Events)
	return e
}

// Execute has both devices do the run.
func (e *Executor) Execute(ctx context.Context) error {
	defer e.Supply.Release()
	if err := e.upload(ctx); err != nil {
		return err
	}
	event, err := e.Rest.Stream.Do(plugins.Command{Op: plugins.Init}, nil)
	if err != nil {
		return err
	}
	e.Progress.Begin(*event.Iteration)
	verdict, err := gaining.Find(ctx, e.Env)
	switch {
	case err != nil:
		return err
	case verdict == gaining.Found:
		return e.dismiss(ctx)
	}
	way := e.inStep
	if e.Plan.Settling {
		way = e.settle
	}
	began := time.Now()
	if err := way(ctx); err != nil || e.isAlone() {
		return err
	}
	e.Sending = time.Since(began)
	return e.dismiss(ctx)
}

// dismiss ends the stream to the second device. If that has died meanwhile, it has done its work.
func (e *Executor) dismiss(ctx context.Context) error {
	err := e.Dense.Stream.Finish()
	if isGone(err) && ctx.Err() == nil {
		e.lose(err)
		return nil
	}
	return err
}

// isGone tells whether an error says that a device is not there any more, or of no use: it has foretold what its
// matrix takes as if no two edges led from one vertex to another, and there may be no room for those that do.
func isGone(err error) bool {
	kind := plugins.KindOf(err)
	return kind == plugins.KindDied || kind == plugins.KindHung || kind == plugins.KindBudget
}

// Waiting tells whether a device owes an answer.
func (e *Executor) Waiting() bool {
	for _, d := range e.group.Devices {
		if d.Stream.Waiting() {
			return true
		}
	}
	return false
}

// Finish tells the first device that there are no more commands, and waits for it to leave. The second has been
// dismissed.
func (e *Executor) Finish() error { return e.Rest.Stream.Finish() }

// Wait waits until no device listens any more.
func (e *Executor) Wait() {
	for _, d := range e.group.Devices {
		d.Stream.Wait()
	}
}
