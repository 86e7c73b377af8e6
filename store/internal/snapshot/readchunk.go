package snapshot

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// Chunks lists the chunks of one direction, in row order. Of an undirected graph
// there is only one set, whatever d is.
func (s *Snapshot) Chunks(d chunk.Direction) []manifest.ChunkInfo { return s.manifest.Chunks(d) }

// ChunkSize is how many bytes ReadChunk needs at most for the chunk with these columns.
func (s *Snapshot) ChunkSize(info manifest.ChunkInfo, columns []string) (int, error) {
	size := info.Topology
	for _, name := range columns {
		at, err := s.column(info, name)
		if err != nil {
			return 0, err
		}
		size += info.Columns[at].Bytes + columnSlack
	}
	return int(size+63) &^ 63, nil
}

// columnSlack covers what a column adds to a header beyond what it adds alone:
// headers are padded, so that sizes do not quite add up.
const columnSlack = 256

func (s *Snapshot) column(info manifest.ChunkInfo, name string) (int, error) {
	known := make([]string, len(info.Columns))
	for i, c := range info.Columns {
		if c.Name == name {
			return i, nil
		}
		known[i] = c.Name
	}
	return 0, &failure.UnknownPropertyError{Graph: s.manifest.Graph, Kind: "edge", Name: name, Known: known}
}

// ReadChunk reads a chunk with the topology and these columns only, checks its
// checksums and encodes it at the beginning of dst, which is 64-byte aligned and has
// ChunkSize bytes. It returns the encoded size. What it reads is copied once, from
// Badger's mapped file to dst, and checked on the way.
//
// Errors: *DamagedError, *UnknownPropertyError.
func (s *Snapshot) ReadChunk(ctx context.Context, info manifest.ChunkInfo, columns []string, dst []byte) (n int,
	err error) {
	return s.readChunk(ctx, info, columns, func(value []byte) (int, error) {
		if err := s.fetch(value); err != nil {
			return 0, err
		}
		return chunk.Transcribe(dst, value, info.Check, columns...)
	})
}

// ReadChunkUncached is ReadChunk for who reads more than memory holds, over and over: where
// the system can, it leaves its cache alone, which would lose all else and still not keep
// the chunk until it is read again. It reads in place where dst begins with a page and has
// UncachedRoom bytes more, and else takes the memory of a whole chunk besides.
//
// What cannot be read so is read through the cache; why is then in cached.
func (s *Snapshot) ReadChunkUncached(ctx context.Context, info manifest.ChunkInfo, columns []string, dst []byte) (n int,
	cached, err error) {
	if err := ctx.Err(); err != nil {
		return 0, nil, err
	}
	if n, cached = s.Direct.read(s, info, columns, dst); cached == nil {
		return n, nil, nil
	}
	n, err = s.ReadChunk(ctx, info, columns, dst) // which can say what is wrong
	return n, cached, err
}

// readChunk has use transcribe the chunk from Badger's mapped file.
func (s *Snapshot) readChunk(ctx context.Context, info manifest.ChunkInfo, columns []string,
	use func(value []byte) (int, error)) (n int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	for _, name := range columns {
		if _, err := s.column(info, name); err != nil {
			return 0, err
		}
	}
	err = s.view(func(t tree.Tree) error {
		return t.Read(info.Piece().Key(info.Number), func(value []byte) error {
			n, err = use(value)
			return err
		})
	})
	var buffers *chunk.BufferError
	if err == nil || errors.As(err, &buffers) {
		return n, err
	}
	return 0, &failure.DamagedError{Graph: s.manifest.Graph, Kind: info.Direction.String() + "-chunk",
		Number: int64(info.Number), Err: err}
}
