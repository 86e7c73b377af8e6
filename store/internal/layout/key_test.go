package layout

import (
	"bytes"
	"cmp"
	"testing"

	"pgregory.net/rapid"
)

// Data keys are spelled and parsed alike, and sort as their parts do.
func TestPiece_Key(t *testing.T) {
	draw := func(t *rapid.T, name string) (Piece, uint32) {
		p := Piece{rapid.Uint64().Draw(t, name+" generation"), ColumnKind, rapid.Uint32().Draw(t, name+" item")}
		return p, rapid.Uint32().Draw(t, name+" number")
	}
	rapid.Check(t, func(t *rapid.T) {
		p, n := draw(t, "first")
		q, m := draw(t, "second")
		if back, number, ok := ParseDataKey(p.Key(n)); !ok || back != p || number != n {
			t.Fatal(back, number, ok)
		}
		want := cmp.Or(cmp.Compare(p.Generation, q.Generation), cmp.Compare(p.Item, q.Item), cmp.Compare(n, m))
		if got := bytes.Compare(p.Key(n), q.Key(m)); got != want {
			t.Fatalf("order %d, not %d", got, want)
		}
	})
}
