package arrays

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/formats/value"
)

// SourceField is a field as a Source has it: text for encoded values, which only we could read.
func SourceField(stored arrow.Field) arrow.Field {
	if IsEncoded(stored) {
		return arrow.Field{Name: stored.Name, Type: arrow.BinaryTypes.String, Nullable: true}
	}
	return stored
}

// SourceValues are the values of a column as a Source has them; it takes over values.
func SourceValues(mem memory.Allocator, stored arrow.Field, values arrow.Array) arrow.Array {
	if !IsEncoded(stored) {
		return values
	}
	defer values.Release()
	read, _ := NewReader(stored, values) // encoded values can be read
	b := array.NewStringBuilder(mem)
	defer b.Release()
	for row := range values.Len() {
		if v := read(row); v.IsNull() {
			b.AppendNull()
		} else {
			b.Append(bareText(v))
		}
	}
	return b.NewArray()
}

// bareText is a value as openCypher writes it, but without quotes around all of it.
func bareText(v value.Value) string {
	if v.Kind() == value.String {
		return v.Str()
	}
	text := v.Text()
	if n := len(text); n >= 2 && text[0] == '\'' && text[n-1] == '\'' {
		return text[1 : n-1]
	}
	return text
}
