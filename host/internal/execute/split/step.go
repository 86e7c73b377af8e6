package split

import (
	"context"

	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/plugins"
)

// inStep is the run iteration by iteration.
func (e *Executor) inStep(ctx context.Context) error {
	e.Progress.StartLap()
	for !e.Progress.Final.Converged && e.Progress.Final.Number < e.Plan.Bound() {
		it, err := e.iteration(ctx)
		if err != nil {
			return err
		}
		e.Progress.End(it, len(e.Plan.Chunks))
	}
	return nil
}

// iteration has both devices send along their edges at once. The state is the first's; the second has been told of it.
func (e *Executor) iteration(ctx context.Context) (plugins.Iteration, error) {
	brought := make(chan error, 1)
	go func() { brought <- e.bring() }()
	err := e.sendAll(e.Rest)
	if absent := <-brought; err == nil && absent != nil {
		err = e.again(ctx, absent)
	} else if err == nil && !e.isAlone() {
		err = e.Rest.Stream.Send(plugins.Command{Op: plugins.Deliver, At: e.Places.Gathered, Among: e.Places.Among},
			link.Call{})
		e.Report.Merges++
	}
	if err != nil {
		return e.Progress.Final, err
	}
	event, err := e.Rest.Stream.Do(plugins.Command{Op: plugins.Apply}, nil)
	if err != nil {
		return e.Progress.Final, err
	}
	return *event.Iteration, nil
}

// bring has the second device gather what comes along its edges.
func (e *Executor) bring() error {
	if e.isAlone() {
		return nil
	}
	stream := e.Dense.Stream
	stream.Expect(e.Progress.Final.Number)
	if err := stream.Send(plugins.Command{Op: plugins.Restore, Iteration: e.Progress.Final}, link.Call{}); err != nil {
		return err
	}
	if err := e.sendAll(e.Dense); err != nil {
		return err
	}
	_, err := stream.Do(plugins.Command{Op: plugins.Gather, At: e.Places.Gathered, Among: e.Places.Among}, nil)
	return err
}

// sendAll has a device send along all edges that it has.
func (e *Executor) sendAll(d *device.Device) error {
	for _, i := range e.has[d] {
		if err := d.Stream.Send(plugins.Command{Op: plugins.Step, Chunk: uint32(i)}, link.Call{}); err != nil {
			return err
		}
	}
	return nil
}

// again begins an iteration anew, with all edges on the first device.
func (e *Executor) again(ctx context.Context, absent error) error {
	if err := e.goOnAlone(ctx, absent); err != nil {
		return err
	}
	if err := e.restore(e.Progress.Final); err != nil {
		return err
	}
	return e.sendAll(e.Rest)
}
