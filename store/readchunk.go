package store

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/formats/chunk"
)

// Chunks lists the chunks of one direction, in row order. Of an undirected graph
// there is only one set, whatever d is.
func (s *Snapshot) Chunks(d chunk.Direction) []ChunkInfo { return s.manifest.Chunks(d) }

// ChunkSize is how many bytes ReadChunk needs at most for the chunk with these columns.
func (s *Snapshot) ChunkSize(info ChunkInfo, columns []string) (int, error) {
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

func (s *Snapshot) column(info ChunkInfo, name string) (int, error) {
	known := make([]string, len(info.Columns))
	for i, c := range info.Columns {
		if c.Name == name {
			return i, nil
		}
		known[i] = c.Name
	}
	return 0, &UnknownPropertyError{Graph: s.manifest.Graph, Kind: "edge", Name: name, Known: known}
}

// ReadChunk reads a chunk with the topology and these columns only, checks its
// checksums and encodes it at the beginning of dst, which is 64-byte aligned and has
// ChunkSize bytes. It returns the encoded size.
//
// Errors: *DamagedError, *UnknownPropertyError.
func (s *Snapshot) ReadChunk(ctx context.Context, info ChunkInfo, columns []string, dst []byte) (n int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	for _, name := range columns {
		if _, err := s.column(info, name); err != nil {
			return 0, err
		}
	}
	if int64(len(dst)) >= info.Bytes && allColumns(info, columns) {
		return int(info.Bytes), s.openChunk(info, dst, (*chunk.Chunk).Verify)
	}
	scratch := borrow(int(info.Bytes))
	defer scratches.Put(&scratch)
	err = s.openChunk(info, scratch, func(c *chunk.Chunk) error {
		n, err = project(c, columns, dst)
		return err
	})
	return n, err
}

func allColumns(info ChunkInfo, columns []string) bool {
	if len(columns) != len(info.Columns) {
		return false
	}
	for i, c := range info.Columns {
		if columns[i] != c.Name {
			return false
		}
	}
	return true
}

// project checks the topology and these columns and encodes them in dst.
func project(c *chunk.Chunk, columns []string, dst []byte) (int, error) {
	p, err := c.Project(columns...)
	if err != nil {
		return 0, err
	}
	defer p.Release()
	if err := p.Verify(); err != nil {
		return 0, err
	}
	return p.EncodeTo(dst)
}

// openChunk copies the whole encoded chunk to buffer and hands it, opened, to use.
// Whatever fails but a buffer that is too small, is damage.
func (s *Snapshot) openChunk(info ChunkInfo, buffer []byte, use func(*chunk.Chunk) error) error {
	err := s.copyChunk(info, buffer)
	if err == nil {
		err = open(info, buffer[:info.Bytes], use)
	}
	var buffers *chunk.BufferError
	if err == nil || errors.As(err, &buffers) {
		return err
	}
	return &DamagedError{Graph: s.manifest.Graph, Kind: info.Direction.String() + "-chunk", Number: int64(info.Number), Err: err}
}

func (s *Snapshot) copyChunk(info ChunkInfo, buffer []byte) error {
	return s.db.badger.View(func(txn *badger.Txn) error {
		return read(txn, info.piece().key(info.Number), func(value []byte) error {
			if int64(len(value)) != info.Bytes {
				return fmt.Errorf("it has %d bytes instead of %d", len(value), info.Bytes)
			}
			copy(buffer, value)
			return nil
		})
	})
}

func open(info ChunkInfo, encoded []byte, use func(*chunk.Chunk) error) error {
	c, err := chunk.Open(encoded)
	if err != nil {
		return err
	}
	defer c.Release()
	if m := c.Meta(); m.Snapshot != info.Generation || m.Direction != info.Direction || m.Rows != info.Rows {
		return errors.New("it is another chunk")
	}
	return use(c)
}

// scratches are buffers for chunks on their way to a projection.
var scratches sync.Pool

// borrow takes an aligned buffer of n bytes from scratches or makes one.
func borrow(n int) []byte {
	if b, ok := scratches.Get().(*[]byte); ok && cap(*b) >= n {
		return (*b)[:n]
	}
	return chunk.Aligned(n)
}
