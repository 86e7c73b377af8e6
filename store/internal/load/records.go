package load

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/sorting"
)

// A ref is where a record lies in the memory of a spool: block<<32 | place in the block.
// Refs ascend in the order of the input.

// appendRefs makes the entries of a block of records, in the memory of some.
func (p *pairs) appendRefs(some sorting.Entries, number int, block []byte, form *recordForm) sorting.Entries {
	some.Keys, some.Refs = some.Keys[:0], some.Refs[:0]
	for at := 0; at < len(block); at += form.size(block[at:]) {
		source := uint64(p.places.denseID(binary.LittleEndian.Uint32(block[at:])))
		target := uint64(p.places.denseID(binary.LittleEndian.Uint32(block[at+4:])))
		ref := uint64(number)<<32 | uint64(at)
		if p.direction != chunk.In {
			some.Keys, some.Refs = append(some.Keys, source<<32|target), append(some.Refs, ref)
		}
		if p.direction == chunk.In || p.direction == chunk.Both && source != target {
			some.Keys, some.Refs = append(some.Keys, target<<32|source), append(some.Refs, ref)
		}
	}
	return some
}

// sortRecords leaves the neighbors of a chunk's parts with the maker and gathers the
// columns; the caller releases them. Equal edges are in the order of the input.
func (p *pairs) sortRecords(parts []sorting.Span, all sorting.Entries, maker *pairsMaker) ([]chunk.EdgeColumn, error) {
	r := newRecordReader(p.form, p.edges.typeField(), p.direction != chunk.In, len(all.Keys))
	for _, part := range parts {
		refs := all.Refs[:part.Edges]
		maker.sortNumbered(all.Keys[:part.Edges])
		inInputOrder(maker.keys, maker.numbers, refs)
		for _, key := range maker.keys {
			maker.neighbors = append(maker.neighbors, uint32(key))
		}
		if err := p.gather(r, refs, maker); err != nil {
			return nil, err
		}
		all = all.Sub(part.Edges, all.Len())
	}
	return r.columns(), nil
}

// gatherRows is how many records are collected before they are read, so that the processor
// waits for many of them at a time: they lie wherever the input had them.
const gatherRows = 512

// gather reads the records of sorted entries.
func (p *pairs) gather(r *recordReader, refs []uint64, maker *pairsMaker) error {
	width := p.form.fixed - 8
	if p.direction != chunk.In && !p.form.exact {
		for _, number := range maker.numbers {
			r.append(p.record(refs[number]))
			if err := p.checkText(r, p.areaBytes()*int64(cap(p.area.Keys))); err != nil {
				return err
			}
		}
		return nil
	}
	for numbers := range slices.Chunk(maker.numbers, gatherRows) {
		maker.records = maker.records[:0]
		for _, number := range numbers {
			maker.records = append(maker.records, p.record(refs[number])[:width]...)
		}
		for i := range numbers {
			r.append(maker.records[i*width:])
		}
	}
	return nil
}

// sortNumbered leaves keys in order with the maker, and for each its place in keys.
func (m *pairsMaker) sortNumbered(keys []uint64) {
	m.keys = append(m.keys[:0], keys...)
	m.numbers = slices.Grow(m.numbers[:0], len(keys))[:len(keys)]
	for i := range m.numbers {
		m.numbers[i] = uint32(i)
	}
	m.keys, m.numbers = m.Sort(m.keys, m.numbers)
}

// inInputOrder sorts the numbers of equal keys by the refs that they are of.
func inInputOrder(keys []uint64, numbers []uint32, refs []uint64) {
	for from := 0; from < len(keys); {
		to := from + 1
		for to < len(keys) && keys[to] == keys[from] {
			to++
		}
		if to-from > 1 {
			slices.SortFunc(numbers[from:to], func(a, b uint32) int { return cmp.Compare(refs[a], refs[b]) })
		}
		from = to
	}
}

// record is the record at a ref, without its ends.
func (p *pairs) record(ref uint64) []byte {
	block := &p.edges.spool.Blocks[ref>>32]
	rest := block.Held[uint32(ref):]
	return p.edges.alike(block.Mark, rest[8:p.edges.forms[block.Mark].size(rest)])
}
