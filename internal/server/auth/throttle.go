package auth

import (
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"net/netip"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Throttle slows guesses down, by failures that it counts in three ways:
//
//  1. of a user from an address. After 3, the next attempt is refused for 1 s, then 2 s, 4 s, up
//     to a minute. Logging in from there ends it.
//  2. of an address, whatever the users. After 30, likewise.
//  3. of a user, from wherever. After 10, an attempt waits for 100 ms, then 200 ms, up to 2 s. It is
//     never refused, so that failures from elsewhere do not lock a user out.
//
// What is refused is not looked at, so it tells nothing and costs no hash. A failure is forgotten after a
// minute. An IPv6 address counts with all of its /64 network, which one host may have to itself. At
// most maxCounts are kept, those of the latest failures: 3.4 MiB.
type Throttle struct {
	now  func() time.Time
	wait func(context.Context, time.Duration) error
	seed maphash.Seed

	mu     sync.Mutex // for counts
	counts *simplelru.LRU[countKey, count]
}

const maxCounts = 10_000

// NewThrottle has counted no failure yet.
func NewThrottle() *Throttle {
	counts, err := simplelru.NewLRU[countKey, count](maxCounts, nil)
	if err != nil {
		panic(err) // the size is below 1
	}
	return &Throttle{now: time.Now, wait: sleep, seed: maphash.MakeSeed(), counts: counts}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// policy is how long the pause after failures is: none after the free ones, then first, then twice
// as much each time, up to longest.
type policy struct {
	free           int
	first, longest time.Duration
}

const (
	byUserAndAddress = iota
	byAddress
	byUser
)

var policies = [...]policy{
	byUserAndAddress: {free: 3, first: time.Second, longest: time.Minute},
	byAddress:        {free: 30, first: time.Second, longest: time.Minute},
	byUser:           {free: 10, first: 100 * time.Millisecond, longest: 2 * time.Second},
}

// forgotten is after how long a failure no longer counts.
const forgotten = time.Minute

// countKey is the user and address that failed. Of a name, which may be long, it has a hash.
type countKey struct {
	by      int
	user    uint64
	address netip.Prefix
}

// count is failures, of which one is forgotten every minute.
type count struct {
	failures float64
	last     time.Time
}

// at is how many failures count at that time.
func (c count) at(now time.Time) float64 {
	return max(0, c.failures-float64(now.Sub(c.last))/float64(forgotten))
}

// pause is how long the attempt after the last failure has to wait.
func (p policy) pause(failures float64) time.Duration {
	beyond := int(math.Round(failures)) - p.free
	if beyond < 0 {
		return 0
	}
	return min(p.longest, p.first<<min(beyond, 20))
}

// most is how many failures are counted: one more would not make the pause longer.
func (p policy) most() float64 { return float64(p.free + 10) }

func (t *Throttle) keys(user string, address netip.Addr) [3]countKey {
	name, network := maphash.String(t.seed, user), network(address)
	return [...]countKey{
		byUserAndAddress: {byUserAndAddress, name, network},
		byAddress:        {byAddress, 0, network},
		byUser:           {byUser, name, netip.Prefix{}},
	}
}

// network is what counts as one address.
func network(address netip.Addr) netip.Prefix {
	address = address.Unmap()
	bits := address.BitLen()
	if address.Is6() {
		bits = 64
	}
	prefix, _ := address.WithZone("").Prefix(bits) // of an address that is none: the zero prefix
	return prefix
}

// delay waits as long as an attempt for this user has to.
func (t *Throttle) delay(ctx context.Context, user string) error {
	t.mu.Lock()
	pause := t.pause(t.keys(user, netip.Addr{})[byUser])
	t.mu.Unlock()
	if pause == 0 {
		return nil
	}
	return t.wait(ctx, pause)
}

// check fails with a *TooManyError while attempts of this user or address are refused.
func (t *Throttle) check(user string, address netip.Addr) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	keys := t.keys(user, address)
	var rest time.Duration
	for _, key := range keys[:byUser] {
		if c, ok := t.counts.Peek(key); ok {
			rest = max(rest, c.last.Add(t.pause(key)).Sub(t.now()))
		}
	}
	if rest > 0 {
		return &TooManyError{After: rest}
	}
	return nil
}

// pause needs t.mu.
func (t *Throttle) pause(key countKey) time.Duration {
	c, _ := t.counts.Peek(key)
	return policies[key.by].pause(c.at(t.now()))
}

// failed counts a failure.
func (t *Throttle) failed(user string, address netip.Addr) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	for _, key := range t.keys(user, address) {
		c, _ := t.counts.Peek(key)
		t.counts.Add(key, count{failures: min(c.at(now)+1, policies[key.by].most()), last: now})
	}
}

// succeeded ends the pause of a user at an address. It does not end that of the address: a client that
// knows one password could else guess others without a pause.
func (t *Throttle) succeeded(user string, address netip.Addr) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts.Remove(t.keys(user, address)[byUserAndAddress])
}

// TooManyError is an attempt to log in that was refused unseen, after too many failures.
type TooManyError struct{ After time.Duration } // until the next one is looked at

func (e *TooManyError) Error() string {
	return fmt.Sprintf("too many failed logins: try again in %s", e.After.Round(time.Second)+time.Second)
}

// Code is Neo4j's.
func (e *TooManyError) Code() string { return "Neo.ClientError.Security.AuthenticationRateLimit" }
