//go:build !linux

package snapshot

import (
	"errors"

	"github.com/penstock-db/penstock/store/internal/manifest"
)

// UncachedRoom is how many bytes a chunk's blocks may have more than the chunk.
const UncachedRoom = 0

// directReads are there on Linux only.
type directReads struct{}

func (*directReads) read(*Snapshot, manifest.ChunkInfo, []string, []byte) (int, error) {
	return 0, errors.ErrUnsupported
}
func (*directReads) close() {}
