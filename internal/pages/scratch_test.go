package pages

import (
	"bytes"
	"testing"
)

// Scratch is zeroed and can be written to.
func TestScratch(t *testing.T) {
	const size = 3<<12 + 5
	b, err := Scratch(size)
	if err != nil {
		t.Fatal(err)
	}
	defer Free(b)
	zero := make([]byte, size)
	if !bytes.Equal(b, zero) {
		t.Error("it is not zeroed at first")
	}
	for i := range b {
		b[i] = byte(i) | 1
	}
}
