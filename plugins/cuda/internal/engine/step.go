package engine

import (
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/residency"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// Step sends along the edges of a chunk.
func (e *Engine) Step(c *residency.Chunk) (*stream.Work, error) {
	q, letter := e.Streams, e.Streams.Mail.Take()
	w, err := q.Timed(q.Computing, func() error {
		if err := e.sendAlong(e.at(e.program.Layout.Active), c); err != nil {
			return err
		}
		return e.copyCounters(letter)
	})
	if err != nil {
		return nil, err
	}
	w.Finish = func(event *plugins.Event) error {
		r := &e.progress
		event.Edges, r.sent = letter.Counters.Edges-r.sent, letter.Counters.Edges
		q.Mail.Give(letter)
		return nil
	}
	return w, nil
}

// sendAlong brings the messages that senders send along chunks' edges to the accumulators, in the order of the chunks,
// which is that of sums.
func (e *Engine) sendAlong(senders driver.Pointer, chunks ...*residency.Chunk) error {
	at := make([]*kernels.Resident, len(chunks))
	for i, c := range chunks {
		if err := c.Await(e.Streams.Computing); err != nil {
			return err
		}
		at[i] = &c.Resident
	}
	if err := e.ready(); err != nil {
		return err
	}
	return e.program.Template.StepAll(e.Streams.Computing, e.kernel, senders, at)
}

// ready has the kernels make what they need once an iteration: aggregates, and messages where these are of the source
// alone.
func (e *Engine) ready() error {
	if e.progress.prepared {
		return nil
	}
	e.progress.prepared = true
	return e.program.Template.Prepare(e.Streams.Computing, e.kernel)
}
