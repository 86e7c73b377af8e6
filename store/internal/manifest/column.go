package manifest

import "math"

// BlockRows is how many vertices one block of a column covers.
const BlockRows = 1 << 16

// BlockLen is how many rows block number has.
func (c Column) BlockLen(number uint32) int {
	return int(min(BlockRows, c.Rows-uint64(number)*BlockRows))
}

// MaxVertices is how many vertices a chunk's 32-bit neighbors can name.
const MaxVertices = math.MaxUint32
