package encoding

import "github.com/apache/arrow/go/v15/arrow"

func (h *Header) readSchema(message []byte) error {
	in := &flatbuffer{bytes: message}
	schema := messageHeader(in, schemaTag)
	fields := schema.tables(1)
	if len(fields) == 2 {
		h.HasVertices = isField(fields[0], vertexField)
	}
	if in.bad || schema.integer(0, 2) != 0 || len(fields) == 0 || len(fields) > 2 || h.HasVertices != (len(fields) == 2) {
		return Corrupt("header", "not a chunk's Arrow schema")
	}
	if err := h.readColumns(fields[len(fields)-1]); err != nil {
		return err
	}
	return h.readMetadata(schema.tables(2))
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
func (h *Header) readColumns(edges table) error {
	items := edges.tables(5)
	if edges.text(0) != "edges" || edges.integer(1, 1) != 0 || edges.integer(2, 1) != tagList || len(items) != 1 ||
		items[0].text(0) != "item" || items[0].integer(1, 1) != 0 || items[0].integer(2, 1) != tagStruct {
		return Corrupt("header", "edges are not a list of structs")
	}
	fields := items[0].tables(5)
	if len(fields) == 0 || !isField(fields[0], neighborField) {
		return Corrupt("header", "neighbor is not the first field of edges")
	}
	for _, t := range fields[1:] {
		field, ok := readField(t, 1)
		if !ok || !field.Nullable {
			return Corrupt("header", "edge column %q has a type that a chunk cannot hold", field.Name)
		}
		h.Columns = append(h.Columns, field)
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

// readMetadata takes apart the pairs of the schema's metadata, of which the last is the checksums.
func (h *Header) readMetadata(pairs []table) error {
	for _, pair := range pairs {
		h.Keys, h.Values = append(h.Keys, pair.text(0)), append(h.Values, pair.text(1))
	}
	last := len(pairs) - 1
	if last < 0 || pairs[0].in.bad || h.Keys[last] != checksumsKey {
		return Corrupt("header", "%d metadata entries; the last is not %s", len(pairs), checksumsKey)
	}
	var err error
	h.sums, err = parseChecksums(h.Values[last])
	h.Keys, h.Values = h.Keys[:last], h.Values[:last]
	return err
}
