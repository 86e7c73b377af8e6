package long

import (
	"slices"
	"testing"
)

func TestTests(t *testing.T) {
	for value, want := range map[string]bool{"": false, "0": false, "1": true} {
		t.Setenv("PENSTOCK_LONG", value)
		if Tests() != want {
			t.Errorf("PENSTOCK_LONG=%q: %v", value, Tests())
		}
	}
}

func TestDraw(t *testing.T) {
	cases := []int{1, 2, 3, 4, 5}
	for _, c := range []struct {
		long      string
		few, want int
	}{{"", 2, 2}, {"", 5, 5}, {"", 9, 5}, {"1", 2, 5}} {
		t.Setenv("PENSTOCK_LONG", c.long)
		drawn := Draw(t, cases, c.few)
		if len(drawn) != c.want || !slices.IsSorted(drawn) || len(slices.Compact(slices.Clone(drawn))) != c.want {
			t.Errorf("PENSTOCK_LONG=%q: of %v, %d are %v", c.long, cases, c.few, drawn)
		}
	}
	t.Setenv("PENSTOCK_LONG", "")
	t.Setenv("PENSTOCK_TEST_SEED", "7")
	type run struct{ testing.TB }
	if first, again := Draw(&run{t}, cases, 2), Draw(&run{t}, cases, 2); !slices.Equal(first, again) {
		t.Errorf("by one seed %v is drawn, then %v", first, again)
	}
	t.Setenv("PENSTOCK_TEST_SEED", "")
	for seen := map[int]bool{}; len(seen) < len(cases); { // each case comes up
		seen[Draw(t, cases, 1)[0]] = true
	}
}

func TestRaced(t *testing.T) {
	cases := []int{1, 2, 3, 4, 5}
	for value, want := range map[string]int{"": 5, "0": 2, "1": 5} {
		t.Setenv("PENSTOCK_LONG", value)
		if left := Raced(t, cases, 2); len(left) != want {
			t.Errorf("PENSTOCK_LONG=%q: of %v, %v are left", value, cases, left)
		}
	}
}
