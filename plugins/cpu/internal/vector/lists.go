package vector

import "unsafe"

// OwnRuns says of each edge of lists which row it is of, and which vertex: the first edge is number first of all, the
// list of row i is that of vertex i + base, and the first edge is of no row before row. It tells the row behind the
// last.
func OwnRuns(own, from []uint32, offsets []int64, first, base, row int) int {
	count := len(own)
	if level >= AVX512 && count > 0 {
		from = from[:count]
		return ownRuns(unsafe.SliceData(own), unsafe.SliceData(from), &offsets[base+row], first, count, row, base+row)
	}
	for e := 0; e < count; row++ {
		end := min(count, int(offsets[base+row+1])-first)
		for ; e < end; e++ {
			own[e], from[e] = uint32(row), uint32(base+row)
		}
	}
	return row
}

// MaxLists makes each row the largest of those of x that a list names, number by number: others from one offset to the
// next. What a row is whose list is empty stays. It tells whether there is a kernel for that.
func MaxLists[T Number](to, x []T, others []uint32, offsets []int64, width int) bool {
	n := len(offsets) - 1
	if !isSingle[T]() || level < AVX512 || width > RunWidth {
		return false
	}
	to, others = to[:n*width], others[:offsets[n]]
	if n > 0 && width > 0 {
		maxLists(first(to), first(x), unsafe.SliceData(others), unsafe.SliceData(offsets), n, width)
	}
	return true
}

// SumLists adds to each row those of x that a list names: others from one offset to the next. It tells whether there is
// a kernel for that.
func SumLists[T Number](to, x []T, others []uint32, offsets []int64, width int) bool {
	n := len(offsets) - 1
	if !isSingle[T]() || level != AVX2 {
		return false
	}
	to, others = to[:n*width], others[:offsets[n]]
	for from := 0; from < width && n > 0; from += mostColumns {
		sumLists(after(first(to), from), after(first(x), from), unsafe.SliceData(others), unsafe.SliceData(offsets), n,
			min(mostColumns, width-from), width)
	}
	return true
}

// mostColumns are those that a kernel of AVX2 adds up at a time.
const mostColumns = 32
