package chunk

// Stats are counts over the lists of a chunk.
type Stats struct {
	Rows, Edges          int
	MinDegree, MaxDegree int // over the rows present; 0 when there are none
}

// newStats counts, and fails with an *InvalidError where offsets fall.
func newStats(t topology) (Stats, error) {
	s := Stats{Rows: len(t.offsets) - 1, Edges: len(t.neighbors)}
	if s.Rows == 0 {
		return s, nil
	}
	low, high := t.offsets[1], int32(0)
	from := t.offsets[0]
	for row, to := range t.offsets[1:] {
		if to < from {
			return s, invalid("offsets", "row %d ends at %d, before its start %d", row, to, from)
		}
		low, high = min(low, to-from), max(high, to-from)
		from = to
	}
	s.MinDegree, s.MaxDegree = int(low), int(high)
	return s, nil
}
