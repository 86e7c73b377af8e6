package result

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/plugins"
)

// Names finds the user ids of the dense ids [from, to).
type Names interface {
	UserIDs(ctx context.Context, from, to uint64) (formats.IDs, error)
}

// WithCycle is err, if it is a divergence, with the cycle that a device has found; nil: it has found none.
func WithCycle(ctx context.Context, err error, found *plugins.Cycle, names Names) error {
	var diverged *algorithms.DivergedError
	if found == nil || !errors.As(err, &diverged) {
		return err
	}
	for _, v := range found.Vertices {
		ids, failed := names.UserIDs(ctx, v, v+1)
		if failed != nil {
			return errors.Join(err, failed)
		}
		diverged.Cycle = append(diverged.Cycle, ids.Text(0))
	}
	return err
}
