// Package npy brings matrices that NumPy has written to the nodes of a graph, as properties.
//
//	Source ──nodes──▶ Attach ──nodes with a row each──▶ store
//	.npy   ──rows───▶
//
// Files are read from the beginning to the end, once. What is held are the rows of a batch: 8 MiB of numbers, or one
// row where that is more. Where the graph declares its nodes, rows are in that order. Where it has edges alone, the
// rows declare the nodes: those of the ids beside them, or 0, 1, 2 and so on.
package npy

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats"
)

// batchNumbers bounds the numbers of a batch.
const batchNumbers = 1 << 20

// Attach is source with vectors as properties of its nodes. It owns source, also when it fails.
//
// Errors: *formats.ParseError, *formats.LimitError.
func Attach(source formats.Source, vectors []formats.Vectors, opts formats.Options) (formats.Source, error) {
	a := &attached{Source: source, schema: source.Schema(), opts: opts}
	if err := a.open(vectors); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// attached is a source with vectors.
type attached struct {
	formats.Source
	schema  formats.Schema
	opts    formats.Options
	columns []*rows
	ids     []*rows // beside each of columns; nil: none
	step    int     // nodes of a batch
}

func (a *attached) open(vectors []formats.Vectors) error {
	a.step = formats.BatchRows
	var fields []arrow.Field
	if a.schema.Node != nil {
		fields = append(fields, a.schema.Node.Fields()...)
	}
	for _, v := range vectors {
		r, err := open(v.File, a.opts)
		if err != nil {
			return err
		}
		a.columns, a.ids = append(a.columns, r), append(a.ids, nil)
		for _, f := range fields {
			if f.Name == v.Property {
				return wrong(r.file, 0, fmt.Sprintf("property %q, which nodes have already", v.Property), "another name", nil)
			}
		}
		fields = append(fields, r.field(v.Property))
		a.step = min(a.step, max(1, batchNumbers/r.width))
		if first := a.columns[0]; r.rows != first.rows {
			return wrong(r.file, 0, fmt.Sprintf("%d rows", r.rows),
				fmt.Sprintf("%d, as %s has", first.rows, first.file.Path), nil)
		}
		if v.IDs != "" {
			if a.ids[len(a.ids)-1], err = openIDs(v.IDs, r, a.opts); err != nil {
				return err
			}
		}
	}
	a.schema.Node = arrow.NewSchema(fields, nil)
	if !a.schema.NodesDeclared {
		a.schema.NodesDeclared, a.schema.Vertices = true, a.columns[0].rows
	}
	return nil
}

// openIDs opens the ids beside rows.
func openIDs(path string, beside *rows, opts formats.Options) (*rows, error) {
	ids, err := open(path, opts)
	if err != nil {
		return nil, err
	}
	switch {
	case !ids.kind.integers || ids.list:
		err = wrong(ids.file, 0, "no list of integers", "an id for each row of "+beside.file.Path, nil)
	case ids.rows != beside.rows:
		err = wrong(ids.file, 0, fmt.Sprintf("%d ids", ids.rows),
			fmt.Sprintf("%d, as %s has rows", beside.rows, beside.file.Path), nil)
	}
	if err != nil {
		return nil, errors.Join(err, ids.file.Close())
	}
	return ids, nil
}

// Held is what the source holds.
func (a *attached) Held() int64 { return formats.Held(a.Source) }

func (a *attached) Schema() formats.Schema { return a.schema }

// Close closes the files and the source.
func (a *attached) Close() error {
	var errs []error
	for i, r := range a.columns {
		errs = append(errs, r.file.Close())
		if a.ids[i] != nil {
			errs = append(errs, a.ids[i].file.Close())
		}
	}
	return errors.Join(append(errs, a.Source.Close())...)
}

func (a *attached) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	nodes := int64(0)
	if a.Source.Schema().NodesDeclared {
		err := a.Source.Nodes(ctx, func(b *formats.NodeBatch) error {
			nodes += int64(b.ID.Len())
			return a.attach(ctx, b, yield)
		})
		if err != nil {
			return err
		}
	} else {
		nodes = a.columns[0].rows
		if err := a.declare(ctx, yield); err != nil {
			return err
		}
	}
	for i, r := range a.columns {
		if err := r.end(nodes); err != nil {
			return err
		}
		if a.ids[i] != nil {
			if err := a.ids[i].end(nodes); err != nil {
				return err
			}
		}
	}
	return nil
}

