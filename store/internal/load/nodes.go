package load

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/generation"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// readNodes stores the declared nodes. In OrderNone their numbers are their dense ids,
// so that their properties can be written as they come.
func (l *loader) readNodes(ctx context.Context) error {
	if err := errors.Join(l.checkMemory(), l.checkDeclared()); err != nil {
		return err
	}
	fields := FieldsOf(l.schema.Node)
	for _, field := range fields {
		l.properties = append(l.properties, l.generation.NewColumn(field))
	}
	if len(fields) > 0 && l.manifest.Order.Taken != manifest.OrderNone {
		l.rows = newNodeRows(l, fields)
	}
	err := l.src.Nodes(ctx, func(b *formats.NodeBatch) error {
		if err := l.declare(b); err != nil {
			return err
		}
		l.label(b)
		if err := l.checkMemory(); err != nil {
			return err
		}
		return l.appendProperties(b)
	})
	l.declared = uint32(l.ids.len())
	if err == nil && l.rows != nil {
		err = l.rows.spool.Finish()
	}
	return err
}

// declare numbers the nodes of a batch.
func (l *loader) declare(b *formats.NodeBatch) error {
	for i := range b.ID.Len() {
		n, text := b.ID.At(i)
		if err := checkID(n, text, b.Where, i); err != nil {
			return err
		}
		if _, fresh := l.ids.number(n, text); !fresh {
			return &formats.ParseError{
				Position: b.Where(i),
				Found:    fmt.Sprintf("node %s is declared a second time", shown(b.ID.Text(i))),
				Expected: "each node once",
			}
		}
	}
	return l.checkVertices()
}

func (l *loader) checkVertices() error {
	if n := l.ids.len(); n > manifest.MaxVertices {
		return &failure.TooLargeError{What: "vertices", Size: uint64(n), Limit: manifest.MaxVertices}
	}
	return nil
}

// checkID refuses ids that cannot be stored; where is asked with row for the place.
func checkID(n int64, text string, where func(int) formats.Position, row int) error {
	switch {
	case n < 0:
		return &formats.ParseError{Position: where(row), Found: fmt.Sprintf("vertex id %d", n), Expected: "an integer from 0 to 9223372036854775807 or a string"}
	case len(text) > formats.MaxID:
		return formats.LongID(where(row))
	}
	return nil
}

// shown is an id in an error, cut where it is too long to read.
func shown(id string) string {
	const most = 60
	if len(id) <= most {
		return id
	}
	return strings.ToValidUTF8(id[:most], "") + "…"
}

// label notes the label sets of a batch's nodes. Codes are kept only from the first label on.
func (l *loader) label(b *formats.NodeBatch) {
	if b.Labels == nil {
		return
	}
	l.padLabels(l.ids.len() - b.ID.Len())
	for _, set := range b.Labels {
		l.labels = append(l.labels, l.labelSets.code(set))
	}
}

// padLabels gives the nodes before number end that have no code yet no label.
func (l *loader) padLabels(end int) {
	for len(l.labels) < end {
		l.labels = append(l.labels, l.labelSets.code(""))
	}
}

// appendProperties adds a batch's columns; those it lacks are null.
func (l *loader) appendProperties(b *formats.NodeBatch) error {
	if n := b.ID.Len(); l.rows != nil {
		return l.rows.append(uint32(l.ids.len()-n), b.Props, n)
	}
	held, largest := int64(0), int64(0)
	for _, w := range l.properties {
		if err := appendProperty(w, b.Props, uint64(b.ID.Len())); err != nil {
			return err
		}
		held, largest = held+w.Bytes, max(largest, w.Bytes)
	}
	return l.checkText(nodeBlock, largest, held, l.room(l.tableBytes())-l.held())
}

func appendProperty(w *generation.ColumnWriter, props arrow.Record, rows uint64) error {
	if props == nil {
		return w.AppendNulls(rows)
	}
	at := props.Schema().FieldIndices(w.Field.Name)
	if len(at) == 0 {
		return w.AppendNulls(rows)
	}
	values := props.Column(at[0])
	if !arrow.TypeEqual(values.DataType(), w.Field.Type) {
		return mistyped(w.Field, values)
	}
	return w.Append(values)
}

func mistyped(field arrow.Field, values arrow.Array) error {
	return &failure.PropertyError{Name: field.Name, Reason: fmt.Sprintf("was announced as %s and comes as %s", field.Type, values.DataType())}
}

// finishNodes gives the vertices that edges brought into being no properties and no
// labels, and ends the columns.
func (l *loader) finishNodes(context.Context) error {
	m := l.manifest
	if err := l.finishRows(); err != nil {
		return err
	}
	for _, w := range l.properties {
		column, err := w.Finish()
		if err != nil {
			return err
		}
		p, err := manifest.NewProperty(w.Field)
		if err != nil {
			return err
		}
		p.Column = column
		m.NodeProperties = append(m.NodeProperties, p)
	}
	return l.writeLabels()
}

// finishRows completes the rows of the property columns.
func (l *loader) finishRows() error {
	if l.rows != nil {
		return l.rows.store(l.manifest.Vertices, l.denseID, l.room(l.keptBytes())-l.held(), l.properties)
	}
	for _, w := range l.properties {
		if err := w.AppendNulls(l.manifest.Vertices - uint64(l.declared)); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) writeLabels() (err error) {
	if len(l.labels) == 0 {
		return nil
	}
	l.padLabels(int(l.manifest.Vertices))
	l.manifest.LabelSets.Sets = l.labelSets.list
	l.manifest.Labels = distinctLabels(l.labelSets.list)
	l.manifest.LabelSets.Column, err = generation.WriteColumn(l.generation, "labels", arrow.PrimitiveTypes.Uint32, l.byDense(l.labels))
	return err
}

// distinctLabels are the labels in sets, in the order in which they were first met.
func distinctLabels(sets []string) []string {
	labels := newNames()
	for _, set := range sets {
		for label := range strings.SplitSeq(set, ";") {
			if label != "" {
				labels.code(label)
			}
		}
	}
	return labels.list
}
