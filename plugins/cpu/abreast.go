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

// shortRow is the number of edges up to which a row is summed without a branch that goes
// by its length: guessing that wrong takes longer than to add nothing a few times.
const shortRow = 4

// sumRows adds to each row of [row, stop) the messages that its list names.
func sumRows[T number](acc, messages []T, r *resident, row, stop int) {
	sent := unsafe.SliceData(messages)
	for ; row+abreast <= stop; row += abreast {
		offsets := (*[abreast + 1]int32)(r.offsets[row:])
		if r.vertices == nil {
			addAbreast((*[abreast]T)(acc[row:]), sent, r.neighbors, offsets)
			continue
		}
		var sums [abreast]T
		addAbreast(&sums, sent, r.neighbors, offsets)
		for i, s := range sums {
			acc[r.vertices[row+i]] += s
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

// addAbreast adds to acc the sums of the rows that begin at offsets: all together as far
// as the shortest goes, then each on its own, unless that is most of it. It checks no
// index: Upload has seen that offsets ascend within neighbors, and neighbors lie within
// the chunk's columns.
func addAbreast[T number](acc *[abreast]T, sent *T, neighbors []uint32, offsets *[abreast + 1]int32) {
	l0, l1, l2, l3 := offsets[1]-offsets[0], offsets[2]-offsets[1], offsets[3]-offsets[2], offsets[4]-offsets[3]
	common, longest, edges := min(l0, l1, l2, l3), max(l0, l1, l2, l3), offsets[4]-offsets[0]
	if longest <= shortRow && edges != abreast*common && int(offsets[4])+shortRow <= len(neighbors) {
		acc[0] += sumShort(sent, listFrom(neighbors, offsets[0]), l0)
		acc[1] += sumShort(sent, listFrom(neighbors, offsets[1]), l1)
		acc[2] += sumShort(sent, listFrom(neighbors, offsets[2]), l2)
		acc[3] += sumShort(sent, listFrom(neighbors, offsets[3]), l3)
		return
	}
	if longest >= longRow || edges > 2*abreast*common {
		for i := range acc {
			acc[i] += sumOf(sent, neighbors[offsets[i]:offsets[i+1]])
		}
		return
	}
	r0, r1 := listFrom(neighbors, offsets[0]), listFrom(neighbors, offsets[1])
	r2, r3 := listFrom(neighbors, offsets[2]), listFrom(neighbors, offsets[3])
	var a, b, c, d T
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
	if edges != abreast*common {
		a = continued(a, sent, neighbors[offsets[0]+common:offsets[1]])
		b = continued(b, sent, neighbors[offsets[1]+common:offsets[2]])
		c = continued(c, sent, neighbors[offsets[2]+common:offsets[3]])
		d = continued(d, sent, neighbors[offsets[3]+common:offsets[4]])
	}
	acc[0] += a
	acc[1] += b
	acc[2] += c
	acc[3] += d
}

// sumShort sums the first n of shortRow neighbors, zeros in place of the others. A sum
// that begins with 0.0 never is -0.0, which another zero would change.
func sumShort[T number](sent *T, l list, n int32) (s T) {
	s += messageIf(sent, l.at(0), 0-n)
	s += messageIf(sent, l.at(1), 1-n)
	s += messageIf(sent, l.at(2), 2-n)
	return s + messageIf(sent, l.at(3), 3-n)
}

// messageIf is the message of a source if wanted is negative, and else a zero.
func messageIf[T number](sent *T, from uint32, wanted int32) T {
	bits := *(*uint64)(unsafe.Pointer(messageOf(sent, from))) & uint64(int64(wanted>>31))
	return *(*T)(unsafe.Pointer(&bits))
}

// continued is s and the messages of neighbors, from left to right.
func continued[T number](s T, sent *T, neighbors []uint32) T {
	for _, from := range neighbors {
		s += *messageOf(sent, from)
	}
	return s
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
	return continued(a, sent, neighbors)
}
