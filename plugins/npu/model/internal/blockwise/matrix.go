package blockwise

import (
	"sync"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// Matrix has a cell for each pair of a target and a source, row by row of targets. Its rows are padded
// to whole blocks.
type Matrix[T onnx.Element] struct {
	N      int
	Rows   int // of a block
	Absent T   // where there is no edge
	Cells  []T
}

// BlockBytes is about how much of a matrix one run of a session looks at: what is computed of it on
// the way stays in a processor's cache.
const BlockBytes = 1 << 20

// BlockRows is how many rows a block has, of cells of a size.
func BlockRows(n, size int) int { return min(max(BlockBytes/max(n*size, 1), 1), max(n, 1)) }

// MatrixBytes is what the cells of a matrix take, in blocks of so many rows.
func MatrixBytes(n, rows, size int) uint64 {
	return uint64(Padded(n, rows)) * uint64(n) * uint64(size)
}

// Padded is how many rows whole blocks have.
func Padded(n, rows int) int { return Ceil(n, rows) * rows }

// NewMatrix has no edges yet, in blocks of so many rows.
func NewMatrix[T onnx.Element](n, rows int, absent T, threads int) *Matrix[T] {
	m := &Matrix[T]{N: n, Rows: rows, Absent: absent, Cells: make([]T, Padded(n, rows)*n)}
	if absent != *new(T) {
		fill(m.Cells, absent, threads)
	}
	return m
}

// fill sets all values; memory that nobody has touched yet comes by the page, and takes its time.
func fill[T any](values []T, value T, threads int) {
	var all sync.WaitGroup
	for k := range threads {
		part := values[k*len(values)/threads : (k+1)*len(values)/threads]
		all.Go(func() {
			for i := range part {
				part[i] = value
			}
		})
	}
	all.Wait()
}

// Row is that of a target.
func (m *Matrix[T]) Row(target uint32) []T { return m.Cells[int(target)*m.N:][:m.N] }

// Operand is the matrix as an input.
func (m *Matrix[T]) Operand(name string) Operand {
	o := RowsOperand(name, m.Cells, m.Rows, int64(m.N))
	o.Fixed = true
	return o
}

// RowsOperand is memory with something for each row of a matrix.
func RowsOperand[T onnx.Element](name string, values []T, rows int, each ...int64) Operand {
	return Operand{Name: name, Kind: onnx.TypeFor[T](), Shape: append([]int64{int64(rows)}, each...),
		Memory: onnx.Bytes(values), own: true}
}

// ColumnsOperand is memory with something for each column of a matrix: the same for all blocks.
func ColumnsOperand[T onnx.Element](name string, values []T) Operand {
	return Operand{Name: name, Kind: onnx.TypeFor[T](), Shape: []int64{1, int64(len(values))}, Memory: onnx.Bytes(values)}
}

// OutputOperand is memory that a session writes.
func OutputOperand(o Operand) Operand {
	o.Output = true
	return o
}
