package function

import (
	"unsafe"

	"github.com/penstock-db/penstock/formats/value"
)

// Add is + where memory is counted: a statement can double a string or list at each step, so
// the result is asked for before it is made.
func (c *Call) Add(a, b value.Value) (value.Value, error) {
	if bytes := joined(a, b); bytes > 0 {
		if err := c.charge(bytes); err != nil {
			return value.Value{}, err
		}
	}
	return Add(a, b)
}

// joined is how many bytes a string or list takes that is put together.
func joined(a, b value.Value) int64 {
	switch {
	case a.IsNull() || b.IsNull():
		return 0
	case a.Kind() == value.List || b.Kind() == value.List:
		return (length(a) + length(b)) * int64(unsafe.Sizeof(value.Value{}))
	case a.Kind() == value.String || b.Kind() == value.String:
		return length(a) + length(b)
	}
	return 0
}

// length of a string in bytes, of a list in elements; 1 of all else.
func length(v value.Value) int64 {
	switch v.Kind() {
	case value.String:
		return int64(len(v.Str()))
	case value.List:
		return int64(len(v.List()))
	}
	return 1
}
