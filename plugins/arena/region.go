package arena

import (
	"fmt"
	"slices"
	"sync"
)

// Region hands out the ranges of an arena: first fit, from the lowest address. It
// keeps one entry for each range in use and one for each gap between them. The memory
// itself it never touches. Several goroutines may use it.
type Region struct {
	mu   sync.Mutex        // protects gaps and used
	gaps []Range           // free ranges, ascending, never adjacent
	used map[uint64]uint64 // length of each range in use, rounded up to Align, by offset
}

// FullError says that no gap is large enough. Free some ranges and try again.
type FullError struct {
	Wanted  uint64 // bytes
	Largest uint64 // bytes of the largest gap
	Free    uint64 // bytes of all gaps
}

func (e *FullError) Error() string {
	return fmt.Sprintf("arena is full: %d bytes wanted, %d free, %d of them in one piece", e.Wanted, e.Free, e.Largest)
}

// NewRegion starts with the bytes [0, size) free, rounded down to a multiple of Align.
func NewRegion(size uint64) *Region {
	r := &Region{used: make(map[uint64]uint64)}
	if size >= Align {
		r.gaps = []Range{{Length: size / Align * Align}}
	}
	return r
}

// Alloc takes n bytes at a multiple of Align. It fails with a *FullError. The range
// has Length n and takes n rounded up to Align; an empty one takes nothing.
func (r *Region) Alloc(n uint64) (Range, error) {
	if n == 0 {
		return Range{}, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	length := (n + Align - 1) / Align * Align
	i := slices.IndexFunc(r.gaps, func(gap Range) bool { return gap.Length >= length })
	if i < 0 || length < n {
		return Range{}, r.full(n)
	}
	taken := Range{Offset: r.gaps[i].Offset, Length: n}
	r.gaps[i].Offset += length
	r.gaps[i].Length -= length
	if r.gaps[i].Length == 0 {
		r.gaps = slices.Delete(r.gaps, i, i+1)
	}
	r.used[taken.Offset] = length
	return taken, nil
}

func (r *Region) full(wanted uint64) error {
	e := &FullError{Wanted: wanted}
	for _, gap := range r.gaps {
		e.Largest = max(e.Largest, gap.Length)
		e.Free += gap.Length
	}
	return e
}

// Free gives back a range that Alloc returned. Any other range, or one given back
// already, changes nothing and is an error: someone else may be using its bytes.
func (r *Region) Free(old Range) error {
	if old.Length == 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	length, ok := r.used[old.Offset]
	if !ok || old.Length > length {
		return fmt.Errorf("arena range [%d, +%d) is not in use: it was freed before or never allocated", old.Offset,
			old.Length)
	}
	delete(r.used, old.Offset)
	r.insert(Range{Offset: old.Offset, Length: length})
	return nil
}

// insert puts a gap in its place and joins it with the gaps that touch it.
func (r *Region) insert(gap Range) {
	i, _ := slices.BinarySearchFunc(r.gaps, gap.Offset, func(g Range, offset uint64) int {
		if g.Offset < offset {
			return -1
		}
		return 1
	})
	if i < len(r.gaps) && gap.End() == r.gaps[i].Offset {
		gap.Length += r.gaps[i].Length
		r.gaps = slices.Delete(r.gaps, i, i+1)
	}
	if i > 0 && r.gaps[i-1].End() == gap.Offset {
		r.gaps[i-1].Length += gap.Length
		return
	}
	r.gaps = slices.Insert(r.gaps, i, gap)
}
