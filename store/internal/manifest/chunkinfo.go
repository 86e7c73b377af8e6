package manifest

import (
	"errors"
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Has tells whether columns are all that the chunk has, in its order.
func (info ChunkInfo) Has(columns []string) bool {
	return slices.EqualFunc(columns, info.Columns, func(name string, c ColumnSize) bool { return c.Name == name })
}

// Verify tells whether these bytes are, undamaged, the chunk that info names.
func (info ChunkInfo) Verify(encoded []byte) error {
	c, err := chunk.Open(encoded)
	if err != nil {
		return err
	}
	defer c.Release()
	if err := info.Check(c.Meta()); err != nil {
		return err
	}
	return c.Verify()
}

// Check tells whether a chunk with this header is the one that info names.
func (info ChunkInfo) Check(m chunk.Meta) error {
	if m.Snapshot != info.Generation || m.Direction != info.Direction || m.Rows != info.Rows {
		return errors.New("it is another chunk")
	}
	return nil
}

// View is the chunk in value, which info must name, with these columns only.
func (info ChunkInfo) View(value []byte, columns []string) (*chunk.Chunk, error) {
	c, err := chunk.OpenUnaligned(value)
	if err != nil {
		return nil, err
	}
	defer c.Release()
	if err := info.Check(c.Meta()); err != nil {
		return nil, err
	}
	return c.Project(columns...)
}

// BeforeNeighbors is how many bytes of the chunk come before its neighbors, or a few more or less: the ends of chunks
// with and without columns differ a little.
func (info ChunkInfo) BeforeNeighbors() int { return int(info.Topology) - 4*int(info.Edges) }
