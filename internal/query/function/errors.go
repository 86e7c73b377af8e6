package function

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// refuse says that an argument is of no kind that the function takes.
func (f *Function) refuse(arg value.Value, takes Kinds) error {
	return fault.Met(fault.TypeError, "InvalidArgumentValue", "%s() takes %s, not the %s %s", f.Name, takes, arg.Kind(),
		short(arg))
}

// operands says that an operator can't be used with what is on its sides.
func operands(op string, a, b value.Value) error {
	return fault.Met(fault.TypeError, "InvalidArgumentType", "%s can't be used with the %s %s and the %s %s", op, a.Kind(),
		short(a), b.Kind(), short(b))
}

func outOfRange(format string, args ...any) error {
	return fault.Met(fault.ArgumentError, "NumberOutOfRange", format, args...)
}

func overflow(format string, args ...any) error {
	return fault.Met(fault.ArithmeticError, "IntegerOverflow", format+" is beyond 64 bits: use floats", args...)
}

// short is the text of a value, cut for a message.
func short(v value.Value) string {
	const most = 60
	runes := []rune(v.Text())
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most]) + "…"
}
