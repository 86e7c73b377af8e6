package kernels

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// Plain is the kernels that need nothing of a program. Its methods put work into a stream.
type Plain struct{ launcher }

// LoadPlain loads them.
func LoadPlain() (*Plain, error) {
	module, err := Load("plain")
	if err != nil {
		return nil, err
	}
	l, err := newLauncher(module, []string{"validate", "validate_weights", "admit", "convert",
		"scan_sums", "scan_tiles", "scan", "popcount", "compact_sums", "compact"})
	return &Plain{l}, err
}

// What may be wrong with a chunk, as bits.
const (
	BadOffsets   = 1 // they do not ascend from 0 to the number of edges
	BadVertices  = 2 // they do not ascend within the interval of rows
	BadNeighbors = 4 // one is not in the interval of columns
	BadWeights   = 8 // one is less than 0, or no number
)

// Validate sets bits of *invalid for what is wrong with a chunk whose intervals have so many rows and columns. Where
// any is set, the chunk on the card has no rows any more for what comes after it.
func (p *Plain) Validate(s driver.Stream, r *Resident, rows, cols uint64, invalid driver.Pointer) error {
	err := p.launch(s, "validate", grid(max(r.Rows+1, r.Edges)), uint64(r.At), rows, cols, uint64(invalid))
	if err != nil {
		return err
	}
	return p.Admit(s, r, invalid)
}

// Admit leaves the chunk on the card without rows if *invalid is not 0.
func (p *Plain) Admit(s driver.Stream, r *Resident, invalid driver.Pointer) error {
	return p.launch(s, "admit", 1, uint64(r.At), uint64(invalid))
}

// ValidateWeights sets BadWeights of *invalid unless n weights are all 0 or more.
func (p *Plain) ValidateWeights(s driver.Stream, weights driver.Pointer, n uint64, invalid driver.Pointer) error {
	return p.launch(s, "validate_weights", grid(n), uint64(weights), n, uint64(invalid))
}

// Numeric is a type of an edge column that programs can read.
type Numeric uint64

// numerics are the types in the order of convert.cu.
var numerics = []arrow.Type{arrow.FLOAT64, arrow.FLOAT32, arrow.INT64, arrow.INT32, arrow.INT16, arrow.INT8,
	arrow.UINT64, arrow.UINT32, arrow.UINT16, arrow.UINT8}

// NumericOf is an Arrow type, and false if that is none of numbers.
func NumericOf(t arrow.DataType) (Numeric, bool) {
	for i, id := range numerics {
		if t.ID() == id {
			return Numeric(i), true
		}
	}
	return 0, false
}

// Convert makes n doubles, as chunk.Float64s does, of values of a type and Arrow's bitmap of which are not null; 0:
// all.
func (p *Plain) Convert(s driver.Stream, to, from driver.Pointer, t Numeric, validity driver.Pointer, n uint64) error {
	return p.launch(s, "convert", grid(n), uint64(to), uint64(from), uint64(t), uint64(validity), n)
}

// Popcount sets *count, a u64, to the number of members among the first n of a bitmap.
func (p *Plain) Popcount(s driver.Stream, count, bitmap driver.Pointer, n uint64) error {
	if err := s.Fill64(count, 0, 1); err != nil {
		return err
	}
	return p.launch(s, "popcount", grid((n+63)/64), uint64(count), uint64(bitmap), n)
}
