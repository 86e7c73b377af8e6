package cuda

import (
	"errors"
	"testing"

	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

// What is copied again is pinned, unless the system does not allow it, until the last session is done.
func TestPins(t *testing.T) {
	for _, fault := range []string{"", "register"} {
		if fault != "" {
			softcuda.Faults(t)
			t.Setenv("SOFTCUDA_FAULT", fault)
		}
		a, err := arena.Create(3*pinBytes + 4096)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		at := arena.Range{Offset: pinBytes - 64, Length: 2*pinBytes + 128}
		err = onCard(t, func(c *card) error {
			first, second := c.pinsOf(a), c.pinsOf(a)
			if first != second {
				t.Error("two sessions on an arena pin it twice")
			}
			if first.isPinned(at) {
				t.Error("what is copied for the first time is pinned")
			}
			if got, want := second.isPinned(at), fault == ""; got != want {
				t.Errorf("the second time, fault %q: pinned %v", fault, got)
			}
			return errors.Join(c.release(first), c.release(second))
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// Pieces of a range lie in one block each, and are all of it.
func TestPins_Pieces(t *testing.T) {
	p := &pins{memory: make([]byte, 3*pinBytes)}
	at := arena.Range{Offset: 100, Length: 2*pinBytes + 7}
	next := uint64(0)
	err := p.pieces(at, func(offset uint64, piece []byte) error {
		if offset != next || (at.Offset+offset)/pinBytes != (at.Offset+offset+uint64(len(piece))-1)/pinBytes {
			t.Errorf("a piece of %d bytes at %d, after %d", len(piece), offset, next)
		}
		next += uint64(len(piece))
		return nil
	})
	if err != nil || next != at.Length {
		t.Errorf("%d bytes of %d, %v", next, at.Length, err)
	}
}

// onCard does something on a thread of a card's.
func onCard(t *testing.T, do func(*card) error) error {
	t.Helper()
	c, err := New(Options{}).(*device).open()
	if err != nil {
		t.Fatal(err)
	}
	thread, err := newThread(c.context)
	if err != nil {
		t.Fatal(err)
	}
	defer thread.end()
	return thread.do(func() error { return do(c) })
}
