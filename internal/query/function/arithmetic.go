package function

import (
	"math"
	"math/bits"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// Add is +: of numbers; of strings, and of a string and a scalar; of lists, and of a list and an
// element; of durations, and of a duration and a point in time.
func Add(a, b value.Value) (value.Value, error) {
	switch x, y := a.Kind(), b.Kind(); {
	case a.IsNull() || b.IsNull():
		return null()
	case x == value.Int && y == value.Int:
		return addIntegers(a.Int(), b.Int())
	case a.IsNumber() && b.IsNumber():
		return value.OfFloat(a.Number() + b.Number()), nil
	case x == value.List || y == value.List:
		return value.OfList(join(a, b)), nil
	case x == value.String && written.Has(y), y == value.String && written.Has(x):
		return value.OfString(plain(a) + plain(b)), nil
	}
	return addTemporal(a, b)
}

// Concatenate joins two strings or two lists, and nothing else.
func Concatenate(a, b value.Value) (value.Value, error) {
	if err := Concatenable(a, b); err != nil {
		return value.Value{}, err
	}
	return Add(a, b)
}

// Concatenable says what cannot be joined by ||.
func Concatenable(a, b value.Value) error {
	x, y := a.Kind(), b.Kind()
	if (x == y || a.IsNull() || b.IsNull()) && KindsOf(value.String, value.List, value.Null).Has(x) &&
		KindsOf(value.String, value.List, value.Null).Has(y) {
		return nil
	}
	return operands("||, which joins two strings or two lists,", a, b)
}

// written are the kinds that can be joined to a string.
var written = KindsOf(value.String, value.Int, value.Float, value.Bool, value.Point) | instant | duration

// join puts lists together; what is no list is an element.
func join(a, b value.Value) []value.Value {
	x, y := elements(a), elements(b)
	return append(append(make([]value.Value, 0, len(x)+len(y)), x...), y...)
}

func elements(v value.Value) []value.Value {
	if v.Kind() == value.List {
		return v.List()
	}
	return []value.Value{v}
}

func addIntegers(a, b int64) (value.Value, error) {
	sum := a + b
	if (sum > a) != (b > 0) && b != 0 {
		return value.Value{}, overflow("%d + %d", a, b)
	}
	return value.OfInt(sum), nil
}

// Subtract is -: of numbers, of durations, and of a point in time and a duration.
func Subtract(a, b value.Value) (value.Value, error) {
	switch {
	case a.IsNull() || b.IsNull():
		return null()
	case a.Kind() == value.Int && b.Kind() == value.Int:
		return subtractIntegers(a.Int(), b.Int())
	case a.IsNumber() && b.IsNumber():
		return value.OfFloat(a.Number() - b.Number()), nil
	}
	return subtractTemporal(a, b)
}

func subtractIntegers(a, b int64) (value.Value, error) {
	difference := a - b
	if (difference < a) != (b > 0) && b != 0 {
		return value.Value{}, overflow("%d - %d", a, b)
	}
	return value.OfInt(difference), nil
}

// Multiply is *: of numbers, and of a duration and a number.
func Multiply(a, b value.Value) (value.Value, error) {
	switch {
	case a.IsNull() || b.IsNull():
		return null()
	case a.Kind() == value.Int && b.Kind() == value.Int:
		return multiplyIntegers(a.Int(), b.Int())
	case a.IsNumber() && b.IsNumber():
		return value.OfFloat(a.Number() * b.Number()), nil
	}
	return multiplyTemporal(a, b)
}

// multiplyIntegers multiplies magnitudes, of which a negative product may have one more.
func multiplyIntegers(a, b int64) (value.Value, error) {
	negative := (a < 0) != (b < 0)
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	limit := uint64(math.MaxInt64)
	if negative {
		limit++
	}
	if high != 0 || low > limit {
		return value.Value{}, overflow("%d * %d", a, b)
	}
	return value.OfInt(a * b), nil
}

func magnitude(i int64) uint64 {
	if i < 0 {
		return -uint64(i)
	}
	return uint64(i)
}

// Divide is /: of integers without the remainder, of floats, and of a duration by a number.
func Divide(a, b value.Value) (value.Value, error) {
	switch {
	case a.IsNull() || b.IsNull():
		return null()
	case a.Kind() == value.Int && b.Kind() == value.Int:
		if a.Int() == math.MinInt64 && b.Int() == -1 {
			return value.Value{}, overflow("%d / -1", a.Int())
		}
		return divideIntegers(a, b, "/", func(x, y int64) int64 { return x / y })
	case a.IsNumber() && b.IsNumber():
		return value.OfFloat(a.Number() / b.Number()), nil
	}
	return divideTemporal(a, b)
}

// Modulo is %, with the sign of the dividend.
func Modulo(a, b value.Value) (value.Value, error) {
	switch {
	case a.IsNull() || b.IsNull():
		return null()
	case a.Kind() == value.Int && b.Kind() == value.Int:
		return divideIntegers(a, b, "%", func(x, y int64) int64 { return x % y })
	case a.IsNumber() && b.IsNumber():
		return value.OfFloat(math.Mod(a.Number(), b.Number())), nil
	}
	return value.Value{}, operands("%", a, b)
}

func divideIntegers(a, b value.Value, op string, divide func(x, y int64) int64) (value.Value, error) {
	if b.Int() == 0 {
		return value.Value{}, fault.Met(fault.ArithmeticError, "DivisionByZero",
			"%d %s 0: an integer can't be divided by zero", a.Int(), op)
	}
	return value.OfInt(divide(a.Int(), b.Int())), nil
}

// Power is ^, a float.
func Power(a, b value.Value) (value.Value, error) {
	switch {
	case a.IsNull() || b.IsNull():
		return null()
	case a.IsNumber() && b.IsNumber():
		return value.OfFloat(math.Pow(a.Number(), b.Number())), nil
	}
	return value.Value{}, operands("^", a, b)
}

// Negate is the - before a number.
func Negate(a value.Value) (value.Value, error) {
	switch a.Kind() {
	case value.Null:
		return null()
	case value.Int:
		return subtractIntegers(0, a.Int())
	case value.Float:
		return value.OfFloat(-a.Float()), nil
	}
	return value.Value{}, fault.Met(fault.TypeError, "InvalidArgumentType", "- can't be used with the %s %s", a.Kind(),
		short(a))
}

// Plus is the + before a number.
func Plus(a value.Value) (value.Value, error) {
	if a.IsNull() || a.IsNumber() {
		return a, nil
	}
	return value.Value{}, fault.Met(fault.TypeError, "InvalidArgumentType", "+ can't be used with the %s %s", a.Kind(),
		short(a))
}
