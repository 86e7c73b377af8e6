package chunk

import (
	"encoding/binary"
	"math"

	"github.com/apache/arrow/go/v15/arrow"
)

// Open is a view over an encoded chunk, which must be all of buf, start at a multiple
// of 64 (*BufferError) and neither change nor go away while the view is used. Nothing
// is copied but names. The structure is checked, in microseconds: the header by its
// hash, every buffer's place and length, the first and last offset. What the buffers
// hold is for Verify and Validate. Damage is a *CorruptError, a chunk from the future
// a *VersionError.
func Open(buf []byte) (*Chunk, error) {
	if off := misaligned(buf); off != 0 {
		return nil, &BufferError{Need: len(buf), Have: len(buf), Misaligned: off}
	}
	if len(buf) < tailSize || len(buf)%alignment != 0 {
		return nil, corrupt("trailer", "%d bytes are no chunk: it is cut short or something else", len(buf))
	}
	header, err := readTrailer(buf)
	if err != nil {
		return nil, err
	}
	schema, batch, err := splitHeader(header)
	if err != nil {
		return nil, err
	}
	return decode(schema, batch, buf[len(header):len(buf)-tailSize])
}

// splitHeader takes the two messages out of their frames.
func splitHeader(header []byte) (schema, batch []byte, err error) {
	schema, rest, ok := cutFrame(header)
	if ok {
		batch, rest, ok = cutFrame(rest)
	}
	if !ok || len(rest) != 0 {
		return nil, nil, corrupt("header", "not two Arrow messages")
	}
	return schema, batch, nil
}

func cutFrame(b []byte) (message, rest []byte, ok bool) {
	if len(b) < frameSize || binary.LittleEndian.Uint32(b) != continuation {
		return nil, nil, false
	}
	n := int(binary.LittleEndian.Uint32(b[4:]))
	b = b[frameSize:]
	if n > len(b) {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}

func decode(schemaMessage, batchMessage, body []byte) (*Chunk, error) {
	s, err := decodeSchema(schemaMessage)
	if err != nil {
		return nil, err
	}
	r, err := newBodyReader(batchMessage, body)
	if err != nil {
		return nil, err
	}
	if len(s.sums) != len(r.spans) {
		return nil, corrupt("header", "%d checksums for %d buffers", len(s.sums), len(r.spans))
	}
	t := r.topology(s)
	columns := r.columns(s)
	defer releaseColumns(columns)
	if err := r.finish(); err != nil {
		return nil, err
	}
	if err := checkMeta(s.meta); err != nil {
		return nil, corrupt("header", "%v", err)
	}
	if err := checkLengths(s.meta, t); err != nil {
		return nil, corrupt("header", "%v", err)
	}
	return assemble(s.meta, s.stats, t, columns), nil
}

// schemaHeader is what a schema message says.
type schemaHeader struct {
	meta        Meta
	stats       Stats
	sums        []uint64
	hasVertices bool
	columns     []arrow.Field
}

func decodeSchema(message []byte) (schemaHeader, error) {
	in := &flatbuffer{bytes: message}
	schema := messageHeader(in, schemaTag)
	var s schemaHeader
	fields := schema.tables(1)
	if len(fields) == 2 {
		s.hasVertices = isField(fields[0], vertexField)
	}
	if in.bad || schema.integer(0, 2) != 0 || len(fields) == 0 || len(fields) > 2 || s.hasVertices != (len(fields) == 2) {
		return s, corrupt("header", "not a chunk's Arrow schema")
	}
	if err := s.readColumns(fields[len(fields)-1]); err != nil {
		return s, err
	}
	return s, s.readMetadata(schema.tables(2))
}

// messageHeader is the table inside a message of the given kind.
func messageHeader(in *flatbuffer, tag int64) table {
	message := in.root()
	if message.integer(0, 2) != metadataV5 || message.integer(1, 1) != tag {
		in.bad = true
	}
	return message.table(2)
}

// isField is true when the table spells exactly f, whose type has no children.
func isField(t table, f arrow.Field) bool {
	got, ok := readField(t, 0)
	return ok && got.Equal(f)
}

// readColumns takes the property columns out of edges: list<struct<neighbor, columns…>>.
func (s *schemaHeader) readColumns(edges table) error {
	items := edges.tables(5)
	if edges.text(0) != "edges" || edges.integer(1, 1) != 0 || edges.integer(2, 1) != tagList || len(items) != 1 ||
		items[0].text(0) != "item" || items[0].integer(1, 1) != 0 || items[0].integer(2, 1) != tagStruct {
		return corrupt("header", "edges are not a list of structs")
	}
	fields := items[0].tables(5)
	if len(fields) == 0 || !isField(fields[0], neighborField) {
		return corrupt("header", "neighbor is not the first field of edges")
	}
	for _, t := range fields[1:] {
		field, ok := readField(t, 1)
		if !ok || !field.Nullable {
			return corrupt("header", "edge column %q has a type that a chunk cannot hold", field.Name)
		}
		s.columns = append(s.columns, field)
	}
	return nil
}

// readField reads a field whose lists are nested at most depth deep.
func readField(t table, depth int) (arrow.Field, bool) {
	field := arrow.Field{Name: t.text(0), Nullable: t.integer(1, 1) != 0}
	tag := uint8(t.integer(2, 1))
	width, known := widths[tag]
	children := t.tables(5)
	if !known || len(children) > min(depth, 1) || t.in.bad {
		return field, false
	}
	var element *arrow.Field
	if len(children) == 1 {
		child, ok := readField(children[0], depth-1)
		if !ok {
			return field, false
		}
		element = &child
	}
	form, zone := readForm(t.table(3), tag, width)
	var ok bool
	field.Type, ok = typeOf(form, zone, element)
	return field, ok && !t.in.bad
}

func readForm(t table, tag uint8, width [2]int) (form, string) {
	f := form{tag: tag}
	if width[0] > 0 {
		f.a = int32(t.integer(0, width[0]))
	}
	if width[1] > 0 {
		f.b = int32(t.integer(1, width[1]))
	}
	if tag == tagTimestamp {
		return f, t.text(1)
	}
	return f, ""
}

func (s *schemaHeader) readMetadata(pairs []table) error {
	values := make([]string, len(pairs))
	for i, pair := range pairs {
		values[i] = pair.text(1)
		if i > len(metadataKeys) || pair.text(0) != append(metadataKeys[:], checksumsKey)[i] {
			return corrupt("header", "unexpected metadata %q", pair.text(0))
		}
	}
	if len(pairs) != len(metadataKeys)+1 || pairs[0].in.bad {
		return corrupt("header", "%d metadata entries; expected %d", len(pairs), len(metadataKeys)+1)
	}
	var err error
	if s.meta, s.stats, err = parseMetadata(values); err != nil {
		return err
	}
	if s.stats.Edges > maxEdges || s.stats.Rows > math.MaxInt32 {
		return corrupt("header", "%d rows and %d edges are more than a chunk holds", s.stats.Rows, s.stats.Edges)
	}
	s.sums, err = parseChecksums(values[len(metadataKeys)])
	return err
}
