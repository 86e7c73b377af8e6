package execute

import (
	"github.com/penstock-db/penstock/formats/value"
)

// set is a set of rows of some values, which are the same where all of them are equivalent.
type set struct {
	width  int
	rows   []value.Value // width of each
	heads  map[uint64]int
	chains []int // the row before of the same hash; < 0: none
}

func newSet(width int) *set { return &set{width: width, heads: map[uint64]int{}} }

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
	if number, ok := s.lookup(row); ok {
		return number, false
	}
	h := hashRow(row)
	head, ok := s.heads[h]
	if !ok {
		head = -1
	}
	number = len(s.chains)
	s.rows, s.chains = append(s.rows, row...), append(s.chains, head)
	s.heads[h] = number
	return number, true
}

// lookup gives the number of a row that is there.
func (s *set) lookup(row []value.Value) (int, bool) {
	head, ok := s.heads[hashRow(row)]
	for i := head; ok && i >= 0; i = s.chains[i] {
		if sameRow(s.row(i), row) {
			return i, true
		}
	}
	return 0, false
}

// add tells whether the row was not there yet.
func (s *set) add(row []value.Value) bool {
	_, fresh := s.find(row)
	return fresh
}

func (s *set) row(i int) []value.Value { return s.rows[i*s.width : (i+1)*s.width] }

// setOverhead is about what a row takes beside its values.
const setOverhead = 40
