package value

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/penstock-db/penstock/formats/value/calendar"
)

func TestSpanArithmetic(t *testing.T) {
	r := newRandom(t)
	for range 10_000 {
		a, b := r.span(), r.span()
		sum, err := a.Plus(b)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := sum.Minus(b); err != nil || back != a {
			t.Fatalf("%v + %v - %v = %v, %v", a, b, b, back, err)
		}
		twice, err := a.Times(big.NewRat(2, 1))
		if double, also := a.Plus(a); err != nil || also != nil || twice != double {
			t.Fatalf("%v * 2 = %v, %v", a, twice, err)
		}
	}
	if got, err := (Span{Seconds: math.MaxInt64}).Plus(Span{Seconds: 1}); !errors.As(err, new(*calendar.RangeError)) {
		t.Error(got, err)
	}
}
