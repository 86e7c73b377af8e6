package load

import (
	"context"
	"encoding/binary"
	"math"
	"path/filepath"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/sorting"
)

// edgeSpool keeps all edges, as records with the numbers of their ends, until lists are made of them.
type edgeSpool struct {
	spool     *sorting.Spool
	forms     [2]recordForm // untyped, typed
	types     *names
	typeEdges []uint64 // by type code
	count     uint64   // of edges
}

func newEdgeSpool(dir string, memory int64, fields []arrow.Field) *edgeSpool {
	return &edgeSpool{
		spool: sorting.NewSpool(filepath.Join(dir, "edges"), memory),
		forms: [2]recordForm{newRecordForm(fields, false), newRecordForm(fields, true)},
		types: newNames(),
	}
}

// append spools the edges of a batch, whose integer ids exceed their numbers by shift if alike.
func (s *edgeSpool) append(b *formats.EdgeBatch, v *vertices, shift int64, alike bool) error {
	block, err := s.encode(b, v, shift, alike)
	if err != nil {
		return err
	}
	if err := v.checkCount(); err != nil {
		return err
	}
	s.count += uint64(b.Src.Len())
	return s.spool.Append(mark(b), block)
}

// keep ends the appending and holds no more than limit in memory.
func (s *edgeSpool) keep(limit int64) error {
	if err := s.spool.Keep(limit); err != nil {
		return err
	}
	return s.spool.Finish()
}

// mark is the index of a batch's record form.
func mark(b *formats.EdgeBatch) byte {
	if b.Types == nil {
		return 0
	}
	return 1
}

// encode makes the records of a batch.
func (s *edgeSpool) encode(b *formats.EdgeBatch, v *vertices, shift int64, alike bool) ([]byte, error) {
	form := &s.forms[mark(b)]
	v.degrees.grow(v.ids.len())
	block := s.spool.Room(b.Src.Len() * form.fixed)
	if alike && form.bare() {
		return encodePairs(block, b, &v.degrees, shift, form.fixed), nil
	}
	e, err := form.encoder(b.Props)
	if err != nil {
		return nil, err
	}
	if alike && form.exact {
		return s.encodeShifted(block, b, &e, &v.degrees, shift), nil
	}
	for i := range b.Src.Len() {
		source, err := v.end(b, b.Src, i)
		if err != nil {
			return nil, err
		}
		target, err := v.end(b, b.Dst, i)
		if err != nil {
			return nil, err
		}
		v.count(source, target)
		block = e.append(block, source, target, s.typeCode(b, i), i)
	}
	return block, nil
}

// encodeShifted appends a batch's records, all of one size, to block: column by column,
// and the ends' numbers are their ids less shift. It counts the edges' degrees.
func (s *edgeSpool) encodeShifted(block []byte, b *formats.EdgeBatch, e *encoder, d *degrees, shift int64) []byte {
	block = encodePairs(block, b, d, shift, e.fixed)
	if e.typed {
		for i := range b.Src.Len() {
			binary.LittleEndian.PutUint32(block[e.fixed*i+8:], s.typeCode(b, i))
		}
	}
	e.fill(block)
	return block
}

// encodePairs appends a batch's edges, whose ends' numbers are their ids less shift, to
// block: as records of some size, of which there are but the ends. It counts the edges' degrees.
func encodePairs(block []byte, b *formats.EdgeBatch, d *degrees, shift int64, size int) []byte {
	targets := b.Dst.Ints
	block = block[:size*len(targets)]
	for i, source := range b.Src.Ints[:len(targets)] {
		source, target := uint32(source-shift), uint32(targets[i]-shift)
		binary.LittleEndian.PutUint64(block[size*i:], uint64(source)|uint64(target)<<32)
		d.count(source, target)
	}
	return block
}

// typeCode is the code of an edge's type plus one; 0: it has none. It counts the edge.
func (s *edgeSpool) typeCode(b *formats.EdgeBatch, i int) uint32 {
	if b.Types == nil || b.Types[i] == "" {
		return 0
	}
	code := s.types.code(b.Types[i])
	if int(code) == len(s.typeEdges) {
		s.typeEdges = append(s.typeEdges, 0)
	}
	s.typeEdges[code]++
	return code + 1
}

// each yields every edge by dense ids, in input order.
func (s *edgeSpool) each(
	ctx context.Context, p *places, yield func(source, target uint32, rest []byte) error,
) error {
	return s.spool.Each(func(mark byte, block []byte) error {
		form := &s.forms[mark]
		for len(block) > 0 {
			size := form.size(block)
			source, target := binary.LittleEndian.Uint32(block), binary.LittleEndian.Uint32(block[4:])
			rest := s.alike(mark, block[8:size])
			if err := yield(p.denseID(source), p.denseID(target), rest); err != nil {
				return err
			}
			block = block[size:]
		}
		return ctx.Err()
	})
}

// alike is a record without its ends in the form of all edges, from a block of this mark.
func (s *edgeSpool) alike(mark byte, rest []byte) []byte {
	switch typed := s.form().typed; {
	case typed && !s.forms[mark].typed:
		return append(make([]byte, 4, 4+len(rest)), rest...)
	case !typed && s.forms[mark].typed:
		return rest[4:] // every type was empty
	}
	return rest
}

// form is how the records of the loaded graph look.
func (s *edgeSpool) form() *recordForm {
	if len(s.types.list) > 0 {
		return &s.forms[1]
	}
	return &s.forms[0]
}

// typeField is the edge column of relationship types.
func (s *edgeSpool) typeField() arrow.Field {
	t := arrow.PrimitiveTypes.Uint16
	if len(s.types.list) > math.MaxUint16 {
		t = arrow.PrimitiveTypes.Uint32
	}
	return arrow.Field{Name: manifest.TypeColumn, Type: t, Nullable: true}
}

// recordBytes is the average size of a record.
func (s *edgeSpool) recordBytes() int64 {
	form := s.form()
	if form.exact || s.count == 0 {
		return int64(form.fixed)
	}
	return max(int64(form.fixed), s.spool.Size/int64(s.count))
}

// entryBytes is what an entry of a list takes in a chunk; for columns of variable width, the average.
func (s *edgeSpool) entryBytes(d chunk.Direction) int64 {
	if d == chunk.In {
		return int64(s.form().fixed - 4)
	}
	return max(4, s.recordBytes()-4)
}

// sortBytes is what an entry takes while its bucket is sorted.
func (s *edgeSpool) sortBytes() int64 {
	const keys, numbers, starts = 16, 8, 8
	return keys + numbers + starts + s.recordBytes()
}
