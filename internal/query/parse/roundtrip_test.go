package parse

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/internal/feature"
)

// TestRoundTrip: a syntax tree that is written out and read again is the same.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := printed(generator{t, 3}.statement())
		stmt, err := Statement(want)
		if err != nil {
			t.Fatalf("%s\n%v", want, err)
		}
		if got := printed(stmt); got != want {
			t.Fatalf("%s\nis read as\n%s", want, got)
		}
	})
}

// TestRoundTripTCK: what is read, written out with all parentheses and read again is the same.
func TestRoundTripTCK(t *testing.T) {
	for _, s := range feature.All(t) {
		for _, text := range s.Queries() {
			if stmt, err := Statement(text); err == nil {
				reread(t, text, stmt)
			}
		}
	}
}

func reread(t *testing.T, text string, stmt *ast.Statement) {
	t.Helper()
	want := printed(stmt)
	again, err := Statement(want)
	switch {
	case err != nil:
		t.Errorf("%s\nis written as\n%s\n%v", text, want, err)
	case printed(again) != want:
		t.Errorf("%s\nis written as\n%s\nand read as\n%s", text, want, printed(again))
	}
}
