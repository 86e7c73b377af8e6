package cpu

import (
	"sort"
	"unsafe"
)

// A row is summed in two sums, of every other message each, so that an addition need not
// wait for the one before it. That is the order of the sum, however it is computed.

// shortRow is the number of edges up to which a row is summed without a branch that goes
// by its length: guessing that wrong takes longer than to add nothing a few times.
const shortRow = 4

// abreast is the number of long rows of about equal length that are summed side by side:
// since neighbors are ascending, their walks through the messages stay close together,
// so that one finds in the cache what another brought there.
const abreast = 4

// longRow is the number of edges from which on that pays: of shorter ones each walk is
// over before it comes by what another has read.
const longRow = 64

// sumRows adds to each row of [row, stop) the messages that its list names. It checks no
// index: Upload has seen that offsets ascend within neighbors, and neighbors lie within
// the chunk's columns.
func sumRows[T number](acc, messages []T, r *resident, row, stop int) {
	for row < stop {
		if row+abreast <= stop && r.alike(row) {
			sumAbreast(acc, messages, r, row)
			row += abreast
			continue
		}
		row = sumEach(acc, messages, r, row, stop)
	}
}

// alike tells whether the rows from row on are long, and the longest is not much longer.
func (r *resident) alike(row int) bool {
	o := (*[abreast + 1]int32)(r.offsets[row:])
	least := min(o[1]-o[0], o[2]-o[1], o[3]-o[2], o[4]-o[3])
	return least >= longRow && o[4]-o[0] <= 2*abreast*least
}

// sumEach is sumRows for one row after the other, up to some that are alike.
func sumEach[T number](acc, messages []T, r *resident, row, stop int) int {
	sent, neighbors, vertices := unsafe.SliceData(messages), r.neighbors, r.vertices
	roomy := int32(len(neighbors) - shortRow)
	ends := r.offsets[row+1 : stop+1]
	from := r.offsets[row]
	for i, end := range ends {
		v := row + i
		if vertices != nil {
			v = int(vertices[v])
		}
		begin, n := from, end-from
		switch from = end; {
		case n <= shortRow && end <= roomy:
			l := listFrom(neighbors, begin)
			even := messageIf(sent, l.at(0), 0-n) + messageIf(sent, l.at(2), 2-n)
			odd := messageIf(sent, l.at(1), 1-n) + messageIf(sent, l.at(3), 3-n)
			acc[v] += even + odd
		case n >= longRow && row+i+abreast <= stop && r.alike(row+i):
			return row + i
		default:
			acc[v] += sumOf(sent, neighbors[begin:end])
		}
	}
	return stop
}

// sumAbreast is sumRows for the rows that are alike from row on: all together as far as
// the shortest goes, then each on its own.
func sumAbreast[T number](acc, messages []T, r *resident, row int) {
	sent := unsafe.SliceData(messages)
	o := (*[abreast + 1]int32)(r.offsets[row:])
	common := min(o[1]-o[0], o[2]-o[1], o[3]-o[2], o[4]-o[3]) &^ 1
	r0, r1 := listFrom(r.neighbors, o[0]), listFrom(r.neighbors, o[1])
	r2, r3 := listFrom(r.neighbors, o[2]), listFrom(r.neighbors, o[3])
	var s0, s1, s2, s3, t0, t1, t2, t3 T
	for i := range uintptr(common / 2) {
		p, q := r0.pair(i), r1.pair(i)
		s0 += *messageOf(sent, uint32(p))
		t0 += *messageOf(sent, uint32(p>>32))
		s1 += *messageOf(sent, uint32(q))
		t1 += *messageOf(sent, uint32(q>>32))
		p, q = r2.pair(i), r3.pair(i)
		s2 += *messageOf(sent, uint32(p))
		t2 += *messageOf(sent, uint32(p>>32))
		s3 += *messageOf(sent, uint32(q))
		t3 += *messageOf(sent, uint32(q>>32))
	}
	sums := [abreast][2]T{{s0, t0}, {s1, t1}, {s2, t2}, {s3, t3}}
	for i, s := range sums {
		acc[r.local(row+i)] += continued(s, sent, r.neighbors[o[i]+common:o[i+1]])
	}
}

// rowsBy is the first row from row on that ends behind to.
func rowsBy(r *resident, row, to int) int {
	ends := r.offsets[row+1:]
	return row + sort.Search(len(ends), func(i int) bool { return int(ends[i]) > to })
}

// sumOf sums a row, or the part of one that lies in a segment.
func sumOf[T number](sent *T, neighbors []uint32) T { return continued([2]T{}, sent, neighbors) }

// continued is the sum of a row that goes on with neighbors, an even number of messages
// after its beginning.
func continued[T number](sums [2]T, sent *T, neighbors []uint32) T {
	l, n := listFrom(neighbors, 0), uintptr(len(neighbors))
	a, b := sums[0], sums[1]
	for i := range n / 2 {
		p := l.pair(i)
		a += *messageOf(sent, uint32(p))
		b += *messageOf(sent, uint32(p>>32))
	}
	if n%2 != 0 {
		a += *messageOf(sent, l.at(n-1))
	}
	return a + b
}

// messageIf is the message of a source if wanted is negative, and else a zero.
func messageIf[T number](sent *T, from uint32, wanted int32) T {
	bits := *(*uint64)(unsafe.Pointer(messageOf(sent, from))) & uint64(int64(wanted>>31))
	return *(*T)(unsafe.Pointer(&bits))
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
