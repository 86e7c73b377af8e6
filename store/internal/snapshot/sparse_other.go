//go:build !linux

package snapshot

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// ListsRoom is how many bytes ReadLists needs beside the chunk's.
const ListsRoom = 0

// Reading is what it took to read of a chunk what was asked for.
type Reading struct{ Bytes, Reads, Waits int }

// ReadLists is there on Linux only.
func (*Snapshot) ReadLists(context.Context, manifest.ChunkInfo, []byte, func(*chunk.Chunk) iter.Seq2[int, int]) (
	*chunk.Chunk, Reading, error) {
	return nil, Reading{}, fmt.Errorf("pages of chunks are read on Linux only: %w", errors.ErrUnsupported)
}
