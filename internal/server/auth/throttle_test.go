package auth

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"
)

// guesses counts how many of n wrong passwords are looked at, one every interval.
func guesses(t *testing.T, g *Guard, c *clock, n int, every time.Duration,
	guess func(i int) (netip.Addr, string)) (seen int) {
	t.Helper()
	for i := range n {
		from, name := guess(i)
		switch _, err := g.Authenticate(t.Context(), from, "basic", name, "wrong"); {
		case errors.Is(err, ErrRefused):
			seen++
		case !errors.As(err, new(*TooManyError)):
			t.Fatal(err)
		}
		c.now = c.now.Add(every)
	}
	return seen
}

// Of a hundred guesses a second for an hour few are looked at, and the user comes in from elsewhere
// all the time.
func TestThrottle_BruteForce(t *testing.T) {
	g, c := guard(t, Users{"ann": {Hash: cheap("sesame")}})
	seen := 0
	for range 60 {
		seen += guesses(t, g, c, 600, 100*time.Millisecond, func(int) (netip.Addr, string) { return here, "ann" })
		if _, err := g.Authenticate(t.Context(), there, "basic", "ann", "sesame"); err != nil {
			t.Fatal(err)
		}
	}
	if seen < 60 || seen > 80 {
		t.Errorf("%d guesses of 36000 were looked at", seen)
	}
	if _, err := g.Authenticate(t.Context(), here, "basic", "ann", "sesame"); !errors.As(err, new(*TooManyError)) {
		t.Errorf("the right password is looked at during the pause: %v", err)
	}
	c.now = c.now.Add(time.Minute)
	if _, err := g.Authenticate(t.Context(), here, "basic", "ann", "sesame"); err != nil {
		t.Errorf("the pause does not end: %v", err)
	}
}

// A client tries many names from one address, and logs in as one user in between.
func TestThrottle_Spraying(t *testing.T) {
	g, c := guard(t, Users{"ann": {Hash: cheap("sesame")}})
	seen := guesses(t, g, c, 36000, 100*time.Millisecond, func(i int) (netip.Addr, string) {
		_, _ = g.Authenticate(t.Context(), here, "basic", "ann", "sesame")
		return here, fmt.Sprint("user", i)
	})
	if seen < 60 || seen > 120 {
		t.Errorf("%d guesses of 36000 were looked at", seen)
	}
}

// One with many addresses is not refused, which would lock the user out, but waits.
func TestThrottle_ManyAddresses(t *testing.T) {
	g, c := guard(t, Users{"ann": {Hash: cheap("sesame")}})
	guesses(t, g, c, 100, 0, func(i int) (netip.Addr, string) {
		return netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}),
			"ann"
	})
	if _, err := g.Authenticate(t.Context(), here, "basic", "ann", "sesame"); err != nil {
		t.Error(err)
	}
	if n := len(c.waited); n != 100-10+1 || c.waited[0] != 100*time.Millisecond || c.waited[n-1] != 2*time.Second {
		t.Errorf("%d waits: %v", n, c.waited)
	}
}

// What one host may have to itself counts as one address.
func TestThrottle_IPv6(t *testing.T) {
	g, c := guard(t, nil)
	seen := guesses(t, g, c, 1000, 0, func(i int) (netip.Addr, string) {
		return netip.MustParseAddr(fmt.Sprintf("2001:db8::%x", i+1)), "ann"
	})
	if seen != 3 {
		t.Errorf("%d guesses were looked at", seen)
	}
}

// Memory is bounded, and clients that go on failing are not forgotten for those that fail once.
func TestThrottle_Bound(t *testing.T) {
	g, c := guard(t, nil)
	for i := range 3 * maxCounts {
		address := netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
		if i%100 == 0 {
			address = here
		}
		g.throttle.failed(fmt.Sprint(i), address)
	}
	if n := g.throttle.counts.Len(); n != maxCounts {
		t.Errorf("%d are counted", n)
	}
	if seen := guesses(t, g, c, 10, 0, func(int) (netip.Addr, string) { return here, "ann" }); seen != 0 {
		t.Error("who failed 300 times is let try again")
	}
}

// Many attempts at once are no faster than one after the other, but for those that are looked at
// at the same moment.
func TestThrottle_AtOnce(t *testing.T) {
	g, _ := guard(t, nil)
	results := make(chan error)
	for range 200 {
		go func() {
			_, err := g.Authenticate(t.Context(), here, "basic", "ann", "wrong")
			results <- err
		}()
	}
	seen := 0
	for range 200 {
		if errors.Is(<-results, ErrRefused) {
			seen++
		}
	}
	if most := 3 + cap(g.turns); seen < 3 || seen > most {
		t.Errorf("%d guesses were looked at, at most %d should be", seen, most)
	}
}
