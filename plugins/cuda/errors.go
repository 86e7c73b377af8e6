package cuda

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/failure"
)

// Explain gives err its kind, and the chunk that c is about.
func (s *session) Explain(ctx context.Context, c plugins.Command, err error) error {
	number := int64(-1)
	if c.Op == plugins.Upload || c.Op == plugins.Evict || c.Op == plugins.Step {
		number = int64(c.Chunk)
	}
	if err = s.card.Note(err); err != nil && ctx.Err() != nil {
		return fail(number, plugins.KindCanceled, ctx.Err())
	}
	return fail(number, plugins.KindInternal, err)
}

// fail is err as this device's error: of its own kind, or of kind when it has none. Of nil it is nil.
func fail(number int64, kind plugins.Kind, err error) error {
	if err == nil {
		return nil
	}
	return failure.Named(deviceName, number, kind, err)
}
