package chunk

import "github.com/apache/arrow/go/v15/arrow"

// schemaHeader is what a schema message says.
type schemaHeader struct {
	head
	sums        []uint64
	hasVertices bool
	columns     []arrow.Field
}

func decodeSchema(version uint32, message []byte) (schemaHeader, error) {
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
	return s, s.readMetadata(version, schema.tables(2))
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

func (s *schemaHeader) readMetadata(version uint32, pairs []table) error {
	values := make([]string, len(pairs))
	for i, pair := range pairs {
		values[i] = pair.text(1)
		if key := pair.text(0); i >= len(metadataKeys) || key != metadataKeys[i] {
			return corrupt("header", "unexpected metadata %q", key)
		}
	}
	if len(pairs) != len(metadataKeys) || pairs[0].in.bad {
		return corrupt("header", "%d metadata entries; expected %d", len(pairs), len(metadataKeys))
	}
	var err error
	if s.head, err = parseMetadata(version, values); err != nil {
		return err
	}
	s.sums, err = parseChecksums(values[len(values)-1])
	return err
}
