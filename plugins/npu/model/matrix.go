package model

import (
	"sync"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// matrix has a cell for each pair of a target and a source, row by row of targets. Its rows are padded
// to whole blocks.
type matrix[T onnx.Element] struct {
	n      int
	rows   int // of a block
	absent T   // where there is no edge
	cells  []T
}

// blockBytes is about how much of a matrix one run of a session looks at: what is computed of it on
// the way stays in a processor's cache.
const blockBytes = 1 << 20

// blockRows is how many rows a block has, of cells of a size.
func blockRows(n, size int) int { return min(max(blockBytes/max(n*size, 1), 1), max(n, 1)) }

// matrixBytes is what the cells of a matrix take, in blocks of so many rows.
func matrixBytes(n, rows, size int) uint64 {
	return uint64(padded(n, rows)) * uint64(n) * uint64(size)
}

// padded is how many rows whole blocks have.
func padded(n, rows int) int { return ceil(n, rows) * rows }

func newMatrix[T onnx.Element](n, rows int, absent T, threads int) *matrix[T] {
	m := &matrix[T]{n: n, rows: rows, absent: absent, cells: make([]T, padded(n, rows)*n)}
	if absent != *new(T) {
		fill(m.cells, absent, threads)
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

// row is that of a target.
func (m *matrix[T]) row(target uint32) []T { return m.cells[int(target)*m.n:][:m.n] }

// operand is the matrix as an input.
func (m *matrix[T]) operand(name string) operand {
	o := rowsOperand(name, m.cells, m.rows, int64(m.n))
	o.fixed = true
	return o
}

// rowsOperand is memory with something for each row of a matrix.
func rowsOperand[T onnx.Element](name string, values []T, rows int, each ...int64) operand {
	return operand{name: name, kind: onnx.TypeFor[T](), shape: append([]int64{int64(rows)}, each...),
		memory: onnx.Bytes(values), own: true}
}

// columnsOperand is memory with something for each column of a matrix: the same for all blocks.
func columnsOperand[T onnx.Element](name string, values []T) operand {
	return operand{name: name, kind: onnx.TypeFor[T](), shape: []int64{1, int64(len(values))}, memory: onnx.Bytes(values)}
}

func outputOperand(o operand) operand {
	o.output = true
	return o
}
