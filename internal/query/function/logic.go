package function

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// And is false if either is, whatever the other.
func And(a, b value.Value) (value.Value, error) {
	if err := booleans("AND", a, b); err != nil {
		return value.Value{}, err
	}
	return decide(a, b, false), nil
}

// Or is true if either is, whatever the other.
func Or(a, b value.Value) (value.Value, error) {
	if err := booleans("OR", a, b); err != nil {
		return value.Value{}, err
	}
	return decide(a, b, true), nil
}

// decide is that which one operand is enough for; else null if any is, else the contrary.
func decide(a, b value.Value, enough bool) value.Value {
	switch {
	case !a.IsNull() && a.Bool() == enough, !b.IsNull() && b.Bool() == enough:
		return value.OfBool(enough)
	case a.IsNull() || b.IsNull():
		return value.Value{}
	}
	return value.OfBool(!enough)
}

// Xor is true if just one is.
func Xor(a, b value.Value) (value.Value, error) {
	if err := booleans("XOR", a, b); err != nil {
		return value.Value{}, err
	}
	if a.IsNull() || b.IsNull() {
		return null()
	}
	return value.OfBool(a.Bool() != b.Bool()), nil
}

// Not is the contrary.
func Not(a value.Value) (value.Value, error) {
	if err := booleans("NOT", a); err != nil || a.IsNull() {
		return value.Value{}, err
	}
	return value.OfBool(!a.Bool()), nil
}

// IsNull is IS NULL.
func IsNull(a value.Value) (value.Value, error) { return value.OfBool(a.IsNull()), nil }

// IsNotNull is IS NOT NULL.
func IsNotNull(a value.Value) (value.Value, error) { return value.OfBool(!a.IsNull()), nil }

func booleans(op string, operands ...value.Value) error {
	for _, v := range operands {
		if v.Kind() != value.Bool && !v.IsNull() {
			return fault.Met(fault.TypeError, "InvalidArgumentType", "%s takes Boolean, not the %s %s", op, v.Kind(), short(v))
		}
	}
	return nil
}
