package memory

import (
	"context"
	"math"
)

// Account is what one holder has taken from a pool. Its methods may be called from several
// goroutines.
type Account struct {
	pool    *Pool
	passive bool
	shares  []*Share
	used    int64  // with the allowance
	since   uint64 // when it began to hold something of the pool
	claims  int    // of its own that wait
	closed  bool
}

// Open opens an account whose bytes are also of these shares.
func (p *Pool) Open(shares ...*Share) *Account {
	return &Account{pool: p, shares: shares}
}

// OpenPassive opens an account whose bytes are given back only after another account goes on,
// such as a message that waits for its statement. It is not expected to end a deadlock.
func (p *Pool) OpenPassive(shares ...*Share) *Account {
	return &Account{pool: p, passive: true, shares: shares}
}

// Join has all that the account holds be of a share, too.
func (a *Account) Join(s *Share) {
	a.pool.mu.Lock()
	defer a.pool.mu.Unlock()
	a.shares = append(a.shares, s)
	s.held += a.charged()
}

// Leave undoes Join.
func (a *Account) Leave(s *Share) {
	a.pool.mu.Lock()
	defer a.pool.mu.Unlock()
	for i, other := range a.shares {
		if other == s {
			a.shares = append(a.shares[:i:i], a.shares[i+1:]...)
			s.held -= a.charged()
			a.pool.settle()
			return
		}
	}
}

// Take takes n bytes, which are to be allocated afterwards. It waits while there is no room.
//
// Errors: *FullError, or the cause for which ctx is done.
func (a *Account) Take(ctx context.Context, n int64) error {
	if n <= 0 {
		return nil
	}
	return a.pool.take(ctx, a, n)
}

// TryTake takes n bytes if they are there and nobody waits for them.
func (a *Account) TryTake(n int64) bool {
	a.pool.mu.Lock()
	defer a.pool.mu.Unlock()
	ok := len(a.pool.waiting) == 0 && a.fits(n)
	if ok {
		a.change(n)
	}
	return ok
}

// Give gives n bytes back.
func (a *Account) Give(n int64) {
	if n <= 0 {
		return
	}
	a.pool.mu.Lock()
	defer a.pool.mu.Unlock()
	a.change(-min(n, a.used))
	a.pool.settle()
}

// Held is how many bytes the account has taken.
func (a *Account) Held() int64 {
	a.pool.mu.Lock()
	defer a.pool.mu.Unlock()
	return a.used
}

// Close gives everything back, and tells how much that was. Whoever still waits is refused, and
// nothing can be taken any more.
func (a *Account) Close() (left int64) {
	a.pool.mu.Lock()
	defer a.pool.mu.Unlock()
	left, a.closed = a.used, true
	a.change(-a.used)
	for i := len(a.pool.waiting) - 1; i >= 0; i-- {
		if c := a.pool.waiting[i]; c.account == a {
			a.pool.end(c, a.pool.refusal(a, c.bytes))
		}
	}
	a.pool.settle()
	return left
}

// All below needs the pool's mu.

// charged is what the account holds of the pool.
func (a *Account) charged() int64 { return max(0, a.used-Allowance) }

// more is what n bytes would take of the pool.
func (a *Account) more(n int64) int64 { return max(0, a.used+n-Allowance) - a.charged() }

// possible tells whether n bytes could be taken if nobody else held any.
func (a *Account) possible(n int64) bool {
	wanted := max(0, a.used+n-Allowance)
	for _, s := range a.shares {
		if wanted > s.limit {
			return false
		}
	}
	return !a.closed && wanted <= a.pool.limit
}

func (a *Account) fits(n int64) bool {
	more := a.more(n)
	for _, s := range a.shares {
		if more > s.limit-s.held {
			return false
		}
	}
	return !a.closed && more <= a.pool.limit-a.pool.held
}

// change adds n bytes, or takes them away.
func (a *Account) change(n int64) {
	p, before := a.pool, a.charged()
	a.used += n
	after := a.charged()
	p.held += after - before
	p.peak = max(p.peak, p.held)
	for _, s := range a.shares {
		s.held += after - before
	}
	switch {
	case before == 0 && after > 0:
		p.clock++
		a.since = p.clock
		p.hold(a, 1)
	case before > 0 && after == 0:
		p.hold(a, -1)
	}
}

func (p *Pool) hold(a *Account, n int) {
	if !a.passive {
		p.active += n
	}
}

// counts tells whether a deadlock may be of it: it holds something, and could end.
func (a *Account) counts() bool { return !a.passive && a.charged() > 0 }

// precedence orders claims: accounts that hold something by age, then all others.
func (a *Account) precedence() uint64 {
	if a.charged() > 0 {
		return a.since
	}
	return math.MaxUint64
}
