package store

import (
	"context"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// rowReader reads single rows of the chunks of one direction, and finds rows by the place
// of an entry: entries are numbered through, in the order of rows. Its chunks are kept in
// the cache.
type rowReader struct {
	snapshot *snapshot.Snapshot
	cache    *cache
	chunks   []manifest.ChunkInfo
	starts   []uint64 // the number of the first entry of each chunk, and of all
	types    []Token  // by the code in the type column
	untyped  Token
	fields   map[string]keyedField // of the properties
	slots    []atomic.Pointer[openChunk]
	full     []atomic.Pointer[openChunk] // with all columns
}

// keyedField is a property: chunks do not say how values are encoded, nor what its key is.
type keyedField struct {
	arrow.Field
	key Token
}

// openChunk is a decoded chunk. Its memory is the garbage collector's.
type openChunk struct {
	cached
	rows       chunk.Interval
	start      uint64 // the number of its first entry
	vertices   []uint32
	offsets    []int32
	neighbours []uint32
	numbers    []atomic.Uint64 // of entries in in-lists: the out-list's entry plus one; 0: nobody has asked yet
	types      typeCodes
	properties []arrays.Reader // by key; nil: there is none
}

// row is a vertex's list.
type row struct {
	*openChunk
	from, to int // places in the chunk
}

func newRowReader(s *snapshot.Snapshot, kept *cache, d chunk.Direction, types []Token, untyped Token) *rowReader {
	r := &rowReader{snapshot: s, cache: kept, chunks: s.Chunks(d), types: types, untyped: untyped}
	r.fields = map[string]keyedField{}
	r.starts = make([]uint64, 1, len(r.chunks)+1)
	for _, c := range r.chunks {
		r.starts = append(r.starts, r.entries()+c.Edges)
	}
	r.slots = make([]atomic.Pointer[openChunk], len(r.chunks))
	r.full = make([]atomic.Pointer[openChunk], len(r.chunks))
	return r
}

// entries is how many there are.
func (r *rowReader) entries() uint64 { return r.starts[len(r.starts)-1] }

// row is the list of a vertex.
func (r *rowReader) row(v uint64) (row, error) {
	at := sort.Search(len(r.chunks), func(i int) bool { return r.chunks[i].Rows.End() > v })
	c, err := r.chunk(at)
	if err != nil {
		return row{}, err
	}
	return c.row(v), nil
}

func (c *openChunk) row(v uint64) row {
	i := int(v - c.rows.Base)
	if c.vertices != nil {
		var ok bool
		if i, ok = slices.BinarySearch(c.vertices, uint32(i)); !ok {
			return row{openChunk: c}
		}
	}
	return row{c, int(c.offsets[i]), int(c.offsets[i+1])}
}

// place is the row and the place in its chunk of entry number.
func (r *rowReader) place(number uint64) (v uint64, c *openChunk, at int, err error) {
	n := sort.Search(len(r.chunks), func(i int) bool { return r.starts[i+1] > number })
	if c, err = r.chunk(n); err != nil {
		return 0, nil, 0, err
	}
	at = int(number - c.start)
	i := sort.Search(len(c.offsets)-1, func(i int) bool { return int(c.offsets[i+1]) > at })
	if c.vertices != nil {
		return c.rows.Base + uint64(c.vertices[i]), c, at, nil
	}
	return c.rows.Base + uint64(i), c, at, nil
}

// number is that of the k-th of the entries that lead to a neighbour.
func (r row) number(neighbour uint64, k int) uint64 {
	at, _ := slices.BinarySearch(r.neighbours[r.from:r.to], uint32(neighbour))
	return r.start + uint64(r.from+at+k)
}

// chunk is chunk i with its types.
func (r *rowReader) chunk(i int) (*openChunk, error) {
	if c := r.slots[i].Load(); c != nil {
		c.touch()
		return c, nil
	}
	return r.open(i, &r.slots[i], func(name string) bool { return name == manifest.TypeColumn })
}

// whole is the chunk that entry number is in, with all columns.
func (r *rowReader) whole(number uint64) (*openChunk, error) {
	i := sort.Search(len(r.chunks), func(i int) bool { return r.starts[i+1] > number })
	if c := r.full[i].Load(); c != nil {
		c.touch()
		return c, nil
	}
	return r.open(i, &r.full[i], func(string) bool { return true })
}

// property is one of entry number; null: it has none.
func (c *openChunk) property(number uint64, key Token) value.Value {
	if int(key) >= len(c.properties) || c.properties[key] == nil {
		return value.Value{}
	}
	return c.properties[key](int(number - c.start))
}

// has tells whether entry number is in the chunk.
func (c *openChunk) has(number uint64) bool { return number-c.start < uint64(len(c.neighbours)) }

// open reads chunk i with some columns and puts it in its slot.
func (r *rowReader) open(i int, slot *atomic.Pointer[openChunk], want func(string) bool) (*openChunk, error) {
	s, info := r.snapshot, r.chunks[i]
	var columns []string
	for _, c := range info.Columns {
		if want(c.Name) {
			columns = append(columns, c.Name)
		}
	}
	size, err := s.ChunkSize(info, columns)
	if err != nil {
		return nil, err
	}
	buffer := chunk.Aligned(size)
	n, err := s.ReadChunk(context.Background(), info, columns, buffer)
	if err != nil {
		return nil, err
	}
	c, err := chunk.Open(buffer[:n])
	if err != nil {
		return nil, &failure.DamagedError{Graph: s.Manifest().Graph, Kind: info.Direction.String() + "-chunk", Number: int64(info.Number), Err: err}
	}
	o := &openChunk{
		cached: cached{of: s, bytes: int64(size), empty: func() { slot.Store(nil) }},
		rows:   c.Meta().Rows, start: r.starts[i],
		vertices: c.Vertices(), offsets: c.Offsets(), neighbours: c.Neighbors(),
	}
	if info.Direction != chunk.Out && slot == &r.slots[i] {
		o.numbers = make([]atomic.Uint64, c.Edges())
		o.bytes += 8 * int64(c.Edges())
	}
	if err := o.columns(r, c); err != nil {
		return nil, err
	}
	slot.Store(o)
	r.cache.admit(&o.cached)
	return o, nil
}

// columns reads the types and prepares the properties.
func (o *openChunk) columns(r *rowReader, c *chunk.Chunk) error {
	o.types = typeCodes{untyped: r.untyped}
	for _, field := range c.Columns() {
		values, _ := c.Column(field.Name)
		if field.Name == manifest.TypeColumn {
			if !o.types.read(values, r.types) {
				return r.snapshot.Mistyped("edge types")
			}
			continue
		}
		stored := r.fields[field.Name]
		if stored.Type == nil || !arrow.TypeEqual(stored.Type, field.Type) {
			return r.snapshot.Mistyped("edge property " + field.Name)
		}
		read, ok := arrays.NewReader(stored.Field, values)
		if !ok {
			return arrays.Unstorable(field.Name, field.Type)
		}
		for len(o.properties) <= int(stored.key) {
			o.properties = append(o.properties, nil)
		}
		o.properties[stored.key] = read
	}
	return nil
}

// typeCodes are the types of a chunk's entries.
type typeCodes struct {
	short   []uint16
	long    []uint32
	nulls   arrow.Array // nil: there are none
	tokens  []Token
	untyped Token
}

// read keeps the codes of a type column; false: there are no such types.
func (t *typeCodes) read(codes arrow.Array, tokens []Token) bool {
	t.tokens = tokens
	if codes.NullN() > 0 {
		t.nulls = codes
	}
	switch codes := codes.(type) {
	case *array.Uint16:
		t.short = codes.Uint16Values()
	case *array.Uint32:
		t.long = codes.Uint32Values()
	default:
		return false
	}
	for i := range codes.Len() {
		if code, _ := snapshot.CodeAt(codes, i); codes.IsValid(i) && code >= len(tokens) {
			return false
		}
	}
	return true
}

// at is the type of an entry.
func (t *typeCodes) at(i int) Token {
	switch {
	case t.nulls != nil && t.nulls.IsNull(i), t.short == nil && t.long == nil:
		return t.untyped
	case t.short != nil:
		return t.tokens[t.short[i]]
	}
	return t.tokens[t.long[i]]
}
