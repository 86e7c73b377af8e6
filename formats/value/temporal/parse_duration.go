package temporal

import (
	"math/big"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
)

const amount = `[+-]?\d{1,20}(?:[.,]\d{1,20})?`

var (
	durations = formOf(value.Duration, `(?P<sign>[+-])?P(?:(?P<years>`+amount+`)Y)?(?:(?P<months>`+amount+`)M)?(?:(?P<weeks>`+
		amount+`)W)?(?:(?P<days>`+amount+`)D)?`+
		`(?:T(?:(?P<hours>`+amount+`)H)?(?:(?P<minutes>`+amount+`)M)?(?:(?P<seconds>`+amount+`)S)?)?`, "P1Y2M10DT2H30M5.5S")
	// those that are written like a date time
	durationsLikeDates = formOf(
		value.Duration, `(?P<sign>[+-])?P(?P<years>\d{4})(?:-(?P<months>\d\d)-(?P<days>\d\d)|(?P<months1>\d\d)(?P<days1>\d\d))T`+
			`(?P<hours>\d\d)(?::(?P<minutes>\d\d):(?P<seconds>\d\d(?:[.,]\d{1,9})?)|(?P<minutes1>\d\d)(?P<seconds1>\d\d(?:[.,]\d{1,9})?))`, "P2012-02-02T14:37:21.545")
)

// ParseDuration reads a duration: P1Y2M3W10DT2H30M5.5S, of which some parts suffice and any may
// have a fraction, or P2012-02-02T14:37:21.545.
func ParseDuration(text string) (value.Value, error) {
	f, err := durationsLikeDates.match(text)
	if err != nil {
		f, err = durations.match(text)
	}
	if err != nil {
		return value.Value{}, err
	}
	if len(f) == 0 || len(f) == 1 && f["sign"] != "" || strings.HasSuffix(strings.ToUpper(text), "T") {
		return value.Value{}, &ParseError{Kind: value.Duration, Text: text, Like: durations.like}
	}
	span, err := f.span()
	return orNothing(value.OfDuration(span), durations.wrong(text, err))
}

func (f fields) span() (value.Span, error) {
	amounts := map[string]*big.Rat{}
	for name, text := range f {
		if name != "sign" {
			amounts[name], _ = new(big.Rat).SetString(strings.ReplaceAll(text, ",", "."))
		}
	}
	span, err := value.SpanOf(value.PartsOf(amounts))
	if err == nil && f["sign"] == "-" {
		span, err = value.Span{}.Minus(span)
	}
	return span, err
}
