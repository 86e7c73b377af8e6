package sorting

import "slices"

// runTable tells which of several runs of rows, one after the other, a row falls into.
type runTable struct {
	first uint32   // row of the first run
	runs  []uint32 // by row, from first on
	count int
}

// NewRunTable is of spans or buckets, which begin at first and have these ends.
func NewRunTable(first uint64, ends []uint64) *runTable {
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

// Entries are entries of lists: row<<32 | neighbor each. refs tell where the records of
// those lie (refRecord); they are nil when records hold nothing else.
type Entries struct{ Keys, Refs []uint64 }

func (e Entries) Len() uint64 { return uint64(len(e.Keys)) }

// Sub is entries [from, to).
func (e Entries) Sub(from, to uint64) Entries {
	e.Keys = e.Keys[from:to]
	if e.Refs != nil {
		e.Refs = e.Refs[from:to]
	}
	return e
}

// With has room for n entries, and nothing in it; the memory is e's if that is enough.
func (e Entries) With(n int) Entries {
	e.Keys = slices.Grow(e.Keys[:0], n)[:n]
	if e.Refs != nil {
		e.Refs = slices.Grow(e.Refs[:0], n)[:n]
	}
	return e
}

// Splitter parts entries by the run that their row falls into. It is for one goroutine.
type Splitter struct {
	*runTable
	of     []uint32 // the runs of the entries being split
	starts []int
	sorted Entries
}

func (t *runTable) Splitter() *Splitter {
	return &Splitter{runTable: t, starts: make([]int, t.count+1)}
}

// Split hands the entries of each run to use, in their order.
func (s *Splitter) Split(all Entries, use func(run int, part Entries) error) error {
	s.of = slices.Grow(s.of[:0], len(all.Keys))[:len(all.Keys)]
	if all.Refs != nil && s.sorted.Refs == nil {
		s.sorted.Refs = []uint64{}
	}
	s.sorted = s.sorted.With(len(all.Keys))
	clear(s.starts)
	for i, key := range all.Keys {
		run := s.runs[uint32(key>>32)-s.first]
		s.of[i] = run
		s.starts[run+1]++
	}
	for run := range s.count {
		s.starts[run+1] += s.starts[run]
	}
	next := s.starts[:s.count] // becomes where the runs end
	if all.Refs == nil {
		s.place(all.Keys, next)
	} else {
		s.placeBoth(all, next)
	}
	from := 0
	for run, end := range next {
		if end > from {
			if err := use(run, s.sorted.Sub(uint64(from), uint64(end))); err != nil {
				return err
			}
		}
		from = end
	}
	return nil
}

// place puts keys where their runs go on.
func (s *Splitter) place(keys []uint64, next []int) {
	for i, key := range keys {
		run := s.of[i]
		s.sorted.Keys[next[run]] = key
		next[run]++
	}
}

func (s *Splitter) placeBoth(all Entries, next []int) {
	for i, key := range all.Keys {
		run := s.of[i]
		s.sorted.Keys[next[run]], s.sorted.Refs[next[run]] = key, all.Refs[i]
		next[run]++
	}
}
