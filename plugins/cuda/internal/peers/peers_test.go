package peers

import (
	"errors"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/card"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

// TestMain has everything here compute on softcuda, a test double of a card.
func TestMain(m *testing.M) { softcuda.Main(m) }

// on does something on a thread of a card's.
func on(t *testing.T, do func(*driver.Context) error) {
	t.Helper()
	c, err := card.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	thread, err := card.NewThread(c.Context)
	if err != nil {
		t.Fatal(err)
	}
	defer thread.End()
	if err := thread.Do(func() error { return do(c.Context) }); err != nil {
		t.Error(err)
	}
}

// A chunk fits where one of about the same size was; where there is no room, nothing is taken.
func TestLending_TakesAgain(t *testing.T) {
	on(t, func(c *driver.Context) error {
		l := &Lending{}
		if at, taken := l.Take(64); at != 0 || taken != 0 {
			t.Errorf("%d bytes at %#x of nothing", taken, at)
		}
		l.Open(c, func() uint64 { return 64 << 10 })
		l.Open(c, func() uint64 { t.Error("it is opened twice"); return 0 })
		first, taken := l.Take(10000)
		if first == 0 || taken < 10000 {
			t.Errorf("%d bytes at %#x", taken, first)
		}
		second, _ := l.Take(50 << 10)
		if at, taken := l.Take(10000); second == 0 || taken != 0 {
			t.Errorf("%d bytes at %#x, beside %#x", taken, at, second)
		}
		l.Give(first, taken)
		if at, again := l.Take(10001); at != first || again != taken {
			t.Errorf("%d bytes at %#x; want the %d at %#x", again, at, taken, first)
		}
		return l.Close(c)
	})
}

// Where the driver gives no handle, nothing is lent, and it says why.
func TestLending_Refused(t *testing.T) {
	softcuda.Faults(t)
	t.Setenv("SOFTCUDA_FAULT", "export")
	on(t, func(c *driver.Context) error {
		l := &Lending{}
		l.Open(c, func() uint64 { return 4096 })
		if _, taken := l.Take(64); taken != 0 || l.Refused == nil {
			t.Errorf("%d bytes; refused: %v", taken, l.Refused)
		}
		return l.Close(c)
	})
}

// What is exported is found by its handle, and not where it is another part of the chunk; what the driver refuses is
// asked for once.
func TestBorrowing(t *testing.T) {
	softcuda.Faults(t)
	on(t, func(c *driver.Context) error {
		l, b := &Lending{}, &Borrowing{}
		l.Open(c, func() uint64 { return 4096 })
		at, _ := l.Take(256)
		exported := l.Export(c.Card.UUID, at, 64, 200)
		for text, says := range map[string]string{
			exported[1:]:                                    "an export of",
			l.Export(c.Card.UUID, at, 0, 200):               "200 bytes of the chunk from 0 on",
			l.Export(c.Card.UUID, at, 64, 100):              "100 bytes of the chunk from 64 on",
			l.Export("GPU-of-another-machine", at, 64, 200): "is not reached",
		} {
			if _, err := b.Find(c, text, 64, 200); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%v; want %q", err, says)
			}
		}
		_, first := new(Borrowing).Find(c, exported, 64, 200) // a process cannot borrow from itself
		again := &Borrowing{refused: map[driver.Handle]error{l.handle: errors.ErrUnsupported}}
		_, second := again.Find(c, exported, 64, 200)
		if first == nil || !errors.Is(second, errors.ErrUnsupported) {
			t.Errorf("%v, then %v; want a refusal, and the one before", first, second)
		}
		return errors.Join(b.Close(c), l.Close(c))
	})
}
