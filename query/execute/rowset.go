package execute

import (
	"math/bits"

	"github.com/penstock-db/penstock/formats/value"
)

// set is a set of rows of some values, which are the same where all of them are equivalent. Its
// table is searched from a row's place onwards (linear probing).
type set struct {
	width  int
	rows   []value.Value // width of each
	hashes []uint64      // of each
	table  []uint32      // numbers of rows + 1; 0: nothing
	shift  int           // 64 less the bits of a place in the table
}

func newSet(width int) *set { return &set{width: width} }

func hashRow(row []value.Value) uint64 {
	h := uint64(14695981039346656037) // FNV-1a's, over the hashes of values
	for _, v := range row {
		h = (h ^ value.Hash(v)) * 1099511628211
	}
	return h
}

func sameRow(a, b []value.Value) bool {
	for i := range a {
		if !value.Equivalent(a[i], b[i]) {
			return false
		}
	}
	return true
}

// find gives the number of a row; the row is copied in if it is not there.
func (s *set) find(row []value.Value) (number int, fresh bool) {
	if 4*(len(s.hashes)+1) > 3*len(s.table) {
		s.grow()
	}
	h := hashRow(row)
	at, ok := s.search(h, row)
	if ok {
		return int(s.table[at]) - 1, false
	}
	s.rows, s.hashes = append(s.rows, row...), append(s.hashes, h)
	s.table[at] = uint32(len(s.hashes))
	return len(s.hashes) - 1, true
}

// lookup gives the number of a row that is there.
func (s *set) lookup(row []value.Value) (int, bool) {
	if len(s.table) == 0 {
		return 0, false
	}
	at, ok := s.search(hashRow(row), row)
	return int(s.table[at]) - 1, ok
}

// search gives where in the table a row is, or where it can be put. The upper bits of the product
// say where it begins (Knuth's multiplicative hashing).
func (s *set) search(h uint64, row []value.Value) (at int, ok bool) {
	for at = int(h * 0x9e3779b97f4a7c15 >> s.shift); s.table[at] != 0; at = (at + 1) & (len(s.table) - 1) {
		number := int(s.table[at]) - 1
		if s.hashes[number] == h && sameRow(s.row(number), row) {
			return at, true
		}
	}
	return at, false
}

// grow doubles the table.
func (s *set) grow() {
	const least = 16
	size := max(least, 2*len(s.table))
	s.table, s.shift = make([]uint32, size), 65-bits.Len(uint(size))
	for number, h := range s.hashes {
		at := int(h * 0x9e3779b97f4a7c15 >> s.shift)
		for s.table[at] != 0 {
			at = (at + 1) & (size - 1)
		}
		s.table[at] = uint32(number + 1)
	}
}

func (s *set) len() int { return len(s.hashes) }

// add tells whether the row was not there yet.
func (s *set) add(row []value.Value) bool {
	_, fresh := s.find(row)
	return fresh
}

func (s *set) row(i int) []value.Value { return s.rows[i*s.width : (i+1)*s.width] }

// setOverhead is about what a row takes beside its values.
const setOverhead = 40
