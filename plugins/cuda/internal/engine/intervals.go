package engine

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/columns"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
)

// takeInterval copies the vertices that have come to the card: of sources, what messages are made of; destinations,
// with all that they have, unless those that are there stay. Then their accumulators stay as well. It tells the bytes.
func (e *Engine) takeInterval(ctx context.Context) (bytes uint64, err error) {
	p, q, n := e.program, e.Streams, uint64(e.program.N)
	some := []columns.Column{{Bytes: memory.Bytes(p.Active), At: p.Layout.Active}}
	for _, c := range p.Sent() {
		some = append(some, c.Part(0, n/2, n))
	}
	if !e.progress.adding {
		some = append(some, e.destinations(p.Columns)...)
	}
	for _, c := range some {
		bytes += uint64(len(c.Bytes))
	}
	if err := e.copyIn(ctx, some); err != nil {
		return bytes, err
	}
	e.progress.prepared = false
	if e.progress.adding {
		return bytes, nil
	}
	e.progress.adding = true
	return bytes, p.Template.Forget(q.Computing, e.kernel)
}

// destinations are the vertices that receive.
func (e *Engine) destinations(all []columns.Column) (some []columns.Column) {
	n := uint64(e.program.N)
	for _, c := range all {
		some = append(some, c.Part(n/2, n, n))
	}
	return some
}

// counted has the event of a command's work tell of bytes that it has copied to the card.
func counted(w *stream.Work, bytes uint64) *stream.Work {
	finish := w.Finish
	w.Finish = func(event *plugins.Event) error {
		event.Bytes += bytes
		return finish(event)
	}
	return w
}
