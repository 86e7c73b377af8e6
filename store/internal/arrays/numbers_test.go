package arrays

import (
	"math"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats/value"
)

// Whatever the numbers, a column gives back each as it was; it is encoded only where no column of floats could tell its
// integers from its floats.
func TestFieldFor_Numbers(t *testing.T) {
	odd := rapid.SampledFrom([]value.Value{
		value.OfInt(0), value.OfFloat(0), value.OfFloat(math.Copysign(0, -1)), value.OfInt(-1), value.OfFloat(2.5),
		value.OfFloat(math.NaN()), value.OfFloat(math.Inf(-1)), value.OfFloat(1e300), value.OfInt(math.MaxInt64),
		value.OfInt(1 << 53), value.OfInt(1<<53 + 1), value.OfInt(-1 << 53), value.OfFloat(1 << 53), value.OfFloat(1 << 54),
	})
	number := rapid.OneOf(odd, rapid.Map(rapid.Int64Range(-9, 9), value.OfInt), rapid.Map(rapid.Float64(), value.OfFloat))
	list := rapid.Map(rapid.SliceOfN(number, 0, 3), value.OfList)
	rapid.Check(t, func(t *rapid.T) {
		one := number
		if rapid.Bool().Draw(t, "lists") {
			one = list
		}
		values := rapid.SliceOfN(one, 1, 6).Draw(t, "values")
		field := FieldFor("n", values)
		column, err := Of(memory.DefaultAllocator, field, values)
		if err != nil {
			t.Fatal(err)
		}
		defer column.Release()
		read, ok := NewReader(field, column)
		if !ok {
			t.Fatalf("%v cannot be read", field)
		}
		for i, v := range values {
			if got := read(i); string(value.Append(nil, got)) != string(value.Append(nil, v)) {
				t.Errorf("%v has become %v (%v)", v.Text(), got.Text(), field)
			}
		}
		if encoded := IsEncoded(field); encoded != ambiguous(values) {
			t.Errorf("%v of %v: encoded is %v", field, value.OfList(values).Text(), encoded)
		}
	})
}

// ambiguous tells whether there are integers and floats, and an integer that floats do not have, or a float that could
// be an integer; or nothing but empty lists.
func ambiguous(values []value.Value) bool {
	var integers, floats, large, whole int
	var count func([]value.Value)
	count = func(values []value.Value) {
		for _, v := range values {
			switch v.Kind() {
			case value.List:
				count(v.List())
			case value.Int:
				integers++
				if n := v.Int(); n > 1<<53 || n < -1<<53 {
					large++
				}
			case value.Float:
				floats++
				if f := v.Float(); f == math.Trunc(f) && math.Abs(f) <= 1<<53 && (f != 0 || !math.Signbit(f)) {
					whole++
				}
			}
		}
	}
	count(values)
	return integers+floats == 0 || integers > 0 && floats > 0 && large+whole > 0
}
