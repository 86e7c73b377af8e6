package base

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

// RowReader reads single rows of the chunks of one direction, and finds rows by the place
// of an entry: entries are numbered through, in the order of rows. Its chunks are kept in
// the cache.
type RowReader struct {
	snapshot *snapshot.Snapshot
	cache    *Cache
	Chunks   []manifest.ChunkInfo
	Starts   []uint64 // the number of the first entry of each chunk, and of all
	Types    []Token  // by the code in the type column
	Untyped  Token
	fields   map[string]keyedField // of the properties
	slots    []atomic.Pointer[Chunk]
	full     []atomic.Pointer[Chunk] // with all columns
}

// keyedField is a property: chunks do not say how values are encoded, nor what its key is.
type keyedField struct {
	arrow.Field
	key Token
}

// Chunk is a decoded chunk. Its memory is the garbage collector's.
type Chunk struct {
	cached
	Rows       chunk.Interval
	Start      uint64 // the number of its first entry
	vertices   []uint32
	offsets    []int32
	Neighbors  []uint32
	Numbers    []atomic.Uint64 // of entries in in-lists: the out-list's entry plus one; 0: nobody has asked yet
	Types      TypeCodes
	properties []arrays.Reader // by key; nil: there is none
}

// Row is a vertex's list.
type Row struct {
	*Chunk
	From, To int // places in the chunk
}

func newRowReader(s *snapshot.Snapshot, kept *Cache, d chunk.Direction, types []Token, untyped Token) *RowReader {
	r := &RowReader{snapshot: s, cache: kept, Chunks: s.Chunks(d), Types: types, Untyped: untyped}
	r.fields = map[string]keyedField{}
	r.Starts = make([]uint64, 1, len(r.Chunks)+1)
	for _, c := range r.Chunks {
		r.Starts = append(r.Starts, r.Entries()+c.Edges)
	}
	r.slots = make([]atomic.Pointer[Chunk], len(r.Chunks))
	r.full = make([]atomic.Pointer[Chunk], len(r.Chunks))
	return r
}

// Entries is how many there are.
func (r *RowReader) Entries() uint64 { return r.Starts[len(r.Starts)-1] }

// Row is the list of a vertex.
func (r *RowReader) Row(v uint64) (Row, error) {
	at := sort.Search(len(r.Chunks), func(i int) bool { return r.Chunks[i].Rows.End() > v })
	c, err := r.chunk(at)
	if err != nil {
		return Row{}, err
	}
	return c.Row(v), nil
}

func (c *Chunk) Row(v uint64) Row {
	i := int(v - c.Rows.Base)
	if c.vertices != nil {
		var ok bool
		if i, ok = slices.BinarySearch(c.vertices, uint32(i)); !ok {
			return Row{Chunk: c}
		}
	}
	return Row{c, int(c.offsets[i]), int(c.offsets[i+1])}
}

// place is the row and the place in its chunk of entry number.
func (r *RowReader) place(number uint64) (v uint64, c *Chunk, at int, err error) {
	n := sort.Search(len(r.Chunks), func(i int) bool { return r.Starts[i+1] > number })
	if c, err = r.chunk(n); err != nil {
		return 0, nil, 0, err
	}
	at = int(number - c.Start)
	i := sort.Search(len(c.offsets)-1, func(i int) bool { return int(c.offsets[i+1]) > at })
	if c.vertices != nil {
		return c.Rows.Base + uint64(c.vertices[i]), c, at, nil
	}
	return c.Rows.Base + uint64(i), c, at, nil
}

// Number is that of the k-th of the entries that lead to a neighbor.
func (r Row) Number(neighbor uint64, k int) uint64 {
	at, _ := slices.BinarySearch(r.Neighbors[r.From:r.To], uint32(neighbor))
	return r.Start + uint64(r.From+at+k)
}

// chunk is chunk i with its types.
func (r *RowReader) chunk(i int) (*Chunk, error) {
	if c := r.slots[i].Load(); c != nil {
		c.touch()
		return c, nil
	}
	return r.open(i, &r.slots[i], func(name string) bool { return name == manifest.TypeColumn })
}

// Whole is the chunk that entry number is in, with all columns.
func (r *RowReader) Whole(number uint64) (*Chunk, error) {
	i := sort.Search(len(r.Chunks), func(i int) bool { return r.Starts[i+1] > number })
	if c := r.full[i].Load(); c != nil {
		c.touch()
		return c, nil
	}
	return r.open(i, &r.full[i], func(string) bool { return true })
}

// Property is one of entry number; null: it has none.
func (c *Chunk) Property(number uint64, key Token) value.Value {
	if int(key) >= len(c.properties) || c.properties[key] == nil {
		return value.Value{}
	}
	return c.properties[key](int(number - c.Start))
}

// Has tells whether entry number is in the chunk.
func (c *Chunk) Has(number uint64) bool { return number-c.Start < uint64(len(c.Neighbors)) }

// open reads chunk i with some columns and puts it in its slot.
func (r *RowReader) open(i int, slot *atomic.Pointer[Chunk], want func(string) bool) (*Chunk, error) {
	s, info := r.snapshot, r.Chunks[i]
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
		return nil, &failure.DamagedError{Graph: s.Manifest().Graph, Kind: info.Direction.String() + "-chunk",
			Number: int64(info.Number), Err: err}
	}
	o := &Chunk{
		cached: cached{of: s, bytes: int64(size), empty: func() { slot.Store(nil) }},
		Rows:   c.Meta().Rows, Start: r.Starts[i],
		vertices: c.Vertices(), offsets: c.Offsets(), Neighbors: c.Neighbors(),
	}
	if info.Direction != chunk.Out && slot == &r.slots[i] {
		o.Numbers = make([]atomic.Uint64, c.Edges())
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
func (o *Chunk) columns(r *RowReader, c *chunk.Chunk) error {
	o.Types = TypeCodes{Untyped: r.Untyped}
	for _, field := range c.Columns() {
		values, _ := c.Column(field.Name)
		if field.Name == manifest.TypeColumn {
			if !o.Types.Read(values, r.Types) {
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

// TypeCodes are the types of a chunk's entries.
type TypeCodes struct {
	short   []uint16
	long    []uint32
	nulls   arrow.Array // nil: there are none
	tokens  []Token
	Untyped Token
}

// Read keeps the codes of a type column; false: there are no such types.
func (t *TypeCodes) Read(codes arrow.Array, tokens []Token) bool {
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

// At is the type of an entry.
func (t *TypeCodes) At(i int) Token {
	switch {
	case t.nulls != nil && t.nulls.IsNull(i), t.short == nil && t.long == nil:
		return t.Untyped
	case t.short != nil:
		return t.tokens[t.short[i]]
	}
	return t.tokens[t.long[i]]
}
