package driver_test

import (
	"encoding/binary"
	"errors"
	"runtime"
	"testing"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// What waits for an event of another stream comes after it, however late that is.
func TestStream_Wait(t *testing.T) {
	if !apart(t, "SOFTCUDA_DELAY=2000") {
		return
	}
	c := open(t, 0)
	writer, reader := stream(t, c), stream(t, c)
	p := alloc(t, writer, 8)
	written, read := event(t, c, false), event(t, c, false)
	for i := range uint64(20) {
		found := make([]byte, 8)
		must(t, errors.Join(writer.Fill64(p, i, 1), written.Record(writer), reader.Wait(written),
			reader.CopyOut(found, p), read.Record(reader), writer.Wait(read), read.Synchronize()))
		if value := binary.LittleEndian.Uint64(found); value != i {
			t.Fatalf("round %d read %d", i, value)
		}
	}
}

func event(t *testing.T, c *driver.Context, timed bool) driver.Event {
	t.Helper()
	e, err := c.NewEvent(timed)
	must(t, err)
	t.Cleanup(func() { must(t, e.Destroy()) })
	return e
}

// Time passes between two events, and a query tells whether they have come.
func TestEvent_Since(t *testing.T) {
	c := open(t, 0)
	s := stream(t, c)
	begin, end := event(t, c, true), event(t, c, true)
	p := alloc(t, s, 1<<20)
	must(t, errors.Join(begin.Record(s), s.Fill8(p, 1, 1<<20), end.Record(s), s.Synchronize()))
	for _, query := range []func() (bool, error){begin.Query, end.Query, s.Query} {
		if done, err := query(); err != nil || !done {
			t.Errorf("done: %v, %v", done, err)
		}
	}
	if took, err := end.Since(begin); err != nil || took < 0 {
		t.Errorf("it took %v, %v", took, err)
	}
}

// A context can be used from any thread, and methods of it that need no thread leave what was current.
func TestContext_Threads(t *testing.T) {
	c := open(t, 0)
	s := stream(t, c)
	p := alloc(t, s, 8)
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // the thread ends with the goroutine
		if _, _, err := c.Free(); err != nil {
			done <- err
			return
		}
		done <- errors.Join(c.Use(), s.Fill64(p, 42, 1), s.Synchronize())
	}()
	must(t, <-done)
	found := make([]byte, 8)
	must(t, errors.Join(s.CopyOut(found, p), c.Synchronize()))
	if found[0] != 42 {
		t.Errorf("found %d", found[0])
	}
}

// Two cards copy from one to the other.
func TestContext_Peer(t *testing.T) {
	if !apart(t, "SOFTCUDA_CARDS=2") {
		return
	}
	cards, err := driver.Cards()
	must(t, err)
	if len(cards) != 2 || cards[0].UUID == cards[1].UUID {
		t.Fatalf("cards: %v", cards)
	}
	here, there := open(t, 0), open(t, 1)
	for range 2 {
		if can, err := here.Peer(there); err != nil || !can {
			t.Fatalf("peers: %v, %v", can, err)
		}
	}
	must(t, there.Use())
	from := stream(t, there)
	q := alloc(t, from, 8)
	must(t, errors.Join(from.Fill64(q, 42, 1), from.Synchronize(), here.Use()))
	s := stream(t, here)
	p := alloc(t, s, 16)
	found := make([]byte, 16)
	must(t, errors.Join(s.Copy(p, q, 8), s.CopyPeer(p+8, here, q, there, 8), s.CopyOut(found, p), s.Synchronize()))
	if found[0] != 42 || found[8] != 42 {
		t.Errorf("found %v", found)
	}
	must(t, there.Use()) // its memory is freed first
}
