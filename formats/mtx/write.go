package mtx

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats"
)

// Files are the names of what Write writes; the second only when ids are not 1 … n.
var Files = []string{"graph.mtx", "graph.ids.csv"}

// sizeWidth is the room kept for a number of the size line, which is known last.
const sizeWidth = 20

// Write writes src into graph.mtx in dir: an entry per edge, symmetric (entries on and
// below the diagonal) when src is undirected, else general. Vertices count from 1 in
// the order of src, nodes first; when users call them otherwise, graph.ids.csv lists
// the user's id of each. Entries are the property "weight", integer or real; without
// one the file is a pattern. Other properties, labels and types are left out.
//
// It holds all ids, about 50 bytes a vertex.
func Write(ctx context.Context, src formats.Source, dir string) (err error) {
	file, err := os.Create(filepath.Join(dir, Files[0]))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := &writer{out: bufio.NewWriterSize(file, 64<<10), numbers: newNumbering()}
	w.value, w.field = entryValue(src.Schema().Edge)
	w.symmetric = src.Schema().Orientation == formats.Undirected
	sizeAt := w.header()
	if err := w.entries(ctx, src); err != nil {
		return err
	}
	if err := w.out.Flush(); err != nil {
		return err
	}
	if _, err := file.WriteAt(sizeLine(w.numbers.len(), w.count), sizeAt); err != nil {
		return err
	}
	return w.numbers.write(filepath.Join(dir, Files[1]))
}

type writer struct {
	out       *bufio.Writer
	numbers   *numbering
	value     string // the edge property that is written, "" for none
	field     string // real, integer or pattern
	symmetric bool
	count     int64
	line      []byte
}

// entryValue picks the property that becomes the entries' value.
func entryValue(edge *arrow.Schema) (name, field string) {
	if edge != nil {
		for _, i := range edge.FieldIndices(formats.WeightColumn) {
			switch edge.Field(i).Type.ID() {
			case arrow.INT64:
				return formats.WeightColumn, "integer"
			case arrow.FLOAT64:
				return formats.WeightColumn, "real"
			}
		}
	}
	return "", "pattern"
}

// header writes what stands before the entries and returns where the size line is.
func (w *writer) header() int64 {
	symmetry := "general"
	if w.symmetric {
		symmetry = "symmetric"
	}
	text := fmt.Sprintf("%%%%MatrixMarket matrix coordinate %s %s\n", w.field, symmetry)
	if w.value != "" {
		text += fmt.Sprintf("%% values: edge property %q\n", w.value)
	}
	text += fmt.Sprintf("%% vertices count from 1; %s, when there is one, lists what the graph calls them\n", Files[1])
	fmt.Fprint(w.out, text, string(sizeLine(0, 0))) // an error stays in w.out until Flush
	return int64(len(text))
}

// sizeLine always has the same length, so that it can be written over.
func sizeLine(vertices int, entries int64) []byte {
	return fmt.Appendf(nil, "%-*d %-*d %-*d\n", sizeWidth, vertices, sizeWidth, vertices, sizeWidth, entries)
}

func (w *writer) entries(ctx context.Context, src formats.Source) error {
	err := src.Nodes(ctx, func(b *formats.NodeBatch) error {
		for i := range b.ID.Len() {
			w.numbers.of(b.ID, i)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return src.Edges(ctx, w.batch)
}

func (w *writer) batch(b *formats.EdgeBatch) error {
	value := func(line []byte, _ int) []byte { return line }
	if w.value != "" {
		var err error
		if value, err = w.values(b); err != nil {
			return err
		}
	}
	for i := range b.Src.Len() {
		row, column := w.numbers.of(b.Src, i), w.numbers.of(b.Dst, i)
		if w.symmetric && row < column {
			row, column = column, row
		}
		w.line = strconv.AppendInt(w.line[:0], row, 10)
		w.line = strconv.AppendInt(append(w.line, ' '), column, 10)
		w.line = append(value(w.line, i), '\n')
		if _, err := w.out.Write(w.line); err != nil {
			return err
		}
	}
	w.count += int64(b.Src.Len())
	return nil
}

// values returns what appends a blank and the value of a row. Matrix Market has no
// spelling for a missing value.
func (w *writer) values(b *formats.EdgeBatch) (func([]byte, int) []byte, error) {
	var column arrow.Array
	if b.Props != nil {
		for _, i := range b.Props.Schema().FieldIndices(w.value) {
			column = b.Props.Column(i)
		}
	}
	for i := range b.Src.Len() {
		if column == nil || column.IsNull(i) {
			return nil, fmt.Errorf("the edge from %s to %s has no %q, which Matrix Market cannot express", b.Src.Text(i),
				b.Dst.Text(i), w.value)
		}
	}
	switch column := column.(type) {
	case *array.Int64:
		return func(line []byte, i int) []byte { return strconv.AppendInt(append(line, ' '), column.Value(i), 10) }, nil
	case *array.Float64:
		for i, x := range column.Float64Values() {
			if math.IsInf(x, 0) || math.IsNaN(x) {
				return nil, fmt.Errorf("the edge from %s to %s has %q %v, which Matrix Market cannot express", b.Src.Text(i),
					b.Dst.Text(i), w.value, x)
			}
		}
		return func(line []byte, i int) []byte {
			return strconv.AppendFloat(append(line, ' '), column.Value(i), 'g', -1, 64)
		}, nil
	}
	return nil, fmt.Errorf("edge property %q is not of the type its schema tells", w.value)
}
