package store

import (
	"math/bits"
	"slices"
)

// splitter parts entries by which of several runs of rows, one after the other, their
// row falls into. It is for one goroutine.
type splitter struct {
	ends   []uint32 // the last row of each run
	first  uint32   // row of the first run
	shift  uint
	guess  []uint32 // by (row-first)>>shift: the run that the first such row falls into
	runs   []uint32 // of the entries being split
	starts []int
	keys   []uint64
}

// guesses is how many rows, evenly spread, the splitter knows the run of: they fit the
// second-level cache.
const guesses = 1 << 14

// newSplitter splits by spans or buckets, which begin at first and have these ends.
func newSplitter(first uint64, ends []uint64) *splitter {
	rows := ends[len(ends)-1] - first
	s := &splitter{first: uint32(first), shift: uint(max(0, bits.Len64(rows-1)-bits.Len(guesses-1))), starts: make([]int, len(ends)+1)}
	run := uint32(0)
	for row := first; row < first+rows; row += 1 << s.shift {
		for row >= ends[run] {
			run++
		}
		s.guess = append(s.guess, run)
	}
	for _, end := range ends {
		s.ends = append(s.ends, uint32(end-1))
	}
	return s
}

// run is the number of the run that row falls into.
func (s *splitter) run(row uint32) uint32 {
	run := s.guess[(row-s.first)>>s.shift]
	for row > s.ends[run] {
		run++
	}
	return run
}

// split hands the entries (row<<32 | neighbour) of each run to use, in their order.
func (s *splitter) split(keys []uint64, use func(run int, keys []uint64) error) error {
	s.runs = slices.Grow(s.runs[:0], len(keys))[:len(keys)]
	s.keys = slices.Grow(s.keys[:0], len(keys))[:len(keys)]
	clear(s.starts)
	for i, key := range keys {
		run := s.run(uint32(key >> 32))
		s.runs[i] = run
		s.starts[run+1]++
	}
	for run := range s.ends {
		s.starts[run+1] += s.starts[run]
	}
	next := s.starts[:len(s.ends)] // becomes where the runs end
	for i, key := range keys {
		run := s.runs[i]
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
