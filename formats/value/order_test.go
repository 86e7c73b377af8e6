package value

import (
	"math"
	"slices"
	"testing"
)

func TestOrderIsTotal(t *testing.T) {
	r := newRandom(t)
	values := make([]Value, 150)
	for i := range values {
		values[i] = r.any()
	}
	for _, a := range values {
		for _, b := range values {
			if Order(a, b) != -Order(b, a) {
				t.Fatalf("%s, %s: %d and %d", a.Text(), b.Text(), Order(a, b), Order(b, a))
			}
			for _, c := range values {
				if Order(a, b) <= 0 && Order(b, c) <= 0 && Order(a, c) > 0 {
					t.Fatalf("%s <= %s <= %s, but not the first and the last", a.Text(), b.Text(), c.Text())
				}
			}
		}
	}
}

func TestHashAgreesWithEquivalent(t *testing.T) {
	r := newRandom(t)
	same := 0
	for range 200_000 {
		a, b := r.any(), r.any()
		if !Equivalent(a, b) {
			continue
		}
		same++
		if Hash(a) != Hash(b) {
			t.Fatalf("%s and %s are equivalent", a.Text(), b.Text())
		}
	}
	if same < 100 {
		t.Fatalf("only %d pairs were equivalent", same)
	}
}

func TestHashTellsApart(t *testing.T) {
	seen := map[uint64]Value{}
	for i := range int64(100_000) {
		for _, v := range []Value{OfInt(i), OfFloat(float64(i) + 0.5), OfList([]Value{OfInt(i)}), OfDate(i),
			OfString(OfInt(i).Text())} {
			if other, ok := seen[Hash(v)]; ok {
				t.Fatalf("%s and %s have one hash", v.Text(), other.Text())
			}
			seen[Hash(v)] = v
		}
	}
}

// What is equal by = is equivalent; what is equivalent is equal or has null or NaN in it.
func TestEqualAgreesWithEquivalent(t *testing.T) {
	r := newRandom(t)
	for range 200_000 {
		a, b := r.any(), r.any()
		eq, known := Equal(a, b)
		if eq && (!known || !Equivalent(a, b)) {
			t.Fatalf("%s = %s is %t, known %t; equivalent %t", a.Text(), b.Text(), eq, known, Equivalent(a, b))
		}
		if known && !eq && Equivalent(a, b) && !hasNaN(a) {
			t.Fatalf("%s and %s are equivalent, but not equal", a.Text(), b.Text())
		}
	}
}

func hasNaN(v Value) bool {
	switch v.Kind() {
	case List:
		return slices.ContainsFunc(v.List(), hasNaN)
	case Map:
		return slices.ContainsFunc(v.Map(), func(e Entry) bool { return hasNaN(e.Value) })
	case Point:
		return math.IsNaN(v.Point().X)
	}
	return v.isNaN()
}

// Where < can tell, it tells what ORDER BY does.
func TestCompareAgreesWithOrder(t *testing.T) {
	r := newRandom(t)
	for range 200_000 {
		a, b := r.any(), r.any()
		c, ok := Compare(a, b)
		if back, also := Compare(b, a); ok != also || c != Unordered && c != -back {
			t.Fatalf("%s, %s: %d, %d", a.Text(), b.Text(), c, back)
		}
		if ok && c != Unordered && c != Order(a, b) {
			t.Fatalf("%s, %s: compared %d, ordered %d", a.Text(), b.Text(), c, Order(a, b))
		}
	}
}

func TestOrderOfKinds(t *testing.T) {
	want := []Value{
		OfMap(map[string]Value{"a": OfString("map")}), OfNodeID(0), OfRelationshipID(0), OfList(nil),
		OfList([]Value{OfString("a")}),
		OfList([]Value{OfInt(1)}), OfList([]Value{OfInt(1), OfString("a")}), OfList([]Value{OfInt(1), {}}),
		OfList([]Value{{}, OfInt(1)}),
		OfPath(&PathContent{Nodes: []Value{OfNodeID(0)}}), OfPoint(Place{SRID: WGS84}), OfString("text"), OfBool(false),
		OfBool(true),
		OfFloat(math.Inf(-1)), OfInt(1), OfFloat(1.5), OfFloat(math.Inf(1)), OfFloat(math.NaN()), {},
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortStableFunc(got, Order)
	for i := range want {
		if !Equivalent(got[i], want[i]) {
			t.Errorf("at %d: %s, want %s", i, got[i].Text(), want[i].Text())
		}
	}
}
