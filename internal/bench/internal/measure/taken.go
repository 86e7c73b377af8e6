package measure

// Taken is what a program and its children have taken of the machine beside time.
type Taken struct {
	Peak uint64 `json:"peak_bytes,omitempty"` // of memory, all together, page cache included
	Read uint64 `json:"read_bytes,omitempty"` // from storage
	// Of a penstock process: chunks that it read past the page cache, and those that it meant to.
	Uncached uint64 `json:"uncached_chunks,omitempty"`
	Cached   uint64 `json:"cached_chunks,omitempty"`
}

func (t Taken) most(other Taken) Taken {
	return Taken{max(t.Peak, other.Peak), max(t.Read, other.Read), max(t.Uncached, other.Uncached),
		max(t.Cached, other.Cached)}
}
