package value

import (
	"bytes"
	"errors"
	"math"
	"testing"
	"time"
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

// Zones that only this process knows are kept as offsets.
func TestCodecOfZones(t *testing.T) {
	now := time.Unix(1e9, 0)
	for _, zone := range []*time.Location{time.UTC, time.Local, time.FixedZone("here", -60),
		time.FixedZone("Europe/Stockholm", 1)} {
		v := OfDateTime(now.In(zone))
		got, _, err := Decode(Append(nil, v))
		if err != nil || !Equivalent(got, v) || !got.DateTime().Equal(now) {
			t.Errorf("%s: %s is decoded as %s, %v", zone, v.Text(), got.Text(), err)
		}
	}
	if got := OfDateTime(now.UTC()).ISO(); got != "2001-09-09T01:46:40Z" {
		t.Error(got)
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
