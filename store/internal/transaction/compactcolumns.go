package transaction

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/delta"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// compactColumn is a property column as it was and as it will be.
type compactColumn struct {
	key    base.Token
	field  arrow.Field        // as it will be
	stored arrow.Field        // as it is in the base
	base   *manifest.Property // nil: it is new
}

// compactColumns are the base's columns, which keep their types where these hold the values
// that were set, and columns for new keys. set is all values that were set, by key.
func compactColumns(properties []manifest.Property, set map[base.Token][]value.Value,
	keys *base.Vocabulary) ([]compactColumn, error) {
	var columns []compactColumn
	for i := range properties {
		p := &properties[i]
		stored, err := p.Field()
		if err != nil {
			return nil, err
		}
		c := compactColumn{key: keys.Token(p.Name), field: stored, stored: stored, base: p}
		if !arrays.IsEncoded(stored) && !arrays.Holds(stored, set[c.key]) {
			c.field = arrays.EncodedField(p.Name)
		}
		delete(set, c.key)
		columns = append(columns, c)
	}
	for key := range keys.All() { // in an order that does not change from run to run
		if values := set[base.Token(key)]; len(values) > 0 {
			columns = append(columns, compactColumn{key: base.Token(key),
				field: arrays.FieldFor(keys.Name(base.Token(key)), values)})
		}
	}
	return columns, nil
}

// setValues adds the values of a record, but for nulls.
func setValues(set map[base.Token][]value.Value, properties []delta.Property) {
	for _, p := range properties {
		if !p.Value.IsNull() {
			set[p.Key] = append(set[p.Key], p.Value)
		}
	}
}

// schemaOfColumns is nil where there are none.
func schemaOfColumns(columns []compactColumn) *arrow.Schema {
	if len(columns) == 0 {
		return nil
	}
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = c.field
	}
	return arrow.NewSchema(fields, nil)
}

// compactRow is a row of a batch: where it is in the base, and what was set.
type compactRow struct {
	at  int // -1: it is new
	set []delta.Property
}

// compactRecord makes the record of a batch. base gives each column's values in the base.
func compactRecord(mem memory.Allocator, columns []compactColumn, rows []compactRow,
	base func(compactColumn) (arrow.Array, error)) (arrow.Record, error) {
	made := make([]arrow.Array, 0, len(columns))
	defer func() { arrays.ReleaseArrays(made) }()
	for _, c := range columns {
		values, err := c.make(mem, rows, base)
		if err != nil {
			return nil, err
		}
		made = append(made, values)
	}
	return array.NewRecord(schemaOfColumns(columns), made, int64(len(rows))), nil
}

// make is the column's values in these rows.
func (c compactColumn) make(mem memory.Allocator, rows []compactRow,
	base func(compactColumn) (arrow.Array, error)) (arrow.Array, error) {
	var before arrow.Array
	if c.base != nil {
		var err error
		if before, err = base(c); err != nil {
			return nil, err
		}
		if before != nil {
			defer before.Release()
		}
	}
	p, err := arrays.NewPatched(mem, c.field, c.stored, before)
	if err != nil {
		return nil, err
	}
	defer p.Release()
	for _, row := range rows {
		if v, ok := delta.Lookup(row.set, c.key); ok || row.at < 0 {
			err = p.Set(v)
		} else {
			err = p.Keep(row.at)
		}
		if err != nil {
			return nil, err
		}
	}
	return p.Finish()
}
