package projection

import (
	"context"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// Linked are relationships of a type that a projection has beside those of the graph: what an algorithm has found. They
// lead one way, whatever the projection's orientation; beside them, relationships that lead both ways are two each.
// What the graph has of this type is not in the projection. They take 8 bytes each, and 8 for each value.
type Linked struct {
	Numbers    uint64 // of the snapshot that the dense ids are of: see manifest.Manifest
	Type       string
	From, To   []uint32 // dense ids
	Properties []LinkedProperty
}

// LinkedProperty is a property of linked relationships: a value of each.
type LinkedProperty struct {
	Name   string
	Values []float64
}

// LinkedPropertyError says that a property of linked relationships has the name of one of the graph's that does not
// hold numbers alone.
type LinkedPropertyError struct{ Graph, Property string }

func (e *LinkedPropertyError) Error() string {
	return fmt.Sprintf("relationships of graph %q have a property %s already, which does not hold numbers alone: "+
		"choose another name", e.Graph, e.Property)
}

// Linkable fails with a *LinkedPropertyError where a property of linked relationships would be of numbers, and of
// something else.
func (p Projection) Linkable(m *manifest.Manifest) error {
	own, err := p.edgeFields(m)
	if err != nil {
		return err
	}
	for _, l := range p.asked() {
		for _, property := range l.Properties {
			for _, f := range own {
				if f.Name == property.Name && !arrow.IsInteger(f.Type.ID()) && !arrow.IsFloating(f.Type.ID()) {
					return &LinkedPropertyError{m.Graph, property.Name}
				}
			}
		}
	}
	return nil
}

// edgeFields are the properties of the graph's relationships, or of those that are drawn up.
func (p Projection) edgeFields(m *manifest.Manifest) (all []arrow.Field, err error) {
	if p.Drawn != nil {
		return fields(p.Drawn.Relationships), nil
	}
	for _, property := range m.EdgeProperties {
		f, err := property.Field()
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// linkedTypes are the types of linked relationships.
func (p Projection) linkedTypes() (all []string) {
	for _, l := range p.Linked {
		all = append(all, l.Type)
	}
	return all
}

// asked are the linked relationships of the types that are asked for.
func (p Projection) asked() (all []Linked) {
	for _, l := range p.Linked {
		if len(p.Types) == 0 || slices.Contains(p.Types, l.Type) {
			all = append(all, l)
		}
	}
	return all
}

// takes tells of a type whether the graph's relationships of it are in the part.
func (p Projection) takes() func(typ string) bool {
	wanted, linked := map[string]bool{}, map[string]bool{}
	for _, name := range p.Types {
		wanted[name] = true
	}
	for _, name := range p.linkedTypes() {
		linked[name] = true
	}
	return func(typ string) bool { return (len(wanted) == 0 || wanted[typ]) && !linked[typ] }
}

// linkedOnly tells whether no relationship of the graph is in the part.
func (p Projection) linkedOnly() bool {
	return len(p.Types) > 0 && !slices.ContainsFunc(p.Types, p.takes())
}

// edgeSchema has the properties of the part's relationships: those of the graph, or that are drawn up, and those of
// linked ones, which are numbers of double precision for all.
func (s *source) edgeSchema(own *arrow.Schema) *arrow.Schema {
	if len(s.linked) == 0 {
		return own
	}
	var all []arrow.Field
	if own != nil && !s.part.linkedOnly() {
		all = slices.DeleteFunc(own.Fields(), func(f arrow.Field) bool { return s.ofLinked(f.Name) })
	}
	for _, l := range s.linked {
		for _, property := range l.Properties {
			if !slices.ContainsFunc(all, func(f arrow.Field) bool { return f.Name == property.Name }) {
				all = append(all, number(property.Name))
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	return arrow.NewSchema(all, nil)
}

// number is a field of numbers of double precision.
func number(name string) arrow.Field {
	return arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64, Nullable: true}
}

// ofLinked tells whether linked relationships have a property.
func (s *source) ofLinked(name string) bool {
	return slices.ContainsFunc(s.linked, func(l Linked) bool {
		return slices.ContainsFunc(l.Properties, func(p LinkedProperty) bool { return p.Name == name })
	})
}

// asNumbers is a record of the graph's relationships, or of drawn ones, with double precision where linked ones have
// it.
func (s *source) asNumbers(record arrow.Record) (arrow.Record, error) {
	if record == nil {
		return nil, nil
	}
	var columns []arrow.Array
	defer func() { arrays.ReleaseArrays(columns) }()
	all := slices.Clone(record.Schema().Fields())
	for i, f := range all {
		column := record.Column(i)
		read, ok := arrays.NewReader(f, column)
		if !ok || !s.ofLinked(f.Name) {
			column.Retain()
			columns = append(columns, column)
			continue
		}
		values := make([]value.Value, column.Len())
		for row := range values {
			if v := read(row); v.Kind() == value.Int {
				values[row] = value.OfFloat(float64(v.Int()))
			} else {
				values[row] = v
			}
		}
		all[i] = number(f.Name)
		column, err := arrays.Of(s.mem, all[i], values)
		if err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	return array.NewRecord(arrow.NewSchema(all, nil), columns, record.NumRows()), nil
}

// own yields a batch of the graph's relationships, or of drawn ones; beside linked ones once more the other way, where
// they lead both ways.
func (s *source) own(b *formats.EdgeBatch, yield func(*formats.EdgeBatch) error) (err error) {
	if len(s.linked) == 0 {
		return yield(b)
	}
	some := *b
	if some.Props, err = s.asNumbers(b.Props); err != nil {
		return err
	}
	defer release(some.Props)
	if err := yield(&some); err != nil || !s.bothWays {
		return err
	}
	var rows []int
	for i := range b.SrcNumbers {
		if b.SrcNumbers[i] != b.DstNumbers[i] {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	back := formats.EdgeBatch{Src: idsOf(b.Dst, rows), Dst: idsOf(b.Src, rows), Types: textsOf(b.Types, rows),
		Where: b.Where, Props: recordOf(some.Props, rows)}
	defer release(back.Props)
	for _, i := range rows {
		back.SrcNumbers, back.DstNumbers = append(back.SrcNumbers, b.DstNumbers[i]), append(back.DstNumbers, b.SrcNumbers[i])
	}
	return yield(&back)
}

// links yields linked relationships.
func (s *source) links(ctx context.Context, l Linked, yield func(*formats.EdgeBatch) error) error {
	where := func(int) formats.Position {
		return formats.Position{File: "relationships " + l.Type + " of a projection of " + s.part.whole.Manifest().Graph}
	}
	for from := 0; from < len(l.From); from += formats.BatchRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := &formats.EdgeBatch{Where: where}
		values := make([][]float64, len(l.Properties))
		for i := from; i < min(from+formats.BatchRows, len(l.From)); i++ {
			source, target := s.number(int64(l.From[i])), s.number(int64(l.To[i]))
			if source == outside || target == outside {
				continue
			}
			b.SrcNumbers, b.DstNumbers = append(b.SrcNumbers, source), append(b.DstNumbers, target)
			b.Src.AppendRow(s.ids, int(source))
			b.Dst.AppendRow(s.ids, int(target))
			b.Types = append(b.Types, l.Type)
			for k, property := range l.Properties {
				values[k] = append(values[k], property.Values[i])
			}
		}
		if len(b.Types) == 0 {
			continue
		}
		if err := s.linkedBatch(b, l.Properties, values, yield); err != nil {
			return err
		}
	}
	return nil
}

// linkedBatch yields a batch with the values of its properties.
func (s *source) linkedBatch(b *formats.EdgeBatch, properties []LinkedProperty, values [][]float64,
	yield func(*formats.EdgeBatch) error) error {
	var columns []arrow.Array
	var all []arrow.Field
	defer func() { arrays.ReleaseArrays(columns) }()
	for k, property := range properties {
		column := array.NewFloat64Builder(s.mem)
		column.AppendValues(values[k], nil)
		columns = append(columns, column.NewArray())
		column.Release()
		all = append(all, number(property.Name))
	}
	b.Props = array.NewRecord(arrow.NewSchema(all, nil), columns, int64(len(b.Types)))
	defer b.Props.Release()
	return yield(b)
}
