package cpu

import (
	"sort"
	"unsafe"
)

// abreast is the number of rows that are summed side by side: their additions do not
// wait for each other, and, since neighbors are ascending, their walks through the
// messages stay close together, so that one finds in the cache what another brought
// there. Rows of about equal length gain most, which is what ids by degree give.
const abreast = 4

// longRow is the number of edges from which a row is summed alone, in four sums. It is
// part of the order of sums, which must not depend on what stands beside a row.
const longRow = 16384

// sumRows adds to each row of [row, stop) the messages that its list names.
func sumRows[T number](acc, messages []T, r *resident, row, stop int) {
	sent := unsafe.SliceData(messages)
	for ; row+abreast <= stop; row += abreast {
		sums := sumAbreast(sent, r.neighbors, (*[abreast + 1]int32)(r.offsets[row:]))
		for i, s := range sums {
			acc[r.local(row+i)] += s
		}
	}
	for ; row < stop; row++ {
		acc[r.local(row)] += sumOf(sent, r.neighbors[r.offsets[row]:r.offsets[row+1]])
	}
}

// rowsBy is the first row from row on that ends behind to.
func rowsBy(r *resident, row, to int) int {
	ends := r.offsets[row+1:]
	return row + sort.Search(len(ends), func(i int) bool { return int(ends[i]) > to })
}

// sumAbreast sums the rows that begin at offsets: all together as far as the shortest
// goes, then each on its own. It checks no index: Upload has seen that offsets ascend
// within neighbors, and neighbors lie within the chunk's columns.
func sumAbreast[T number](sent *T, neighbors []uint32, offsets *[abreast + 1]int32) (sums [abreast]T) {
	l0, l1, l2, l3 := offsets[1]-offsets[0], offsets[2]-offsets[1], offsets[3]-offsets[2], offsets[4]-offsets[3]
	if max(l0, l1, l2, l3) >= longRow {
		for i := range sums {
			sums[i] = sumOf(sent, neighbors[offsets[i]:offsets[i+1]])
		}
		return sums
	}
	r0, r1 := listFrom(neighbors, offsets[0]), listFrom(neighbors, offsets[1])
	r2, r3 := listFrom(neighbors, offsets[2]), listFrom(neighbors, offsets[3])
	var a, b, c, d T
	common := min(l0, l1, l2, l3)
	for i := range uintptr(common / 2) {
		p, q := r0.pair(i), r1.pair(i)
		a += *messageOf(sent, uint32(p))
		b += *messageOf(sent, uint32(q))
		a += *messageOf(sent, uint32(p>>32))
		b += *messageOf(sent, uint32(q>>32))
		p, q = r2.pair(i), r3.pair(i)
		c += *messageOf(sent, uint32(p))
		d += *messageOf(sent, uint32(q))
		c += *messageOf(sent, uint32(p>>32))
		d += *messageOf(sent, uint32(q>>32))
	}
	if common%2 != 0 {
		last := uintptr(common - 1)
		a += *messageOf(sent, r0.at(last))
		b += *messageOf(sent, r1.at(last))
		c += *messageOf(sent, r2.at(last))
		d += *messageOf(sent, r3.at(last))
	}
	sums = [abreast]T{a, b, c, d}
	if abreast*common == offsets[abreast]-offsets[0] {
		return sums
	}
	for k, s := range sums {
		for _, from := range neighbors[offsets[k]+common : offsets[k+1]] {
			s += *messageOf(sent, from)
		}
		sums[k] = s
	}
	return sums
}

// list is a row's neighbors from the first on.
type list struct{ first unsafe.Pointer }

func listFrom(neighbors []uint32, from int32) list {
	return list{unsafe.Add(unsafe.Pointer(unsafe.SliceData(neighbors)), 4*uintptr(from))}
}

func (l list) at(i uintptr) uint32 { return *(*uint32)(unsafe.Add(l.first, 4*i)) }

// pair is two neighbors in one load, the first in the low half.
func (l list) pair(i uintptr) uint64 { return *(*uint64)(unsafe.Add(l.first, 8*i)) }

func messageOf[T number](sent *T, from uint32) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(sent), uintptr(from)*unsafe.Sizeof(*sent)))
}

// sumOf sums a row, or the part of one that lies in a segment: from left to right, or,
// when it is long, in four sums, so that an addition need not wait for the one before.
func sumOf[T number](sent *T, neighbors []uint32) T {
	var a, b, c, d T
	if len(neighbors) >= longRow {
		for len(neighbors) >= 4 {
			a += *messageOf(sent, neighbors[0])
			b += *messageOf(sent, neighbors[1])
			c += *messageOf(sent, neighbors[2])
			d += *messageOf(sent, neighbors[3])
			neighbors = neighbors[4:]
		}
		a = (a + b) + (c + d)
	}
	for _, from := range neighbors {
		a += *messageOf(sent, from)
	}
	return a
}
