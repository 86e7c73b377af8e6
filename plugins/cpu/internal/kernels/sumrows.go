package kernels

import (
	"sort"
	"unsafe"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// A row is summed in two sums, of every other message each, so that an addition need not
// wait for the one before it. That is the order of the sum, however it is computed.

// shortRow is the number of edges up to which a row is summed without a branch that goes
// by its length: guessing that wrong takes longer than to add nothing a few times.
const shortRow = 4

// interleaved is the number of long rows of about equal length that are summed side by side:
// since neighbors are ascending, their walks through the messages stay close together,
// so that one finds in the cache what another brought there.
const interleaved = 4

// longRow is the number of edges from which on that pays: of shorter ones each walk is
// over before it comes by what another has read.
const longRow = 64

// sumRows adds to each row of [row, stop) the messages that its list names.
func sumRows[T number, M message](acc []T, messages []M, r *csr.Chunk, row, stop int) {
	sent := unsafe.SliceData(messages)
	if r.Vertices == nil {
		addRows(acc[row:stop], sent, r.Neighbors, r.Offsets[row:stop+1])
		return
	}
	var sums [64]T
	for ; row < stop; row += len(sums) {
		some := sums[:min(len(sums), stop-row)]
		clear(some)
		addRows(some, sent, r.Neighbors, r.Offsets[row:row+len(some)+1])
		for i, s := range some {
			acc[r.Vertices[row+i]] += s
		}
	}
}

// addRows adds to each of sums the messages of a row; rows lie between offsets. It checks
// no index of a list or message: Upload has seen that offsets ascend within neighbors, and
// neighbors lie within the chunk's columns.
func addRows[T number, M message](sums []T, sent *M, neighbors []uint32, offsets []int32) {
	for len(sums) > 0 {
		if done := addInTurn(sums, sent, neighbors, offsets); done > 0 {
			sums, offsets = sums[done:], offsets[done:]
			continue
		}
		addInterleaved((*[interleaved]T)(sums), sent, neighbors, (*[interleaved + 1]int32)(offsets))
		sums, offsets = sums[interleaved:], offsets[interleaved:]
	}
}

// similar tells whether the next rows are long, and the longest is not much longer.
func similar(offsets []int32) bool {
	if len(offsets) <= interleaved {
		return false
	}
	o := (*[interleaved + 1]int32)(offsets)
	least := min(o[1]-o[0], o[2]-o[1], o[3]-o[2], o[4]-o[3])
	return least >= longRow && o[4]-o[0] <= 2*interleaved*least
}

// addInTurn is addRows for one row after the other, as far as there are some alike. It
// returns how many it has done.
func addInTurn[T number, M message](sums []T, sent *M, neighbors []uint32, offsets []int32) int {
	from, roomy := offsets[0], int32(len(neighbors)-shortRow)
	offsets = offsets[:len(sums)+1]
	for i := range sums {
		begin, end := from, offsets[i+1]
		from = end
		n := end - begin
		if n <= shortRow && end <= roomy {
			l := listFrom(neighbors, begin)
			even := messageIf[T](sent, l.at(0), 0-n) + messageIf[T](sent, l.at(2), 2-n)
			odd := messageIf[T](sent, l.at(1), 1-n) + messageIf[T](sent, l.at(3), 3-n)
			sums[i] += even + odd
			continue
		}
		if n >= longRow && similar(offsets[i:]) {
			return i
		}
		if n == 0 {
			continue
		}
		l := listFrom(neighbors, begin)
		var a, b T
		for j := range uintptr(n / 2) {
			p := l.pair(j)
			a += T(*messageOf(sent, uint32(p)))
			b += T(*messageOf(sent, uint32(p>>32)))
		}
		if n%2 != 0 {
			a += T(*messageOf(sent, l.at(uintptr(n-1))))
		}
		sums[i] += a + b
	}
	return len(sums)
}

// addInterleaved is addRows for rows that are alike: all together as far as the shortest goes,
// then each on its own.
func addInterleaved[T number, M message](sums *[interleaved]T, sent *M, neighbors []uint32, o *[interleaved + 1]int32) {
	common := min(o[1]-o[0], o[2]-o[1], o[3]-o[2], o[4]-o[3]) &^ 1
	r0, r1 := listFrom(neighbors, o[0]), listFrom(neighbors, o[1])
	r2, r3 := listFrom(neighbors, o[2]), listFrom(neighbors, o[3])
	var s0, s1, s2, s3, t0, t1, t2, t3 T
	for i := range uintptr(common / 2) {
		p, q := r0.pair(i), r1.pair(i)
		s0 += T(*messageOf(sent, uint32(p)))
		s1 += T(*messageOf(sent, uint32(q)))
		t0 += T(*messageOf(sent, uint32(p>>32)))
		t1 += T(*messageOf(sent, uint32(q>>32)))
		p, q = r2.pair(i), r3.pair(i)
		s2 += T(*messageOf(sent, uint32(p)))
		s3 += T(*messageOf(sent, uint32(q)))
		t2 += T(*messageOf(sent, uint32(p>>32)))
		t3 += T(*messageOf(sent, uint32(q>>32)))
	}
	for i, s := range [interleaved][2]T{{s0, t0}, {s1, t1}, {s2, t2}, {s3, t3}} {
		sums[i] += continued(s, sent, neighbors[o[i]+common:o[i+1]])
	}
}

// rowsBy is the first row from row on that ends behind to.
func rowsBy(r *csr.Chunk, row, to int) int {
	ends := r.Offsets[row+1:]
	return row + sort.Search(len(ends), func(i int) bool { return int(ends[i]) > to })
}

// sumOf sums a row, or the part of one that lies in a segment.
func sumOf[T number, M message](sent *M, neighbors []uint32) T {
	return continued([2]T{}, sent, neighbors)
}

// continued is the sum of a row that goes on with neighbors, an even number of messages
// after its beginning.
func continued[T number, M message](sums [2]T, sent *M, neighbors []uint32) T {
	l, n := listFrom(neighbors, 0), uintptr(len(neighbors))
	a, b := sums[0], sums[1]
	for i := range n / 2 {
		p := l.pair(i)
		a += T(*messageOf(sent, uint32(p)))
		b += T(*messageOf(sent, uint32(p>>32)))
	}
	if n%2 != 0 {
		a += T(*messageOf(sent, l.at(n-1)))
	}
	return a + b
}

// messageIf is the message of a source if wanted is negative, and else a zero.
func messageIf[T number, M message](sent *M, from uint32, wanted int32) T {
	at := unsafe.Pointer(messageOf(sent, from))
	if unsafe.Sizeof(*sent) == 4 {
		bits := *(*uint32)(at) & uint32(wanted>>31)
		return T(*(*M)(unsafe.Pointer(&bits)))
	}
	bits := *(*uint64)(at) & uint64(int64(wanted>>31))
	return T(*(*M)(unsafe.Pointer(&bits)))
}

// list is a row's neighbors from the first on.
type list struct{ first unsafe.Pointer }

func listFrom(neighbors []uint32, from int32) list {
	return list{unsafe.Add(unsafe.Pointer(unsafe.SliceData(neighbors)), 4*uintptr(from))}
}

func (l list) at(i uintptr) uint32 { return *(*uint32)(unsafe.Add(l.first, 4*i)) }

// pair is two neighbors in one load, the first in the low half.
func (l list) pair(i uintptr) uint64 { return *(*uint64)(unsafe.Add(l.first, 8*i)) }

func messageOf[M message](sent *M, from uint32) *M {
	return (*M)(unsafe.Add(unsafe.Pointer(sent), uintptr(from)*unsafe.Sizeof(*sent)))
}
