package delta

// Adjacency is which relationships a node has got and lost since the base.
type Adjacency struct {
	owner   *owner
	Out, In List
}

// List is the relationships of one direction that were added. Those that were deleted
// again are still in it: where Removed is not 0, a reader must look at their records and at
// those of the base's.
type List struct {
	Added, Removed uint64
	last           *segment
}

// Entry is a relationship in the list of one of its ends.
type Entry struct {
	Relationship, Other uint64
	Type                Token
}

// segment is a run of entries, linked to the run before: versions of a list share runs.
type segment struct {
	owner   *owner
	entries []Entry
	before  *segment
}

// segmentEntries is up to how many entries of an older version are copied rather than
// linked to, so that many small commits make no long chain.
const segmentEntries = 32

func (l *List) add(o *owner, e Entry) {
	l.Added++
	if s := l.last; s == nil || s.owner != o {
		fresh := &segment{owner: o, before: s}
		if s != nil && len(s.entries) < segmentEntries {
			fresh.entries, fresh.before = append(fresh.entries, s.entries...), s.before
		}
		l.last = fresh
	}
	l.last.entries = append(l.last.entries, e)
}

// All yields what was added, the newest runs first; false: yield wanted no more.
func (l *List) All(yield func(Entry) bool) bool {
	for s := l.last; s != nil; s = s.before {
		for _, e := range s.entries {
			if !yield(e) {
				return false
			}
		}
	}
	return true
}
