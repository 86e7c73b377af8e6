package sorting

import (
	"errors"
	"os"
	"slices"
)

// Scatter brings entries from the order in which they come into that of their rows:
//
//	each ─entries─▶ buckets of rows (files, when more than one) ─sort─▶ emit
//
// It holds one bucket at a time and the buffers of so many files as fan allows.
type Scatter struct {
	Dir    string // its own, for the files
	Memory int64
	Rests  int64 // bytes of the rests of all entries, or more
	Each   func(yield func(row, neighbor uint32, rest []byte) error) error
	// NewSet makes room for a bucket, the rests of whose entries are so many bytes, if there is
	// memory for it.
	NewSet func(b Bucket, rests int64) (*EdgeSet, error)
	Emit   func(Bucket, *EdgeSet) error // the set is sorted
	sorter Sorter
}

// Run emits the buckets in turn.
func (s *Scatter) Run(buckets []Bucket) error {
	if len(buckets) == 1 {
		return s.direct(buckets[0])
	}
	if err := os.Mkdir(s.Dir, 0o755); err != nil {
		return err
	}
	for group := range slices.Chunk(buckets, Fan(s.Memory)) {
		if err := s.group(group); err != nil {
			return err
		}
	}
	return nil
}

// direct sorts everything in memory.
func (s *Scatter) direct(b Bucket) error {
	set, err := s.NewSet(b, s.Rests)
	if err != nil {
		return err
	}
	err = s.Each(func(row, neighbor uint32, rest []byte) error {
		set.add(row, neighbor, rest)
		return nil
	})
	if err != nil {
		return err
	}
	return s.sorted(b, set)
}

// group takes the entries of some buckets apart on disk and sorts one bucket after the other.
func (s *Scatter) group(buckets []Bucket) (err error) {
	p, err := newPartition(s.Dir, buckets)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	if err := s.Each(p.add); err != nil {
		return err
	}
	if err := p.flush(); err != nil {
		return err
	}
	for i, b := range buckets {
		set, err := s.NewSet(b, p.rests[i])
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

func (s *Scatter) sorted(b Bucket, set *EdgeSet) error {
	set.Keys, set.numbers = s.sorter.Sort(set.Keys, set.numbers)
	return s.Emit(b, set)
}
