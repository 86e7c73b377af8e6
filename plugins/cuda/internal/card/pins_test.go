package card

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
		err = onCard(t, func(c *Card) error {
			first, second := c.PinsOf(a), c.PinsOf(a)
			if first != second {
				t.Error("two sessions on an arena pin it twice")
			}
			if first.IsPinned(at) {
				t.Error("what is copied for the first time is pinned")
			}
			if got, want := second.IsPinned(at), fault == ""; got != want {
				t.Errorf("the second time, fault %q: pinned %v", fault, got)
			}
			return errors.Join(c.Release(first), c.Release(second))
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// Pieces of a range lie in one block each, and are all of it.
func TestPins_Pieces(t *testing.T) {
	p := &Pins{memory: make([]byte, 3*pinBytes)}
	at := arena.Range{Offset: 100, Length: 2*pinBytes + 7}
	next := uint64(0)
	err := p.Pieces(at, func(offset uint64, piece []byte) error {
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
func onCard(t *testing.T, do func(*Card) error) error {
	t.Helper()
	c, err := Open(0)
	if err != nil {
		t.Fatal(err)
	}
	thread, err := NewThread(c.Context)
	if err != nil {
		t.Fatal(err)
	}
	defer thread.End()
	return thread.Do(func() error { return do(c) })
}
