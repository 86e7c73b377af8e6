// Package sorting brings the entries of lists from the order of the input into that of their rows: in memory, or by way
// of files where memory is short. Rows are cut into spans and collected in buckets that fit (plan.go); entries are
// spooled (spool.go), taken apart by bucket (scatter.go, partition.go) and sorted (radix.go).
package sorting

import "github.com/penstock-db/penstock/formats/chunk"

// Span is the extent of one chunk: its rows, how many of them have edges, and the edges.
type Span struct {
	Rows    chunk.Interval
	Present uint64
	Edges   uint64
}

// Sparse is true when naming the rows that are present takes less space than an
// offset for every row: two numbers a present row against one a row.
func (s Span) Sparse() bool { return 2*s.Present < s.Rows.Count }

// Body estimates the bytes of the chunk's body.
func (s Span) Body(edgeBytes uint64) uint64 {
	return 4*min(2*s.Present, s.Rows.Count) + s.Edges*edgeBytes
}

// Plan cuts the rows into chunks of at most chunkBytes, or of one row where that is
// larger. degrees[v] is the length of v's list, edgeBytes what one entry takes.
func Plan(degrees []uint32, edgeBytes, chunkBytes uint64) []Span {
	var spans []Span
	var s Span
	for v, degree := range degrees {
		row := Span{Rows: chunk.Interval{Base: uint64(v), Count: 1}, Present: uint64(min(degree, 1)), Edges: uint64(degree)}
		wider := s
		wider.Rows.Count++
		wider.Present += row.Present
		wider.Edges += row.Edges
		if s.Edges > 0 && wider.Body(edgeBytes) > chunkBytes {
			spans = append(spans, s)
			wider = row
		}
		s = wider
	}
	if s.Rows.Count > 0 {
		spans = append(spans, s)
	}
	return spans
}

// partEntries is of how many entries a core's cache holds two copies, and their neighbors.
const partEntries = 1 << 15

// Parts cuts a span into runs of rows of at most partEntries, or of one row where that is more.
func (s Span) Parts(degrees []uint32) (parts []Span) {
	part := Span{Rows: chunk.Interval{Base: s.Rows.Base}}
	for v := s.Rows.Base; v < s.Rows.End(); v++ {
		degree := uint64(degrees[v])
		if part.Edges > 0 && part.Edges+degree > partEntries {
			parts = append(parts, part)
			part = Span{Rows: chunk.Interval{Base: v}}
		}
		part.Rows.Count++
		part.Edges += degree
	}
	return append(parts, part)
}

// Bucket is a run of chunks whose edges are sorted together in memory.
type Bucket struct {
	Spans []Span
	Edges uint64
}

// pack collects spans in buckets of at most limit edges, or of one span where that is more.
func pack(spans []Span, limit uint64) []Bucket {
	var buckets []Bucket
	for _, s := range spans {
		last := len(buckets) - 1
		if last < 0 || buckets[last].Edges+s.Edges > limit {
			buckets = append(buckets, Bucket{})
			last++
		}
		buckets[last].Spans = append(buckets[last].Spans, s)
		buckets[last].Edges += s.Edges
	}
	return buckets
}

// InBuckets packs spans for sorting within memory, where an entry takes each bytes. When
// it takes files, a quarter is for their buffers.
func InBuckets(spans []Span, memory, each int64) []Bucket {
	if all := pack(spans, uint64(max(1, memory/each))); len(all) <= 1 {
		return all
	}
	return pack(spans, uint64(max(1, (memory-memory/filesShare)/each)))
}

// filesShare-th of the memory for sorting is for buffers of files.
const filesShare = 4

// WithFiles is the memory of which inBuckets leaves so much for entries.
func WithFiles(entries int64) int64 { return entries + entries/(filesShare-1) + 1 }

// Fan is how many files may be written at the same time.
func Fan(memory int64) int { return int(max(2, min(256, memory/filesShare/PartitionBuffer))) }

// First is the bucket's first row, end the one after its last.
func (b Bucket) First() uint64 { return b.Spans[0].Rows.Base }
func (b Bucket) End() uint64   { return b.Spans[len(b.Spans)-1].Rows.End() }
