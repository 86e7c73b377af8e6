package ort

import "testing"

func TestAPIVersion(t *testing.T) {
	for text, want := range map[string]uint32{"1.27.0": 27, "1.8.1": 8, "1.30": 30, "1.20.0-dev+1": 20} {
		if got, err := apiVersion(text); got != want || err != nil {
			t.Errorf("%s: got %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1", "2.1.0", "1.x", "one"} {
		if got, err := apiVersion(text); err == nil {
			t.Errorf("%q: got %d", text, got)
		}
	}
}
