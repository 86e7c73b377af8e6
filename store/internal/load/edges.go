package load

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// readEdges spools all edges with the numbers of their ends, and counts degrees.
func (l *loader) readEdges(ctx context.Context) error {
	err := l.src.Edges(ctx, func(b *formats.EdgeBatch) error {
		block, err := l.encode(b)
		if err != nil {
			return err
		}
		if err := l.checkVertices(); err != nil {
			return err
		}
		l.manifest.Edges += uint64(b.Src.Len())
		return l.spool.Append(mark(b), block)
	})
	if err != nil {
		return err
	}
	l.manifest.Types, l.manifest.TypeEdges = l.types.list, l.typeEdges
	for _, field := range FieldsOf(l.schema.Edge) {
		p, err := manifest.NewProperty(field)
		if err != nil {
			return err
		}
		l.manifest.EdgeProperties = append(l.manifest.EdgeProperties, p)
	}
	if err := l.checkLeast(); err != nil {
		return err
	}
	return l.spool.Finish()
}

// mark is the index of a batch's record form.
func mark(b *formats.EdgeBatch) byte {
	if b.Types == nil {
		return 0
	}
	return 1
}

// encode makes the records of a batch.
func (l *loader) encode(b *formats.EdgeBatch) ([]byte, error) {
	form := &l.forms[mark(b)]
	shift, ok := l.shift(b)
	if err := l.checkMemory(); err != nil {
		return nil, err
	}
	l.makeDegrees()
	block := l.spool.Room(b.Src.Len() * form.fixed)
	if ok && form.bare() {
		return l.encodePairs(block, b, shift, form.fixed), nil
	}
	e, err := form.encoder(b.Props)
	if err != nil {
		return nil, err
	}
	if ok && form.exact {
		return l.encodeShifted(block, b, &e, shift), nil
	}
	for i := range b.Src.Len() {
		source, err := l.end(b, b.Src, i)
		if err != nil {
			return nil, err
		}
		target, err := l.end(b, b.Dst, i)
		if err != nil {
			return nil, err
		}
		l.makeDegrees()
		l.count(source, target)
		block = e.append(block, source, target, l.typeCode(b, i), i)
	}
	return block, nil
}

// end is the number of one end of an edge.
func (l *loader) end(b *formats.EdgeBatch, ids formats.IDs, i int) (uint32, error) {
	n, text := ids.At(i)
	if l.schema.NodesDeclared {
		number, ok := l.ids.find(n, text)
		if !ok {
			return 0, &formats.ParseError{
				Position: b.Where(i),
				Found:    fmt.Sprintf("edge %s → %s names node %s, which is not declared", shown(b.Src.Text(i)), shown(b.Dst.Text(i)), shown(ids.Text(i))),
				Expected: "only nodes of the node files",
			}
		}
		return number, nil
	}
	if err := checkID(n, text, b.Where, i); err != nil {
		return 0, err
	}
	number, _ := l.ids.number(n, text)
	return number, nil
}

// count adds an edge to the degrees. A self-loop stands in an undirected list once.
func (l *loader) count(source, target uint32) {
	l.out[source]++
	switch {
	case l.directed:
		l.in[target]++
	case source != target:
		l.out[target]++
	}
}

// makeDegrees makes a degree for every number.
func (l *loader) makeDegrees() {
	if n := l.ids.len(); len(l.out) < n {
		l.out = append(l.out, make([]uint32, n-len(l.out))...)
		if l.directed {
			l.in = append(l.in, make([]uint32, n-len(l.in))...)
		}
	}
}

// typeCode is the code of an edge's type plus one; 0: it has none. It counts the edge.
func (l *loader) typeCode(b *formats.EdgeBatch, i int) uint32 {
	if b.Types == nil || b.Types[i] == "" {
		return 0
	}
	code := l.types.code(b.Types[i])
	if int(code) == len(l.typeEdges) {
		l.typeEdges = append(l.typeEdges, 0)
	}
	l.typeEdges[code]++
	return code + 1
}

// edges yields every spooled edge by dense ids, in input order.
func (l *loader) edges(ctx context.Context, yield func(source, target uint32, rest []byte) error) error {
	return l.spool.Each(func(mark byte, block []byte) error {
		form := &l.forms[mark]
		for len(block) > 0 {
			size := form.size(block)
			source, target := binary.LittleEndian.Uint32(block), binary.LittleEndian.Uint32(block[4:])
			rest := l.alike(mark, block[8:size])
			if err := yield(l.denseID(source), l.denseID(target), rest); err != nil {
				return err
			}
			block = block[size:]
		}
		return ctx.Err()
	})
}

// alike is a record without its ends in the form of all edges, from a block of this mark.
func (l *loader) alike(mark byte, rest []byte) []byte {
	switch typed := l.form().typed; {
	case typed && !l.forms[mark].typed:
		return append(make([]byte, 4, 4+len(rest)), rest...)
	case !typed && l.forms[mark].typed:
		return rest[4:] // every type was empty
	}
	return rest
}

func (l *loader) denseID(number uint32) uint32 {
	if l.dense == nil {
		return number
	}
	return l.dense[number]
}
