package store

import "github.com/penstock-db/penstock/formats/chunk"

// span is the extent of one chunk: its rows, how many of them have edges, and the edges.
type span struct {
	rows    chunk.Interval
	present uint64
	edges   uint64
}

// sparse is true when naming the rows that are present takes less space than an
// offset for every row: two numbers a present row against one a row.
func (s span) sparse() bool { return 2*s.present < s.rows.Count }

// body estimates the bytes of the chunk's body.
func (s span) body(edgeBytes uint64) uint64 {
	return 4*min(2*s.present, s.rows.Count) + s.edges*edgeBytes
}

// plan cuts the rows into chunks of at most chunkBytes, or of one row where that is
// larger. degrees[v] is the length of v's list, edgeBytes what one entry takes.
func plan(degrees []uint32, edgeBytes, chunkBytes uint64) []span {
	var spans []span
	var s span
	for v, degree := range degrees {
		row := span{rows: chunk.Interval{Base: uint64(v), Count: 1}, present: uint64(min(degree, 1)), edges: uint64(degree)}
		wider := s
		wider.rows.Count++
		wider.present += row.present
		wider.edges += row.edges
		if s.edges > 0 && wider.body(edgeBytes) > chunkBytes {
			spans = append(spans, s)
			wider = row
		}
		s = wider
	}
	if s.rows.Count > 0 {
		spans = append(spans, s)
	}
	return spans
}

// partEntries is of how many entries a core's cache holds two copies, and their neighbours.
const partEntries = 1 << 15

// parts cuts a span into runs of rows of at most partEntries, or of one row where that is more.
func (s span) parts(degrees []uint32) (parts []span) {
	part := span{rows: chunk.Interval{Base: s.rows.Base}}
	for v := s.rows.Base; v < s.rows.End(); v++ {
		degree := uint64(degrees[v])
		if part.edges > 0 && part.edges+degree > partEntries {
			parts = append(parts, part)
			part = span{rows: chunk.Interval{Base: v}}
		}
		part.rows.Count++
		part.edges += degree
	}
	return append(parts, part)
}

// bucket is a run of chunks whose edges are sorted together in memory.
type bucket struct {
	spans []span
	edges uint64
}

// pack collects spans in buckets of at most limit edges, or of one span where that is more.
func pack(spans []span, limit uint64) []bucket {
	var buckets []bucket
	for _, s := range spans {
		last := len(buckets) - 1
		if last < 0 || buckets[last].edges+s.edges > limit {
			buckets = append(buckets, bucket{})
			last++
		}
		buckets[last].spans = append(buckets[last].spans, s)
		buckets[last].edges += s.edges
	}
	return buckets
}

// inBuckets packs spans for sorting within memory, where an entry takes each bytes. When
// it takes files, a quarter is for their buffers.
func inBuckets(spans []span, memory, each int64) []bucket {
	if all := pack(spans, uint64(max(1, memory/each))); len(all) <= 1 {
		return all
	}
	return pack(spans, uint64(max(1, (memory-memory/filesShare)/each)))
}

// filesShare-th of the memory for sorting is for buffers of files.
const filesShare = 4

// withFiles is the memory of which inBuckets leaves so much for entries.
func withFiles(entries int64) int64 { return entries + entries/(filesShare-1) + 1 }

// fan is how many files may be written at the same time.
func fan(memory int64) int { return int(max(2, min(256, memory/filesShare/partitionBuffer))) }

// first is the bucket's first row, end the one after its last.
func (b bucket) first() uint64 { return b.spans[0].rows.Base }
func (b bucket) end() uint64   { return b.spans[len(b.spans)-1].rows.End() }
