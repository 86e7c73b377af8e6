package snapshot

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// Place is where in a file something lies.
type Place struct {
	Path           string
	Offset, Length int64
}

// LocateChunk checks a chunk, as ReadChunk does, and tells where it lies in a file of the
// database, encoded with all its columns, so that others can read it there. It stays as
// long as the snapshot is open and the caller has a KeptFiles. The chunk with these columns
// is shown to fit, which must be quick; errors.ErrUnsupported says that it did not fit, that
// the chunk is too small to be in a file of that kind, or that the system cannot tell.
//
// Errors: *DamagedError, *UnknownPropertyError, errors.ErrUnsupported.
func (s *Snapshot) LocateChunk(ctx context.Context, info manifest.ChunkInfo, columns []string,
	fit func(*chunk.Chunk) bool) (at Place, err error) {
	found := false
	_, err = s.readChunk(ctx, info, columns, func(value []byte) (int, error) {
		if err := s.fetch(value); err != nil {
			return 0, err
		}
		if at, found = s.place(value); !found {
			return 0, nil
		}
		c, err := info.View(value, columns)
		if err != nil {
			return 0, err
		}
		defer c.Release()
		found = fit(c)
		return 0, c.Verify()
	})
	if err == nil && !found {
		err = errors.ErrUnsupported
	}
	return at, err
}
