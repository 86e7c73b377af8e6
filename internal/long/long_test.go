package long

import "testing"

func TestTests(t *testing.T) {
	for value, want := range map[string]bool{"": false, "0": false, "1": true} {
		t.Setenv("PENSTOCK_LONG", value)
		if Tests() != want {
			t.Errorf("PENSTOCK_LONG=%q: %v", value, Tests())
		}
	}
}