// attach hands a batch on, in pieces, each with its rows.
func (a *attached) attach(ctx context.Context, b *formats.NodeBatch, yield func(*formats.NodeBatch) error) error {
	for from := 0; from < b.ID.Len(); from += a.step {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+a.step, b.ID.Len())
		piece := formats.NodeBatch{ID: formats.IDs{Ints: b.ID.Ints[from:to]},
			Where: func(row int) formats.Position { return b.Where(from + row) }}
		if b.ID.Strings != nil {
			piece.ID.Strings = b.ID.Strings[from:to]
		}
		if b.Labels != nil {
			piece.Labels = b.Labels[from:to]
		}
		if err := checkIDs(a.ids, &piece); err != nil {
			return err
		}
		if err := a.fill(&piece, b.Props, from, yield); err != nil {
			return err
		}
	}
	return nil
}

// checkIDs compares the ids beside rows with those of nodes. A nil list is passed over.
func checkIDs(lists []*rows, piece *formats.NodeBatch) error {
	for _, ids := range lists {
		if ids == nil {
			continue
		}
		first := ids.done + 1
		b, err := ids.next(piece.ID.Len())
		if err != nil {
			return err
		}
		for i := range piece.ID.Len() {
			id := ids.kind.integer(b[i*ids.kind.size : (i+1)*ids.kind.size])
			if n, text := piece.ID.At(i); n != id || text != "" {
				return wrong(ids.file, first+int64(i), fmt.Sprintf("the id %d", id),
					fmt.Sprintf("%s, as at %s: rows in the order of the nodes", piece.ID.Text(i), piece.Where(i)), nil)
			}
		}
	}
	return nil
}

// fill adds rows to the properties of a piece, which are those of props from a row on, and hands it on.
func (a *attached) fill(piece *formats.NodeBatch, props arrow.Record, from int,
	yield func(*formats.NodeBatch) error) error {
	count := piece.ID.Len()
	var fields []arrow.Field
	var columns []arrow.Array
	if props != nil {
		slice := props.NewSlice(int64(from), int64(from+count))
		defer slice.Release()
		fields, columns = append(fields, slice.Schema().Fields()...), append(columns, slice.Columns()...)
	}
	all := a.schema.Node.Fields()
	for i, r := range a.columns {
		column, err := r.read(a.opts.Mem(), count)
		if err != nil {
			return err
		}
		defer column.Release()
		fields, columns = append(fields, all[len(all)-len(a.columns)+i]), append(columns, column)
	}
	piece.Props = array.NewRecord(arrow.NewSchema(fields, nil), columns, int64(count))
	defer piece.Props.Release()
	return yield(piece)
}

// declare makes a node of each row: of a graph that has edges alone.
func (a *attached) declare(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	err := a.Source.Nodes(ctx, func(b *formats.NodeBatch) error {
		return wrong(a.columns[0].file, 0, "rows of a graph that names some of its nodes, as at "+b.Where(0).String(),
			"a graph that names all of them, or none", nil)
	})
	if err != nil {
		return err
	}
	r := a.columns[0]
	for first := int64(0); first < r.rows; first += int64(a.step) {
		if err := ctx.Err(); err != nil {
			return err
		}
		piece := formats.NodeBatch{Where: func(row int) formats.Position { return r.at(first + int64(row) + 1) }}
		if err := a.number(&piece, first, int(min(int64(a.step), r.rows-first))); err != nil {
			return err
		}
		if err := a.fill(&piece, nil, 0, yield); err != nil {
			return err
		}
	}
	return nil
}

// number gives a piece of count nodes their ids: those beside the first vectors that have some, which the others must
// agree with, or numbers from first on.
func (a *attached) number(piece *formats.NodeBatch, first int64, count int) error {
	for k, ids := range a.ids {
		if ids == nil {
			continue
		}
		b, err := ids.next(count)
		if err != nil {
			return err
		}
		for i := range count {
			piece.ID.AppendInt(ids.kind.integer(b[i*ids.kind.size : (i+1)*ids.kind.size]))
		}
		return checkIDs(a.ids[k+1:], piece)
	}
	for i := range int64(count) {
		piece.ID.AppendInt(first + i)
	}
	return nil
}
