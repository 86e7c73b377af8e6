package load

import (
	"encoding/binary"
	"fmt"
	"path/filepath"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/generation"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/sorting"
)

// nodeRows keeps the properties of declared nodes until the order of the vertices is
// known, and stores them in that order:
//
//	batches ─records─▶ spool ─scatter─▶ blocks of rows ─▶ columns
//
// What it holds counts towards LoadOptions.Memory.
type nodeRows struct {
	budget budget
	form   recordForm
	spool  *sorting.Spool
	rows   int64
}

func newNodeRows(b budget, dir string, fields []arrow.Field) *nodeRows {
	spool := sorting.NewSpool(filepath.Join(dir, "nodes"), b.room(0)/4)
	return &nodeRows{budget: b, form: newRecordForm(fields, false), spool: spool}
}

// append adds nodes numbered from first on; the columns that props lacks are null.
func (r *nodeRows) append(first uint32, props arrow.Record, rows int) error {
	e, err := r.form.encoder(props)
	if err != nil {
		return err
	}
	r.rows += int64(rows)
	block := make([]byte, 0, rows*r.form.fixed)
	for i := range rows {
		block = e.append(block, first+uint32(i), 0, 0, i)
	}
	return r.spool.Append(0, block)
}

// keep holds no more than limit in memory, once all rows are there.
func (r *nodeRows) keep(limit int64) error {
	if err := r.spool.Keep(limit); err != nil {
		return err
	}
	return r.spool.Finish()
}

// store appends a row for each of all vertices to the columns, which are in the order
// of the fields.
func (r *nodeRows) store(p *places, memory int64, columns []*generation.ColumnWriter) error {
	s := &sorting.Scatter{
		Dir: r.spool.Path + "-ordered", Memory: memory, Rests: r.spool.Size,
		NewSet: func(b sorting.Bucket, rests int64) (*sorting.EdgeSet, error) { return r.newSet(b, rests, memory) },
		Each:   func(yield func(row, _ uint32, rest []byte) error) error { return r.each(p.denseID, yield) },
		Emit:   func(b sorting.Bucket, set *sorting.EdgeSet) error { return r.emit(b, set, columns, memory) },
	}
	return s.Run(sorting.InBuckets(blocks(p.count), memory-r.making(), r.sortBytes()))
}

// blocks are the rows of a column's blocks.
func blocks(vertices uint64) (spans []sorting.Span) {
	for from := uint64(0); from < vertices; from += manifest.BlockRows {
		n := min(manifest.BlockRows, vertices-from)
		spans = append(spans, sorting.Span{Rows: chunk.Interval{Base: from, Count: n}, Present: n, Edges: n})
	}
	return spans
}

// making is what a block takes on average while columns are made of it.
func (r *nodeRows) making() int64 {
	rows := min(manifest.BlockRows, r.rows)
	if r.form.exact {
		return 2 * rows * r.sortBytes()
	}
	return textCopies * rows * r.recordBytes()
}

// recordBytes is the average size of a record.
func (r *nodeRows) recordBytes() int64 { return r.spool.Size / max(r.rows, 1) }

// sortBytes is what a row takes while its bucket is sorted.
func (r *nodeRows) sortBytes() int64 {
	const keys, numbers, starts = 16, 8, 8
	return keys + numbers + starts + r.recordBytes()
}

func (r *nodeRows) newSet(b sorting.Bucket, rests, memory int64) (*sorting.EdgeSet, error) {
	width := 0
	if r.form.exact {
		width = r.form.fixed - r.form.head()
		rests = int64(width) * int64(b.Edges)
	} else if err := r.budget.checkSet("a part of the node properties, to be put in order,", b, rests,
		memory); err != nil {
		return nil, err
	}
	return sorting.NewEdgeSet(b.Edges, width, rests), nil
}

func (r *nodeRows) each(dense func(uint32) uint32, yield func(row, _ uint32, rest []byte) error) error {
	return r.spool.Each(func(_ byte, block []byte) error {
		for len(block) > 0 {
			size := r.form.size(block)
			if err := yield(dense(binary.LittleEndian.Uint32(block)), 0, block[r.form.head():size]); err != nil {
				return err
			}
			block = block[size:]
		}
		return nil
	})
}

// nodeBlock is what is made of the properties of vertices at a time.
var nodeBlock = fmt.Sprintf("a block of %d rows of node properties", manifest.BlockRows)

// emit appends a bucket's rows; a vertex that has no record, because edges brought it
// into being, has no properties.
func (r *nodeRows) emit(b sorting.Bucket, set *sorting.EdgeSet, columns []*generation.ColumnWriter,
	memory int64) error {
	nulls, _ := r.form.encoder(nil) // cannot fail without columns
	blank := nulls.append(nil, 0, 0, 0, 0)[r.form.head():]
	next := uint64(0)
	for _, s := range b.Spans {
		reader := newRecordReader(r.form, arrow.Field{}, true, int(s.Rows.Count))
		for row := s.Rows.Base; row < s.Rows.End(); row++ {
			if next < uint64(len(set.Keys)) && set.Keys[next]>>32 == row {
				reader.append(set.Record(next))
				if err := r.budget.checkText(nodeBlock, reader.text, set.Bytes(), memory); err != nil {
					return err
				}
				next++
			} else {
				reader.append(blank)
			}
		}
		if err := appendColumns(columns, reader.columns()); err != nil {
			return err
		}
	}
	return nil
}

// appendColumns appends values to their columns and releases them.
func appendColumns(columns []*generation.ColumnWriter, values []chunk.EdgeColumn) error {
	defer release(values)
	for i, w := range columns {
		if err := w.Append(values[i].Values); err != nil {
			return err
		}
	}
	return nil
}
