package store

import "slices"

// runTable tells which of several runs of rows, one after the other, a row falls into.
type runTable struct {
	first uint32   // row of the first run
	runs  []uint32 // by row, from first on
	count int
}

// newRunTable is of spans or buckets, which begin at first and have these ends.
func newRunTable(first uint64, ends []uint64) *runTable {
	t := &runTable{first: uint32(first), runs: make([]uint32, ends[len(ends)-1]-first), count: len(ends)}
	from := first
	for run, end := range ends {
		for row := from; row < end; row++ {
			t.runs[row-first] = uint32(run)
		}
		from = end
	}
	return t
}

// splitter parts entries by the run that their row falls into. It is for one goroutine.
type splitter struct {
	*runTable
	of     []uint32 // the runs of the entries being split
	starts []int
	keys   []uint64
}

func (t *runTable) splitter() *splitter {
	return &splitter{runTable: t, starts: make([]int, t.count+1)}
}

// split hands the entries (row<<32 | neighbour) of each run to use, in their order.
func (s *splitter) split(keys []uint64, use func(run int, keys []uint64) error) error {
	s.of = slices.Grow(s.of[:0], len(keys))[:len(keys)]
	s.keys = slices.Grow(s.keys[:0], len(keys))[:len(keys)]
	clear(s.starts)
	for i, key := range keys {
		run := s.runs[uint32(key>>32)-s.first]
		s.of[i] = run
		s.starts[run+1]++
	}
	for run := range s.count {
		s.starts[run+1] += s.starts[run]
	}
	next := s.starts[:s.count] // becomes where the runs end
	for i, key := range keys {
		run := s.of[i]
		s.keys[next[run]] = key
		next[run]++
	}
	from := 0
	for run, end := range next {
		if end > from {
			if err := use(run, s.keys[from:end]); err != nil {
				return err
			}
		}
		from = end
	}
	return nil
}
