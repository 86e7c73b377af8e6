package value

import (
	"math"
	"testing"
)

func list(elements ...Value) Value { return OfList(elements) }
func ints(n ...int64) Value {
	elements := make([]Value, len(n))
	for i := range n {
		elements[i] = OfInt(n[i])
	}
	return OfList(elements)
}

// The tables are openCypher's (Comparison1 [6], [7], [8], Comparison2 [4], [5]).
func TestEqualIsThreeValued(t *testing.T) {
	null, nan, k := Value{}, OfFloat(math.NaN()), func(kv ...Value) Value {
		m := map[string]Value{}
		for i, v := range kv {
			m[string(rune('k'+i))] = v
		}
		return OfMap(m)
	}
	for _, test := range []struct {
		a, b Value
		want string
	}{
		{null, null, "null"}, {null, OfInt(1), "null"}, {ints(1, 2), ints(1), "false"}, {list(null), ints(1), "null"},
		{list(OfString("a")), ints(1), "false"}, {list(ints(1)), list(ints(1), list(null)), "false"},
		{list(ints(1), ints(2)), list(ints(1), list(null)), "null"},
		{list(ints(1), ints(2, 3)), list(ints(1), list(null)), "false"},
		{k(), k(), "true"}, {k(OfInt(1)), k(OfFloat(1)), "true"}, {k(), k(null), "false"},
		{k(OfInt(1)), k(OfInt(1), null), "false"},
		{k(null), k(null), "null"}, {k(OfInt(1), null), k(null, null), "null"},
		{k(OfInt(1), null), k(OfInt(2), OfInt(1)), "false"},
		{nan, nan, "false"}, {nan, OfString("a"), "false"}, {OfInt(1), OfString("1"), "false"},
		{list(nan), list(nan), "false"},
		{OfInt(1<<53 + 1), OfFloat(1 << 53), "false"}, {OfInt(math.MaxInt64), OfFloat(1 << 63), "false"},
		{list(null, OfInt(1)), list(null, OfInt(2)), "false"},
	} {
		for _, pair := range [][2]Value{{test.a, test.b}, {test.b, test.a}} {
			if got := truth(Equal(pair[0], pair[1])); got != test.want {
				t.Errorf("%s = %s: %s, want %s", pair[0].Text(), pair[1].Text(), got, test.want)
			}
		}
	}
}

func truth(v, known bool) string {
	if !known {
		return "null"
	}
	return OfBool(v).Text()
}

func TestCompare(t *testing.T) {
	null, nan := Value{}, OfFloat(math.NaN())
	for _, test := range []struct {
		a, b Value
		want int
		ok   bool
	}{
		{ints(1, 0), ints(1), 1, true}, {list(OfInt(1), null), ints(1), 1, true},
		{ints(1, 2), list(OfInt(1), null), 0, false},
		{list(OfInt(1), OfString("a")), list(OfInt(1), null), 0, false}, {ints(1, 2), list(OfInt(3), null), -1, true},
		{nan, OfInt(1), Unordered, true}, {nan, nan, Unordered, true}, {nan, OfString("a"), 0, false}, {null, null, 0, false},
		{OfInt(1), OfFloat(1), 0, true}, {OfInt(math.MaxInt64), OfFloat(1 << 63), -1, true},
		{OfInt(-1), OfFloat(-1.5), 1, true},
		{OfNodeID(1), OfNodeID(1), 0, false}, {OfMap(nil), OfMap(nil), 0, false},
		{OfDuration(Span{}), OfDuration(Span{}), 0, false},
		{OfBool(false), OfBool(true), -1, true}, {OfString("a"), OfString("b"), -1, true}, {OfDate(2), OfDate(1), 1, true},
	} {
		if got, ok := Compare(test.a, test.b); got != test.want || ok != test.ok {
			t.Errorf("%s, %s: %d %t, want %d %t", test.a.Text(), test.b.Text(), got, ok, test.want, test.ok)
		}
	}
}
