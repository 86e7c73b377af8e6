package rows

import (
	"math/bits"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/budget"
)

// Set is a set of rows of some values, which are the same where all of them are equivalent. Its
// table is searched from a row's place onwards (linear probing).
type Set struct {
	*budget.Tally // of what it takes itself, with its rows
	width         int
	rows          []value.Value // width of each
	hashes        []uint64      // of each
	table         []uint32      // numbers of rows + 1; 0: nothing
	shift         int           // 64 less the bits of a place in the table
}

// NewSet is an empty set of rows of width values.
func NewSet(width int, t *budget.Tally) *Set { return &Set{Tally: t, width: width} }

// HashRow is the hash of a row: rows that are the same have the same.
func HashRow(row []value.Value) uint64 {
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

// Find gives the number of a row; the row is copied in if it is not there.
func (s *Set) Find(row []value.Value) (number int, fresh bool, err error) {
	h, at, size := HashRow(row), 0, len(s.table)
	if size > 0 {
		var ok bool
		if at, ok = s.search(h, row); ok {
			return int(s.table[at]) - 1, false, nil
		}
	}
	if err := s.reserve(row); err != nil {
		return 0, false, err
	}
	if len(s.table) != size {
		at, _ = s.search(h, row)
	}
	s.rows, s.hashes = append(s.rows, row...), append(s.hashes, h)
	s.table[at] = uint32(len(s.hashes))
	return len(s.hashes) - 1, true, nil
}

// reserve makes room for one more row.
func (s *Set) reserve(row []value.Value) (err error) {
	if err := s.Add(budget.Contents(row)); err != nil {
		return err
	}
	if 4*(len(s.hashes)+1) > 3*len(s.table) {
		if err := s.grow(); err != nil {
			return err
		}
	}
	if s.rows, err = budget.Grown(s.Tally, s.rows, len(row)); err != nil {
		return err
	}
	s.hashes, err = budget.Grown(s.Tally, s.hashes, 1)
	return err
}

// Needs is what Find of a new row would charge.
func (s *Set) Needs(row []value.Value) int64 {
	bytes := budget.Contents(row) + budget.Growth(s.rows, len(row)) + budget.Growth(s.hashes, 1)
	if 4*(len(s.hashes)+1) > 3*len(s.table) {
		bytes += budget.ArrayBytes[uint32](s.nextTable())
	}
	return bytes
}

// Lookup gives the number of a row that is there.
func (s *Set) Lookup(row []value.Value) (int, bool) {
	if len(s.table) == 0 {
		return 0, false
	}
	at, ok := s.search(HashRow(row), row)
	return int(s.table[at]) - 1, ok
}

// search gives where in the table a row is, or where it can be put. The upper bits of the product
// say where it begins (Knuth's multiplicative hashing).
func (s *Set) search(h uint64, row []value.Value) (at int, ok bool) {
	for at = int(h * 0x9e3779b97f4a7c15 >> s.shift); s.table[at] != 0; at = (at + 1) & (len(s.table) - 1) {
		number := int(s.table[at]) - 1
		if s.hashes[number] == h && sameRow(s.Row(number), row) {
			return at, true
		}
	}
	return at, false
}

func (s *Set) nextTable() int {
	const least = 16
	return max(least, 2*len(s.table))
}

// grow doubles the table.
func (s *Set) grow() error {
	size := s.nextTable()
	if err := s.Add(budget.ArrayBytes[uint32](size)); err != nil {
		return err
	}
	s.Less(budget.ArrayBytes[uint32](len(s.table)))
	s.table, s.shift = make([]uint32, size), 65-bits.Len(uint(size))
	for number, h := range s.hashes {
		at := int(h * 0x9e3779b97f4a7c15 >> s.shift)
		for s.table[at] != 0 {
			at = (at + 1) & (size - 1)
		}
		s.table[at] = uint32(number + 1)
	}
	return nil
}

// Len is the number of rows.
func (s *Set) Len() int { return len(s.hashes) }

// Insert tells whether the row was not there yet.
func (s *Set) Insert(row []value.Value) (bool, error) {
	_, fresh, err := s.Find(row)
	return fresh, err
}

// Row is the i-th row.
func (s *Set) Row(i int) []value.Value { return s.rows[i*s.width : (i+1)*s.width] }
