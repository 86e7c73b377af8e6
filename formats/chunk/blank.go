package chunk

import (
	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats/chunk/internal/encoding"
)

// Blank is a chunk whose counts are known and whose lists are not yet written: EncodeTo has
// them written where they are to be, so that they are copied once. Its columns are of fixed width (see Width) and
// have no nulls.
type Blank struct {
	Meta    Meta
	Stats   Stats
	Columns []arrow.Field
	// Unnamed: every vertex of Meta.Rows has a list, which may be empty; Stats.Rows is how many they are.
	Unnamed bool
}

// Buffers are the memory of a Blank's content, of the lengths that its Stats say, not zeroed.
type Buffers struct {
	Vertices  []uint32 // nil where they are not named
	Offsets   []int32
	Neighbors []uint32
	Columns   [][]byte // Width bytes an edge
}

// EncodedSize is how many bytes EncodeTo writes.
func (b Blank) EncodedSize() int { return encoding.Size(Version, b.schema(), b.batch()) }

// EncodeTo writes the chunk to the start of dst, which is 64-byte aligned and has EncodedSize
// bytes (*BufferError). fill writes all of its buffers, which then get their checksums.
func (b Blank) EncodeTo(dst []byte, fill func(Buffers)) (int, error) {
	batch := b.batch()
	return encoding.Write(dst, Version, b.schema(), batch, func(body []byte) ([]uint64, error) {
		buffers := batch.Carve(body)
		fill(b.content(buffers))
		sums := make([]uint64, len(buffers))
		for i, buffer := range buffers {
			sums[i] = encoding.Sum(Version, buffer)
		}
		return sums, nil
	})
}

func (b Blank) schema() *arrow.Schema {
	return encoding.NewSchema(metadataOf(head{Version, b.Meta, b.Stats}), !b.Unnamed, b.Columns)
}

// Where the buffers stand in batch behind those of the vertices: each array's validity, which is empty, comes before
// it.
const (
	vertexBuffers  = 2
	vertexBuffer   = 1
	offsetsBuffer  = 1
	neighborBuffer = 4
	columnBuffers  = 6 // and every other one from there
)

func (b Blank) batch() (batch encoding.Batch) {
	rows, edges := encoding.Node{Length: b.Stats.Rows}, encoding.Node{Length: b.Stats.Edges}
	if !b.Unnamed {
		batch.Nodes, batch.Sizes = append(batch.Nodes, rows), append(batch.Sizes, 0, 4*rows.Length)
	}
	batch.Nodes = append(batch.Nodes, rows, edges, edges)
	batch.Sizes = append(batch.Sizes, 0, 4*(rows.Length+1), 0, 0, 4*edges.Length)
	for _, f := range b.Columns {
		batch.Nodes = append(batch.Nodes, edges)
		batch.Sizes = append(batch.Sizes, 0, edges.Length*Width(f))
	}
	return batch
}

// content is what the buffers of batch hold.
func (b Blank) content(buffers [][]byte) (c Buffers) {
	if !b.Unnamed {
		c.Vertices, buffers = encoding.AsNumbers[uint32](buffers[vertexBuffer]), buffers[vertexBuffers:]
	}
	c.Offsets = encoding.AsNumbers[int32](buffers[offsetsBuffer])
	c.Neighbors = encoding.AsNumbers[uint32](buffers[neighborBuffer])
	for i := range b.Columns {
		c.Columns = append(c.Columns, buffers[columnBuffers+2*i])
	}
	return c
}

// Width is how many bytes a value of a column takes; 0 when not all take as many.
func Width(f arrow.Field) int {
	if t, fixed := f.Type.(arrow.FixedWidthDataType); fixed && t.BitWidth()%8 == 0 {
		return t.BitWidth() / 8
	}
	return 0
}
