package bolt

import (
	"bytes"
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
)

// FuzzFrames: messages that are put together are as large as what has arrived at most, and the
// same when it arrives byte by byte.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x02ab\x00\x01c\x00\x00\x00\x01d"))
	f.Add(frames(bytes.Repeat([]byte{1}, 70000)))
	f.Fuzz(func(t *testing.T, src []byte) {
		whole := newFrameReader(bytes.NewReader(src), 1<<16, nil)
		slow := newFrameReader(singleBytes{bytes.NewReader(src)}, 1<<16, nil)
		total := 0
		for {
			a, err := whole.next(t.Context())
			b, err2 := slow.next(t.Context())
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

// FuzzSession: whatever a client sends, the server neither panics nor leaves anything open.
func FuzzSession(f *testing.F) {
	message := func(tag byte, fields ...value.Value) []byte {
		return frames(packstream.Dialect{}.AppendStruct(nil, tag, fields...))
	}
	hello, logon := message(tagHello, none), message(tagLogon, none)
	run := message(tagRun, value.OfString("COUNT 3"), none, none)
	pull := message(tagPull, fields(integer("n", -1)))
	f.Add(bytes.Join([][]byte{hello, logon, run, pull, message(tagGoodbye)}, nil))
	f.Add(bytes.Join([][]byte{hello, logon, message(tagBegin, none), run, run, pull, message(tagCommit)}, nil))
	f.Add(bytes.Join([][]byte{hello, logon, run, message(tagReset), message(tagRoute, none, value.OfList(nil), none), message(tagLogoff)}, nil))
	f.Fuzz(func(t *testing.T, src []byte) {
		db := newFake()
		server := NewServer(db, Options{Limits: Limits{MessageSize: 1 << 16, Memory: 1 << 20, Login: time.Second, Idle: time.Second}})
		ours, theirs := net.Pipe()
		go func() {
			_, _ = theirs.Write(append([]byte{0x60, 0x60, 0xB0, 0x17, 0, 4, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, src...))
			theirs.Close()
		}()
		go func() { _, _ = io.Copy(io.Discard, theirs) }()
		_ = server.serve(context.Background(), &connection{Conn: ours})
		if n := db.open.Load(); n != 0 {
			t.Fatalf("%d results or transactions were left open", n)
		}
	})
}
