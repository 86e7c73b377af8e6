package plugins

import (
	"context"
	"errors"
)

// Failure is err, by which a command has failed on a device, as the device's answer: with its kind, and the chunk that the command is about.
func Failure(ctx context.Context, device string, c Command, err error) error {
	number, kind := int64(-1), KindInternal
	if c.Op == Upload || c.Op == Evict || c.Op == Step {
		number = int64(c.Chunk)
	}
	switch {
	case ctx.Err() != nil:
		kind, err = KindCanceled, ctx.Err()
	case c.Op == Upload:
		kind = KindChunk
	}
	return Named(device, number, kind, err)
}

// Named is err as a device's error about a chunk, or -1: of its own kind, or of kind when it has none.
func Named(device string, number int64, kind Kind, err error) error {
	var known *Error
	if errors.As(err, &known) {
		return &Error{Device: device, Kind: known.Kind, Chunk: number, Err: known.Err}
	}
	return &Error{Device: device, Kind: kind, Chunk: number, Err: err}
}
