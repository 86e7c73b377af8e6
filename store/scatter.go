package store

import (
	"errors"
	"os"
	"slices"
)

// scatter brings entries from the order in which they come into that of their rows:
//
//	each ─entries─▶ buckets of rows (files, when more than one) ─sort─▶ emit
//
// It holds one bucket at a time and the buffers of so many files as fan allows.
type scatter struct {
	dir    string // its own, for the files
	memory int64
	rests  int64 // bytes of the rests of all entries, or more
	each   func(yield func(row, neighbour uint32, rest []byte) error) error
	// newSet makes room for a bucket, the rests of whose entries are so many bytes, if there is
	// memory for it.
	newSet func(b bucket, rests int64) (*edgeSet, error)
	emit   func(bucket, *edgeSet) error // the set is sorted
	sorter sorter
}

// run emits the buckets in turn.
func (s *scatter) run(buckets []bucket) error {
	if len(buckets) == 1 {
		return s.direct(buckets[0])
	}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		return err
	}
	for group := range slices.Chunk(buckets, fan(s.memory)) {
		if err := s.group(group); err != nil {
			return err
		}
	}
	return nil
}

// direct sorts everything in memory.
func (s *scatter) direct(b bucket) error {
	set, err := s.newSet(b, s.rests)
	if err != nil {
		return err
	}
	err = s.each(func(row, neighbour uint32, rest []byte) error {
		set.add(row, neighbour, rest)
		return nil
	})
	if err != nil {
		return err
	}
	return s.sorted(b, set)
}

// group takes the entries of some buckets apart on disk and sorts one bucket after the other.
func (s *scatter) group(buckets []bucket) (err error) {
	p, err := newPartition(s.dir, buckets)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	if err := s.each(p.add); err != nil {
		return err
	}
	if err := p.flush(); err != nil {
		return err
	}
	for i, b := range buckets {
		set, err := s.newSet(b, p.rests[i])
		if err != nil {
			return err
		}
		if err := p.read(i, set); err != nil {
			return err
		}
		if err := s.sorted(b, set); err != nil {
			return err
		}
	}
	return nil
}

func (s *scatter) sorted(b bucket, set *edgeSet) error {
	set.keys, set.numbers = s.sorter.sort(set.keys, set.numbers)
	return s.emit(b, set)
}
