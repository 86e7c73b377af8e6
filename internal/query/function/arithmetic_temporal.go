package function

import (
	"math/big"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/formats/value/temporal"
	"github.com/penstock-db/penstock/internal/query/fault"
)

func addTemporal(a, b value.Value) (value.Value, error) {
	switch x, y := a.Kind(), b.Kind(); {
	case x == value.Duration && y == value.Duration:
		return span(a.Duration().Plus(b.Duration()))
	case instant.Has(x) && y == value.Duration:
		return shift(a, b.Duration())
	case x == value.Duration && instant.Has(y):
		return shift(b, a.Duration())
	}
	return value.Value{}, operands("+", a, b)
}

func subtractTemporal(a, b value.Value) (value.Value, error) {
	if b.Kind() != value.Duration || a.Kind() != value.Duration && !instant.Has(a.Kind()) {
		return value.Value{}, operands("-", a, b)
	}
	if a.Kind() == value.Duration {
		return span(a.Duration().Minus(b.Duration()))
	}
	back, err := value.Span{}.Minus(b.Duration())
	if err != nil {
		return value.Value{}, tooFar(err)
	}
	return shift(a, back)
}

func multiplyTemporal(a, b value.Value) (value.Value, error) {
	if a.IsNumber() {
		a, b = b, a
	}
	if a.Kind() != value.Duration || !b.IsNumber() {
		return value.Value{}, operands("*", a, b)
	}
	factor := value.Decimal(b)
	if factor == nil {
		return value.Value{}, outOfRange("a duration can't be multiplied by %s", b.Text())
	}
	return span(a.Duration().Times(factor))
}

func divideTemporal(a, b value.Value) (value.Value, error) {
	if a.Kind() != value.Duration || !b.IsNumber() {
		return value.Value{}, operands("/", a, b)
	}
	divisor := value.Decimal(b)
	if divisor == nil || divisor.Sign() == 0 {
		return value.Value{}, fault.Met(fault.ArithmeticError, "DivisionByZero", "a duration can't be divided by %s",
			b.Text())
	}
	return span(a.Duration().Times(new(big.Rat).Inv(divisor)))
}

func span(s value.Span, err error) (value.Value, error) {
	if err != nil {
		return value.Value{}, tooFar(err)
	}
	return value.OfDuration(s), nil
}

func shift(v value.Value, by value.Span) (value.Value, error) {
	shifted, err := temporal.Shift(v, by)
	if err != nil {
		return value.Value{}, tooFar(err)
	}
	return shifted, nil
}

func tooFar(err error) error {
	return &fault.Error{Kind: fault.ArithmeticError, Detail: "NumberOutOfRange", Message: err.Error(), Runtime: true,
		Err: err}
}
