package value

import (
	"errors"
	"testing"
)

func TestStorable(t *testing.T) {
	for _, v := range []Value{{}, OfInt(1), OfString(""), OfDate(1), OfPoint(Place{}), list(), ints(1, 2),
		list(OfInt(1), OfFloat(1.5)), list(OfDate(1), OfDate(2))} {
		if err := Storable(v); err != nil {
			t.Errorf("%s: %v", v.Text(), err)
		}
	}
	for _, v := range []Value{OfMap(nil), OfNodeID(1), list(Value{}), list(list()), list(OfMap(nil)),
		list(OfInt(1), OfString("a")), list(OfInt(1), Value{})} {
		if err := new(StorableError); !errors.As(Storable(v), &err) {
			t.Errorf("%s can be stored", v.Text())
		}
	}
}
