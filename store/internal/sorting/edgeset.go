package sorting

// EdgeSet is the entries of one bucket while they are sorted: a key (row, neighbor)
// each, and what else its record holds.
type EdgeSet struct {
	Keys    []uint64 // row<<32 | neighbor
	numbers []uint32 // of each key's record
	records []byte
	width   int   // bytes of a record; 0: they differ
	starts  []int // of the records, when they differ
}

// NewEdgeSet has room for so many edges, and records of so many bytes in all.
func NewEdgeSet(edges uint64, width int, records int64) *EdgeSet {
	s := &EdgeSet{
		Keys: make([]uint64, 0, edges), numbers: make([]uint32, 0, edges),
		records: make([]byte, 0, records), width: width,
	}
	if width == 0 {
		s.starts = make([]int, 0, edges)
	}
	return s
}

// add copies rest.
func (s *EdgeSet) add(row, neighbor uint32, rest []byte) {
	s.Keys = append(s.Keys, uint64(row)<<32|uint64(neighbor))
	s.numbers = append(s.numbers, uint32(len(s.numbers)))
	if s.width == 0 {
		s.starts = append(s.starts, len(s.records))
	}
	s.records = append(s.records, rest...)
}

// Bytes is what the set takes.
func (s *EdgeSet) Bytes() int64 {
	return int64(8*cap(s.Keys) + 4*cap(s.numbers) + 8*cap(s.starts) + cap(s.records))
}

// Record is what the i-th key's record holds beside the two ends, and what follows it.
func (s *EdgeSet) Record(i uint64) []byte {
	number := int(s.numbers[i])
	if s.width == 0 {
		return s.records[s.starts[number]:]
	}
	return s.records[number*s.width:]
}
