package arrays

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/failure"
)

// patched is one column of some rows: most as they are in an array of the base, some with
// values that changes have set.
type patched struct {
	mem    memory.Allocator
	field  arrow.Field // of what is made
	base   arrow.Array // nil: there is none
	stored arrow.Field // of base
	read   Reader      // of base, if its values must be spelled in another way

	builder array.Builder
	kinds   []bool // of each run: its rows are in base
	starts  []int  // where it begins there or in the builder
	counts  []int
}

func NewPatched(mem memory.Allocator, field, stored arrow.Field, base arrow.Array) (*patched, error) {
	p := &patched{mem: mem, field: field, stored: stored, base: base, builder: array.NewBuilder(mem, field.Type)}
	if base != nil && (!arrow.TypeEqual(field.Type, stored.Type) || IsEncoded(field) != IsEncoded(stored) ||
		IsNumbers(field) != IsNumbers(stored)) {
		var ok bool
		if p.read, ok = NewReader(stored, base); !ok {
			return nil, Unstorable(field.Name, base.DataType())
		}
	}
	return p, nil
}

// Keep appends a row of the base.
func (p *patched) Keep(row int) error {
	if p.base == nil {
		return p.Set(value.Value{})
	}
	if p.read != nil {
		return p.Set(p.read(row))
	}
	p.row(true, row)
	return nil
}

// Set appends a row with a value.
func (p *patched) Set(v value.Value) error {
	at := p.builder.Len()
	if !appendValue(p.builder, p.field, v) {
		return &failure.PropertyError{Name: p.field.Name, Reason: "has a value of type " + v.Kind().String() +
			" that does not fit its column"}
	}
	p.row(false, at)
	return nil
}

// row notes that the next row is row at of base or of the builder.
func (p *patched) row(base bool, at int) {
	last := len(p.kinds) - 1
	if last >= 0 && p.kinds[last] == base && p.starts[last]+p.counts[last] == at {
		p.counts[last]++
		return
	}
	p.kinds, p.starts, p.counts = append(p.kinds, base), append(p.starts, at), append(p.counts, 1)
}

// Finish is the column. It may be called once; release is to be called in any case.
func (p *patched) Finish() (arrow.Array, error) {
	set := p.builder.NewArray()
	defer set.Release()
	parts := make([]arrow.Array, len(p.kinds))
	defer func() { ReleaseArrays(parts) }()
	for i, base := range p.kinds {
		from := set
		if base {
			from = p.base
		}
		parts[i] = array.NewSlice(from, int64(p.starts[i]), int64(p.starts[i]+p.counts[i]))
	}
	if len(parts) == 1 && parts[0].Data().Offset() == 0 && parts[0].Len() == p.lenOf(p.kinds[0], set) {
		parts[0].Retain()
		return parts[0], nil
	}
	if len(parts) == 0 {
		set.Retain()
		return set, nil
	}
	return array.Concatenate(parts, p.mem)
}

func (p *patched) lenOf(base bool, set arrow.Array) int {
	if base {
		return p.base.Len()
	}
	return set.Len()
}

func (p *patched) Release() { p.builder.Release() }
