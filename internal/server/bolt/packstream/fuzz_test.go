package packstream

import (
	"bytes"
	"encoding/hex"
	"testing"
)

// FuzzDecoder: no bytes make the decoder panic, and what it takes for a value is one: it can
// be encoded, decoded and encoded again to the same bytes.
func FuzzDecoder(f *testing.F) {
	for _, e := range examples {
		src, err := hex.DecodeString(e.hex)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := NewDecoder(src, 1<<20).Value()
		if err != nil {
			return
		}
		once := bolt5.Append(nil, v)
		d := NewDecoder(once, 1<<24)
		again, err := d.Value()
		if err != nil || d.End() != nil || !bytes.Equal(bolt5.Append(nil, again), once) {
			t.Fatalf("%x is encoded as %x, which does not come back: %v", src, once, err)
		}
	})
}
