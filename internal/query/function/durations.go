package function

import (
	"math/big"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/formats/value/temporal"
	"github.com/penstock-db/penstock/internal/query/fault"
)

func init() {
	Register(
		pure("duration", 1, takes(text|record|duration), toDuration),
		between("duration.between", temporal.Between), between("duration.inMonths", temporal.InMonths),
		between("duration.inDays", temporal.InDays), between("duration.inSeconds", temporal.InSeconds),
	)
}

// toDuration makes a duration of a text, or of a map of amounts of units.
func toDuration(_ *Call, args []value.Value) (value.Value, error) {
	switch v := args[0]; v.Kind() {
	case value.String:
		return refused(temporal.ParseDuration(v.Str()))
	case value.Map:
		amounts, err := amounts(v)
		if err != nil {
			return value.Value{}, err
		}
		return span(value.SpanOf(value.PartsOf(amounts)))
	}
	return args[0], nil
}

func amounts(m value.Value) (map[string]*big.Rat, error) {
	amounts := map[string]*big.Rat{}
	for _, e := range m.Map() {
		name := strings.ToLower(e.Key)
		if !value.IsUnit(name) {
			return nil, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "a Duration has no field %s", e.Key)
		}
		if !e.Value.IsNumber() || value.Decimal(e.Value) == nil {
			return nil, fault.Met(fault.TypeError, "InvalidArgumentValue", "the %s of a Duration are a number, not the %s %s",
				e.Key, e.Value.Kind(), short(e.Value))
		}
		amounts[name] = value.Decimal(e.Value)
	}
	return amounts, nil
}

func between(name string, span func(from, to value.Value) value.Span) *Function {
	return pure(name, 2, takes(instant, instant), func(_ *Call, args []value.Value) (value.Value, error) {
		return value.OfDuration(span(args[0], args[1])), nil
	})
}
