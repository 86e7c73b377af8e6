package neural

import "github.com/penstock-db/penstock/plugins/cpu/internal/vector"

// Rows are given rows of numbers: all of them one after the other, or those that are not 0, as of texts by their words.
type Rows[T number] struct {
	Dense   []T
	Offsets []int64 // where the row of each vertex begins in Columns and Values; nil: the rows are dense
	Columns []uint32
	Values  []T
}

// fits says whether there are n rows of width numbers.
func (r Rows[T]) fits(n, width int) bool {
	if r.Offsets == nil {
		return len(r.Dense) == n*width
	}
	if len(r.Offsets) != n+1 || r.Offsets[0] != 0 || int64(len(r.Columns)) != r.Offsets[n] ||
		len(r.Values) != len(r.Columns) {
		return false
	}
	for v := range n {
		if r.Offsets[v] > r.Offsets[v+1] {
			return false
		}
	}
	for _, c := range r.Columns {
		if int(c) >= width {
			return false
		}
	}
	return true
}

// spread writes all numbers of rows that are sparse.
func (r Rows[T]) spread(all []T, width int) {
	clear(all)
	for v := range len(all) / width {
		for e := r.Offsets[v]; e < r.Offsets[v+1]; e++ {
			all[v*width+int(r.Columns[e])] += r.Values[e]
		}
	}
}

// sparseRows are rows of a block: row i is columns[offsets[i]-offsets[0]:offsets[i+1]-offsets[0]], and values likewise.
// There may be more memory than rows.
type sparseRows[T number] struct {
	offsets []int64
	columns []uint32
	values  []T
}

func (s *sparseRows[T]) row(i int) ([]uint32, []T) {
	from, to := s.offsets[i]-s.offsets[0], s.offsets[i+1]-s.offsets[0]
	return s.columns[from:to], s.values[from:to]
}

// block is the rows of count vertices.
func (r Rows[T]) block(first, count int) *sparseRows[T] {
	offsets := r.Offsets[first : first+count+1]
	from, to := offsets[0], offsets[count]
	return &sparseRows[T]{offsets, r.Columns[from:to], r.Values[from:to]}
}

// dropped is what a dropout keeps of s. Memory that room has is used again, if there is enough of it.
func (s *sparseRows[T]) dropped(room *sparseRows[T], d drawn) *sparseRows[T] {
	if room == nil || len(room.values) < len(s.values) || cap(room.offsets) < len(s.offsets) {
		room = &sparseRows[T]{make([]int64, len(s.offsets)), make([]uint32, len(s.values)), make([]T, len(s.values))}
	}
	room.offsets = room.offsets[:len(s.offsets)]
	room.offsets[0] = 0
	for i := range len(s.offsets) - 1 {
		columns, from := s.row(i)
		at := room.offsets[i]
		kept := vector.MaskSparse(room.values[at:], room.columns[at:], from, columns, d.row(i))
		room.offsets[i+1] = at + int64(kept)
	}
	return room
}

// sparseProduct computes rows x·p.
func sparseProduct[T number](out []T, n, width int, x *sparseRows[T], p []T) {
	for i := range n {
		to := out[i*width : (i+1)*width]
		clear(to)
		columns, values := x.row(i)
		weightedSum(to, p, columns, values, len(columns), width, 1)
	}
}

// sparseOuter adds Σ xᵀ·y to sum.
func sparseOuter[T number](sum []T, n int, x *sparseRows[T], y operand[T]) {
	for i := range n {
		columns, values := x.row(i)
		vector.Scatter(sum, columns, values, y.row(i))
	}
}
