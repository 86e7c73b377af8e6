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
	entries        runs[Entry]
}

// Entry is a relationship in the list of one of its ends.
type Entry struct {
	Relationship, Other uint64
	Type                Token
}

func (l *List) add(o *owner, e Entry) {
	l.Added++
	l.entries.add(o, e)
}

// All yields what was added; false: yield wanted no more.
func (l *List) All(yield func(Entry) bool) bool { return l.entries.all(yield) }
