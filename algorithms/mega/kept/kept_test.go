package kept

import (
	"bytes"
	"errors"
	"testing"
)

func TestOpen(t *testing.T) {
	row := make([]byte, 100)
	if epochs, kept, err := Open(row); epochs != 0 || kept != nil || err != nil {
		t.Fatalf("an empty row keeps %d epochs, %v: %v", epochs, kept, err)
	}
	n := copy(Room(row), "something")
	Close(row, 7, n)
	if epochs, kept, err := Open(row); epochs != 7 || !bytes.Equal(kept, []byte("something")) || err != nil {
		t.Fatalf("%d epochs, %q: %v", epochs, kept, err)
	}
	for i := range header + n { // each byte counts
		damaged := bytes.Clone(row)
		damaged[i] ^= 0x40
		var typed *Error
		if _, _, err := Open(damaged); !errors.As(err, &typed) {
			t.Errorf("byte %d: %v", i, err)
		}
	}
	var typed *Error
	if _, _, err := Open(row[:header+n-1]); !errors.As(err, &typed) {
		t.Errorf("cut off: %v", err)
	}
	if _, _, err := Open(row[:8]); !errors.As(err, &typed) {
		t.Errorf("cut off: %v", err)
	}
	Clear(row)
	if epochs, _, err := Open(row); epochs != 0 || err != nil {
		t.Errorf("cleared, it keeps %d epochs: %v", epochs, err)
	}
}
