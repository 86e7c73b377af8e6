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

// ReadLists is there on Linux only.
func (*Snapshot) ReadLists(context.Context, manifest.ChunkInfo, []byte, func(*chunk.Chunk) iter.Seq2[int, int]) (
	*chunk.Chunk, int, error) {
	return nil, 0, fmt.Errorf("pages of chunks are read on Linux only: %w", errors.ErrUnsupported)
}
