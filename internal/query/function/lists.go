package function

import (
	"slices"
	"unicode/utf8"
	"unsafe"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
)

func init() {
	Register(
		pure("size", 1, takes(text|list), size), pure("isEmpty", 1, takes(text|list|record), isEmpty),
		pure("head", 1, takes(list), head), pure("last", 1, takes(list), last), pure("tail", 1, takes(list), tail),
		pure("reverse", 1, takes(text|list), reverse), pure("keys", 1, takes(record), keys),
		pure("range", 2, takes(anything, anything, anything), rangeOf),
	)
}

func size(_ *Call, args []value.Value) (value.Value, error) {
	if args[0].Kind() == value.String {
		return value.OfInt(int64(utf8.RuneCountInString(args[0].Str()))), nil
	}
	return value.OfInt(int64(len(args[0].List()))), nil
}

func isEmpty(_ *Call, args []value.Value) (value.Value, error) {
	switch v := args[0]; v.Kind() {
	case value.String:
		return value.OfBool(v.Str() == ""), nil
	case value.Map:
		return value.OfBool(len(v.Map()) == 0), nil
	}
	return value.OfBool(len(args[0].List()) == 0), nil
}

func head(_ *Call, args []value.Value) (value.Value, error) { return at(args[0].List(), 0), nil }

func last(_ *Call, args []value.Value) (value.Value, error) { return at(args[0].List(), -1), nil }

func tail(_ *Call, args []value.Value) (value.Value, error) {
	elements := args[0].List()
	return value.OfList(elements[min(1, len(elements)):]), nil
}

func reverse(_ *Call, args []value.Value) (value.Value, error) {
	if args[0].Kind() == value.String {
		return value.OfString(reversed(args[0].Str())), nil
	}
	elements := slices.Clone(args[0].List())
	slices.Reverse(elements)
	return value.OfList(elements), nil
}

func keys(_ *Call, args []value.Value) (value.Value, error) {
	var names []string
	for _, e := range args[0].Map() {
		names = append(names, e.Key)
	}
	return texts(names), nil
}

// Progression is what range() is a list of: so many integers, each a step from the one before.
type Progression struct {
	First, Step int64
	Count       uint64
}

// At is the i-th integer, from 0.
func (p Progression) At(i uint64) int64 { return p.First + int64(i)*p.Step }

// ProgressionOf is the integers from the first argument to the second, which belongs to them, by
// steps of the third.
func ProgressionOf(args []value.Value) (Progression, error) {
	for _, arg := range args {
		if arg.Kind() != value.Int {
			return Progression{}, fault.Met(fault.ArgumentError, "InvalidArgumentType", "range() takes Integer, not the %s %s",
				arg.Kind(), short(arg))
		}
	}
	from, to, step := args[0].Int(), args[1].Int(), int64(1)
	if len(args) == 3 {
		step = args[2].Int()
	}
	if step == 0 {
		return Progression{}, outOfRange("range() can't go by steps of 0")
	}
	if from < to && step < 0 || from > to && step > 0 {
		return Progression{}, nil
	}
	distance := uint64(to) - uint64(from) // right also beyond 63 bits
	if step < 0 {
		distance = -distance
	}
	steps := distance / magnitude(step)
	const most = 1 << 40
	if steps >= most {
		return Progression{}, outOfRange("range() of %d elements is too long", steps)
	}
	return Progression{from, step, steps + 1}, nil
}

func rangeOf(call *Call, args []value.Value) (value.Value, error) {
	p, err := ProgressionOf(args)
	if err != nil {
		return value.Value{}, err
	}
	if err := call.charge(int64(p.Count) * int64(unsafe.Sizeof(value.Value{}))); err != nil {
		return value.Value{}, err
	}
	elements := make([]value.Value, p.Count)
	for i := range elements {
		elements[i] = value.OfInt(p.At(uint64(i)))
	}
	return value.OfList(elements), nil
}
