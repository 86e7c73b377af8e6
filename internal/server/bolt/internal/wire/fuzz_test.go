package wire

import (
	"bytes"
	"testing"
	"testing/iotest"
)

// FuzzFrames: messages that are put together are as large as what has arrived at most, and the
// same when it arrives byte by byte.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x02ab\x00\x01c\x00\x00\x00\x01d"))
	f.Add(append([]byte("\xff\xff"), append(bytes.Repeat([]byte{1}, 65535), "\x00\x01a\x00\x00"...)...))
	f.Fuzz(func(t *testing.T, src []byte) {
		whole := NewReader(bytes.NewReader(src), 1<<16, nil)
		slow := NewReader(iotest.OneByteReader(bytes.NewReader(src)), 1<<16, nil)
		total := 0
		for {
			a, err := whole.Next(t.Context())
			b, err2 := slow.Next(t.Context())
			if !bytes.Equal(a, b) || (err == nil) != (err2 == nil) {
				t.Fatalf("%x, %v and %x, %v", a, err, b, err2)
			}
			if err != nil {
				return
			}
			if total += len(a); total > len(src) || len(a) == 0 || cap(a) > 4*len(src)+4<<10 {
				t.Fatalf("%d bytes of messages, of them %d with room for %d, from %d", total, len(a), cap(a), len(src))
			}
		}
	})
}
