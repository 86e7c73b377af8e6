package memory

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/testseed"
)

const forever = time.Hour

// take takes n bytes beside the allowance of an account that has none yet, or fails the test.
func take(t *testing.T, a *Account, n int64) {
	t.Helper()
	if err := a.Take(t.Context(), n); err != nil {
		t.Fatal(err)
	}
}

// asked asks for n bytes in another goroutine, and returns when the request waits.
func asked(t *testing.T, p *Pool, a *Account, n int64) <-chan error {
	t.Helper()
	p.mu.Lock()
	before := len(p.waiting)
	p.mu.Unlock()
	answer := make(chan error, 1)
	go func() { answer <- a.Take(context.Background(), n) }()
	for {
		p.mu.Lock()
		now := len(p.waiting)
		p.mu.Unlock()
		if now > before {
			return answer
		}
		if len(answer) > 0 {
			return answer
		}
		time.Sleep(time.Millisecond)
	}
}

// Whatever accounts ask for and whoever ends first, the pool and its shares never exceed their
// limits, no request waits forever, and everything comes back.
func TestPool_Random(t *testing.T) {
	seed := testseed.New(t)
	const limit, accounts, steps = 1 << 20, 16, 400
	p := NewPool(limit, 20*time.Millisecond)
	shares := []*Share{p.NewShare(limit / 2), p.NewShare(limit / 3)}
	var granted, refused atomic.Int64
	var group sync.WaitGroup
	for i := range accounts {
		rnd := rand.New(rand.NewPCG(seed, uint64(i)))
		group.Go(func() {
			a := p.Open(shares[:rnd.IntN(3)]...)
			defer a.Close()
			held := int64(0)
			for range steps {
				n := rnd.Int64N(limit / 4)
				switch rnd.IntN(4) {
				case 0:
					back := min(held, n)
					a.Give(back)
					held -= back
				case 1:
					if a.TryTake(n) {
						held += n
					}
				default:
					err := a.Take(context.Background(), n)
					var full *FullError
					switch {
					case err == nil:
						held += n
						granted.Add(1)
					case errors.As(err, &full):
						refused.Add(1)
						a.Give(held)
						held = 0
					default:
						t.Error(err)
					}
				}
				if got := a.Held(); got != held {
					t.Errorf("the account has %d bytes, not %d", got, held)
				}
				within(t, p, shares)
			}
		})
	}
	group.Wait()
	if held := p.Held(); held != 0 || shares[0].held != 0 || shares[1].held != 0 || p.active != 0 || len(p.waiting) != 0 {
		t.Errorf("%d bytes, %d and %d of shares, are left with %d holders and %d claims", held, shares[0].held,
			shares[1].held, p.active, len(p.waiting))
	}
	if granted.Load() == 0 || refused.Load() == 0 {
		t.Errorf("%d requests were granted, %d refused", granted.Load(), refused.Load())
	}
}

func within(t *testing.T, p *Pool, shares []*Share) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held < 0 || p.held > p.limit || p.peak > p.limit {
		t.Errorf("%d bytes are held, %d at the most, of %d", p.held, p.peak, p.limit)
	}
	for _, s := range shares {
		if s.held < 0 || s.held > s.limit {
			t.Errorf("%d bytes of a share of %d", s.held, s.limit)
		}
	}
}

// Whoever asks last waits until there is room.
func TestTake_Waits(t *testing.T) {
	p := NewPool(1<<20, forever)
	first, second := p.Open(), p.Open()
	take(t, first, 1<<20)
	answer := asked(t, p, second, 1<<20)
	first.Close()
	if err := <-answer; err != nil {
		t.Error(err)
	}
}

// Accounts that hold memory and all wait for more can't end: the youngest is refused, without
// waiting, and what it gives back lets the others go on.
func TestTake_NoDeadlock(t *testing.T) {
	const part = 1 << 20
	p := NewPool(3*part, forever)
	var accounts [3]*Account
	for i := range accounts {
		accounts[i] = p.Open()
		take(t, accounts[i], part+Allowance)
	}
	first, second := asked(t, p, accounts[0], part), asked(t, p, accounts[1], part)
	err := accounts[2].Take(t.Context(), part)
	var full *FullError
	if !errors.As(err, &full) || full.Never {
		t.Fatalf("the youngest is told %v", err)
	}
	accounts[2].Close()
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	accounts[0].Close()
	if err := <-second; err != nil {
		t.Fatal(err)
	}
}

// Nobody waits longer than the patience, or than its context.
func TestTake_EndsWaiting(t *testing.T) {
	p := NewPool(1<<20, time.Millisecond)
	holder, other := p.Open(), p.Open()
	take(t, holder, 1<<20)
	if err := other.Take(t.Context(), 1<<20); !errors.As(err, new(*FullError)) {
		t.Errorf("after the patience: %v", err)
	}
	p.patience = forever
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := errors.New("ended")
	time.AfterFunc(time.Millisecond, func() { cancel(ended) })
	if err := other.Take(ctx, 1<<20); !errors.Is(err, ended) {
		t.Errorf("after the context: %v", err)
	}
	if len(p.waiting) != 0 {
		t.Errorf("%d claims are left", len(p.waiting))
	}
}

// What could never be granted is refused at once, and says so.
func TestTake_Never(t *testing.T) {
	p := NewPool(1<<20, forever)
	for _, a := range []*Account{p.Open(), p.Open(p.NewShare(1 << 10))} {
		var full *FullError
		if err := a.Take(t.Context(), 1<<20+Allowance+1); !errors.As(err, &full) || !full.Never {
			t.Errorf("error %v", err)
		}
	}
}

// Small requests never wait, and what holds memory goes before what holds none.
func TestTake_Order(t *testing.T) {
	p := NewPool(1<<20, forever)
	old, holder, fresh, small := p.Open(), p.Open(), p.Open(), p.Open()
	take(t, old, 1<<19+Allowance)
	take(t, holder, 1<<19+Allowance)
	take(t, small, Allowance)
	late := asked(t, p, fresh, 1<<18+Allowance)
	more := asked(t, p, holder, 1<<18)
	old.Give(1 << 18)
	if err := <-more; err != nil {
		t.Error(err)
	}
	if len(late) > 0 {
		t.Error("who holds nothing was served first")
	}
	old.Close()
	if err := <-late; err != nil {
		t.Error(err)
	}
}

// A share bounds what accounts have together that join it, and only them.
func TestShare(t *testing.T) {
	p := NewPool(1<<20, time.Millisecond)
	share := p.NewShare(1 << 18)
	a, b, other := p.Open(), p.Open(share), p.Open()
	take(t, a, 1<<18+Allowance)
	a.Join(share)
	if err := b.Take(t.Context(), Allowance+1); !errors.As(err, new(*FullError)) {
		t.Errorf("beyond the share: %v", err)
	}
	take(t, other, 1<<18)
	a.Leave(share)
	take(t, b, Allowance+1)
	for _, account := range []*Account{a, b, other} {
		account.Close()
	}
	if p.Held() != 0 || share.held != 0 {
		t.Errorf("%d bytes are left, %d of the share", p.Held(), share.held)
	}
}
