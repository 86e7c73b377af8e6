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

// entries are entries of lists: row<<32 | neighbour each. refs tell where the records of
// those lie (refRecord); they are nil when records hold nothing else.
type entries struct{ keys, refs []uint64 }

func (e entries) len() uint64 { return uint64(len(e.keys)) }

// sub is entries [from, to).
func (e entries) sub(from, to uint64) entries {
	e.keys = e.keys[from:to]
	if e.refs != nil {
		e.refs = e.refs[from:to]
	}
	return e
}

// with has room for n entries, and nothing in it; the memory is e's if that is enough.
func (e entries) with(n int) entries {
	e.keys = slices.Grow(e.keys[:0], n)[:n]
	if e.refs != nil {
		e.refs = slices.Grow(e.refs[:0], n)[:n]
	}
	return e
}

// splitter parts entries by the run that their row falls into. It is for one goroutine.
type splitter struct {
	*runTable
	of     []uint32 // the runs of the entries being split
	starts []int
	sorted entries
}

func (t *runTable) splitter() *splitter {
	return &splitter{runTable: t, starts: make([]int, t.count+1)}
}

// split hands the entries of each run to use, in their order.
func (s *splitter) split(all entries, use func(run int, part entries) error) error {
	s.of = slices.Grow(s.of[:0], len(all.keys))[:len(all.keys)]
	if all.refs != nil && s.sorted.refs == nil {
		s.sorted.refs = []uint64{}
	}
	s.sorted = s.sorted.with(len(all.keys))
	clear(s.starts)
	for i, key := range all.keys {
		run := s.runs[uint32(key>>32)-s.first]
		s.of[i] = run
		s.starts[run+1]++
	}
	for run := range s.count {
		s.starts[run+1] += s.starts[run]
	}
	next := s.starts[:s.count] // becomes where the runs end
	if all.refs == nil {
		s.place(all.keys, next)
	} else {
		s.placeBoth(all, next)
	}
	from := 0
	for run, end := range next {
		if end > from {
			if err := use(run, s.sorted.sub(uint64(from), uint64(end))); err != nil {
				return err
			}
		}
		from = end
	}
	return nil
}

// place puts keys where their runs go on.
func (s *splitter) place(keys []uint64, next []int) {
	for i, key := range keys {
		run := s.of[i]
		s.sorted.keys[next[run]] = key
		next[run]++
	}
}

func (s *splitter) placeBoth(all entries, next []int) {
	for i, key := range all.keys {
		run := s.of[i]
		s.sorted.keys[next[run]], s.sorted.refs[next[run]] = key, all.refs[i]
		next[run]++
	}
}
