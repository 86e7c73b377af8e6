package load

import (
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/generation"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// nodes are the properties and labels of the declared nodes. Where numbers are dense ids, properties are written as
// they come.
type nodes struct {
	columns []*generation.ColumnWriter
	rows    *nodeRows // nil: properties are stored as they come
	labels  labels
}

func newNodes() *nodes { return &nodes{labels: labels{sets: newNames()}} }

// begin begins the columns of these properties.
func (n *nodes) begin(g *generation.Generation, fields []arrow.Field) {
	for _, field := range fields {
		n.columns = append(n.columns, g.NewColumn(field))
	}
}

// append adds a batch's columns, of nodes that are numbered from first on; those it lacks are null. What is not written
// yet must fit memory.
func (n *nodes) append(b *formats.NodeBatch, first int, budget budget, memory int64) error {
	if n.rows != nil {
		return n.rows.append(uint32(first), b.Props, b.ID.Len())
	}
	held, largest := int64(0), int64(0)
	for _, w := range n.columns {
		if err := appendProperty(w, b.Props, uint64(b.ID.Len())); err != nil {
			return err
		}
		held, largest = held+w.Bytes, max(largest, w.Bytes)
	}
	return budget.checkText(nodeBlock, largest, held, memory)
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
	reason := fmt.Sprintf("was announced as %s and comes as %s", field.Type, values.DataType())
	return &failure.PropertyError{Name: field.Name, Reason: reason}
}

// finish gives the vertices that edges brought into being no properties, and ends the columns. memory is for putting
// properties in order.
func (n *nodes) finish(p *places, declared uint32, memory int64) (properties []manifest.Property, err error) {
	if n.rows != nil {
		err = n.rows.store(p, memory, n.columns)
	} else {
		err = n.pad(p.count - uint64(declared))
	}
	if err != nil {
		return nil, err
	}
	for _, w := range n.columns {
		column, err := w.Finish()
		if err != nil {
			return nil, err
		}
		property, err := manifest.NewProperty(w.Field)
		if err != nil {
			return nil, err
		}
		property.Column = column
		properties = append(properties, property)
	}
	return properties, nil
}

// pad appends rows without values.
func (n *nodes) pad(rows uint64) error {
	for _, w := range n.columns {
		if err := w.AppendNulls(rows); err != nil {
			return err
		}
	}
	return nil
}

// inMemory is how many bytes the spool of rows holds.
func (n *nodes) inMemory() int64 {
	if n.rows == nil {
		return 0
	}
	return n.rows.spool.InMemory()
}

// close lets go of what is not written.
func (n *nodes) close() error {
	for _, w := range n.columns {
		w.Abandon()
	}
	if n.rows == nil {
		return nil
	}
	return n.rows.spool.Close()
}
