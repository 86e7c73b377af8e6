package memory

import (
	"context"
	"math"
	"sync"
	"time"
)

// Allowance is how many bytes an account may hold that the pool does not count.
const Allowance = 32 << 10

// DefaultPatience is how long a request waits for memory.
const DefaultPatience = 5 * time.Second

// Pool is an amount of memory that accounts take from.
type Pool struct {
	limit    int64
	patience time.Duration

	mu      sync.Mutex // protects all below, and the fields of accounts and shares
	held    int64
	peak    int64
	clock   uint64   // counts accounts that began to hold something
	active  int      // accounts that hold something and are not passive
	waiting []*claim // by arrival
}

// NewPool is a pool of so many bytes; 0 or less: there is no limit. Requests wait up to patience.
func NewPool(limit int64, patience time.Duration) *Pool {
	if limit <= 0 {
		limit = math.MaxInt64
	}
	return &Pool{limit: limit, patience: patience}
}

// Unlimited is a pool that only counts.
func Unlimited() *Pool { return NewPool(0, 0) }

// Limit is how much there is; math.MaxInt64: there is no limit.
func (p *Pool) Limit() int64 { return p.limit }

// Held is how many bytes are taken.
func (p *Pool) Held() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.held
}

// ResetPeak tells the most that was taken since it was called last, and how much is taken now.
func (p *Pool) ResetPeak() (peak, held int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	peak, p.peak = p.peak, p.held
	return peak, p.held
}

// Share bounds what some accounts take together, as a part of the pool.
type Share struct {
	limit int64
	held  int64 // protected by the pool's mu
}

// NewShare is a share of so many bytes; 0 or less: the whole pool.
func (p *Pool) NewShare(limit int64) *Share {
	if limit <= 0 {
		limit = p.limit
	}
	return &Share{limit: min(limit, p.limit)}
}

// claim is a request that waits.
type claim struct {
	account *Account
	bytes   int64
	settled chan error // holds the answer; nil: granted
}

// take grants n bytes to an account, at once or after waiting.
func (p *Pool) take(ctx context.Context, a *Account, n int64) error {
	p.mu.Lock()
	if !a.possible(n) {
		defer p.mu.Unlock()
		return p.refusal(a, n)
	}
	if a.fits(n) && (a.charged() > 0 || len(p.waiting) == 0) {
		a.change(n)
		p.mu.Unlock()
		return nil
	}
	c := &claim{account: a, bytes: n, settled: make(chan error, 1)}
	a.claims++
	p.waiting = append(p.waiting, c)
	p.settle()
	p.mu.Unlock()
	return p.await(ctx, c)
}

func (p *Pool) await(ctx context.Context, c *claim) error {
	timer := time.NewTimer(p.patience)
	defer timer.Stop()
	select {
	case err := <-c.settled:
		return err
	case <-ctx.Done():
		return p.giveUp(c, context.Cause(ctx))
	case <-timer.C:
		return p.giveUp(c, nil)
	}
}

// giveUp ends a claim that was not settled meanwhile; why nil: it has waited long enough.
func (p *Pool) giveUp(c *claim, why error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case err := <-c.settled:
		return err
	default:
	}
	if why == nil {
		why = p.refusal(c.account, c.bytes)
	}
	p.end(c, why)
	p.settle()
	return <-c.settled
}
