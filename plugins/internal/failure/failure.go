// Package failure makes the errors of a device of errors that say less.
package failure

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/plugins"
)

// Of is err, by which a command has failed on a device, as the device's answer: with its kind, and the chunk
// that the command is about.
func Of(ctx context.Context, device string, c plugins.Command, err error) error {
	number, kind := int64(-1), plugins.KindInternal
	if c.Op == plugins.Upload || c.Op == plugins.Evict || c.Op == plugins.Step {
		number = int64(c.Chunk)
	}
	switch {
	case ctx.Err() != nil:
		kind, err = plugins.KindCanceled, ctx.Err()
	case c.Op == plugins.Upload:
		kind = plugins.KindChunk
	}
	return Named(device, number, kind, err)
}

// Named is err as a device's error about a chunk, or -1: of its own kind, or of kind when it has none.
func Named(device string, number int64, kind plugins.Kind, err error) error {
	var known *plugins.Error
	if errors.As(err, &known) {
		return &plugins.Error{Device: device, Kind: known.Kind, Chunk: number, Err: known.Err}
	}
	return &plugins.Error{Device: device, Kind: kind, Chunk: number, Err: err}
}
