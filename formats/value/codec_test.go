package value

import (
	"bytes"
	"errors"
	"math"
	"testing"
)

func TestCodecRoundTrip(t *testing.T) {
	r := newRandom(t)
	for range 50_000 {
		v := r.value(4)
		b := Append([]byte("before"), v)
		got, rest, err := Decode(append(b[len("before"):], "after"...))
		if err != nil || string(rest) != "after" || got.Kind() != v.Kind() || !Equivalent(got, v) || got.Text() != v.Text() {
			t.Fatalf("%s is decoded as %s, rest %q, %v", v.Text(), got.Text(), rest, err)
		}
	}
}

func TestDecodeBoundsDepth(t *testing.T) {
	nested := bytes.Repeat([]byte{byte(List), 1}, 10_000_000)
	if _, _, err := Decode(append(nested, byte(Null))); !errors.Is(err, ErrCorrupt) {
		t.Fatal(err)
	}
}

func FuzzDecode(f *testing.F) {
	r := newRandom(f)
	for range 200 {
		f.Add(Append(nil, r.value(3)))
	}
	f.Add(Append(nil, OfFloat(math.NaN())))
	f.Fuzz(func(t *testing.T, src []byte) {
		v, rest, err := Decode(src)
		if err != nil {
			return
		}
		if len(rest) >= len(src) {
			t.Fatal("nothing was decoded")
		}
		again, rest, err := Decode(Append(nil, v))
		if err != nil || len(rest) > 0 || !Equivalent(v, again) || Hash(v) != Hash(again) {
			t.Fatalf("%s is encoded as %s, %v", v.Text(), again.Text(), err)
		}
	})
}
