package generation

import (
	"slices"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/buffers"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// PutChunk stores c as chunk number of its direction.
func (g *Generation) PutChunk(c *chunk.Chunk, number uint32) (manifest.ChunkInfo, error) {
	meta := c.Meta()
	info := manifest.ChunkInfo{
		Generation: g.Number, Direction: meta.Direction, Number: number,
		Rows: meta.Rows, Cols: meta.Cols, Edges: uint64(c.Edges()), Bytes: int64(c.EncodedSize()),
	}
	var err error
	if info.Topology, err = projectedSize(c); err != nil {
		return info, err
	}
	for _, field := range c.Columns() {
		size, err := projectedSize(c, field.Name)
		if err != nil {
			return info, err
		}
		info.Columns = append(info.Columns, manifest.ColumnSize{Name: field.Name, Bytes: size - info.Topology})
	}
	value := buffers.Borrow(int(info.Bytes))
	if _, err := c.EncodeTo(value); err != nil {
		return info, err
	}
	if !slices.ContainsFunc(c.Columns(), func(f arrow.Field) bool { return chunk.Width(f) == 0 }) {
		info.Pages = manifest.PageSums(value)
	}
	return info, g.putBorrowed(info.Piece().Key(number), value)
}

// projectedSize is the encoded size of c with only these columns.
func projectedSize(c *chunk.Chunk, columns ...string) (int64, error) {
	p, err := c.Project(columns...)
	if err != nil {
		return 0, err
	}
	defer p.Release()
	return int64(p.EncodedSize()), nil
}
