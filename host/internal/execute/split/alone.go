package split

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/plugins"
)

// goOnAlone gives the first device all edges, since the second has died or does not answer any more. What the first was
// to do with its part has been done, or is to be taken back by a Restore.
func (e *Executor) goOnAlone(ctx context.Context, absent error) error {
	if ctx.Err() != nil || !isGone(absent) {
		e.fail(absent)
		return context.Cause(ctx)
	}
	e.lose(absent)
	e.Events.Noticed(fmt.Errorf("%s goes on alone, with all edges: %w", e.Rest.Name, absent))
	for _, i := range e.cut {
		if _, err := e.Rest.Stream.Do(plugins.Command{Op: plugins.Evict, Chunk: uint32(i)}, nil); err != nil {
			return err
		}
		l := e.Supply.Load(ctx, i, e.Plan.Chunks[i].At)
		if l.Err != nil {
			return l.Err
		}
		if err := e.give(ctx, i, l.At, nil); err != nil {
			return err
		}
	}
	return nil
}

// lose ends the second device.
func (e *Executor) lose(absent error) {
	e.Dense.Plugin.Kill()
	e.Dense.Stream.Wait()
	e.group.Devices = e.group.Devices[:1]
	e.Report.Alone = absent.Error()
}

func (e *Executor) isAlone() bool { return e.Report.Alone != "" }

// restore has the first device go on from what its columns say.
func (e *Executor) restore(it plugins.Iteration) error {
	e.Rest.Stream.Expect(it.Number)
	_, err := e.Rest.Stream.Do(plugins.Command{Op: plugins.Restore, Iteration: it}, nil)
	return err
}
