package driver

import (
	"errors"
	"math"
	"time"
)

// The link is measured by the fastest of copies of some megabytes, beside which it is little to begin one; a card that
// is nearly full gets smaller ones. They go on for a while: a link that was idle sleeps, and takes milliseconds to be
// awake.
const (
	linkBytes  = 16 << 20
	linkLeast  = 1 << 20
	linkCopies = 5
	linkTime   = 20 * time.Millisecond
)

// LinkBandwidth is how many bytes a second are copied to the card from pinned memory: measured, the first
// time that it is asked for.
func (c *Context) LinkBandwidth() (uint64, error) { return c.link() }

func (c *Context) measureLink() (rate uint64, err error) {
	return rate, c.during(func() (err error) {
		s, err := c.NewStream()
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.Destroy()) }()
		rate, err = c.timeCopies(s)
		return err
	})
}

func (c *Context) timeCopies(s Stream) (rate uint64, err error) {
	to, bytes, err := allocFree(s, linkBytes, linkLeast)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Free(to), s.Synchronize()) }()
	from, err := AllocPinned(bytes)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, FreePinned(from)) }()
	var begin, end Event
	for _, e := range []*Event{&begin, &end} {
		if *e, err = c.NewEvent(true); err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, e.Destroy()) }()
	}
	least, until := time.Duration(math.MaxInt64), time.Now().Add(linkTime)
	for i := 0; i < linkCopies || time.Now().Before(until); i++ {
		took, err := timeCopy(s, to, from, begin, end)
		if err != nil {
			return 0, err
		}
		least = min(least, max(took, 1))
	}
	return uint64(float64(bytes) / least.Seconds()), nil
}

// allocFree allocates so many bytes, or what part of them, by halves, the card has left.
func allocFree(s Stream, bytes, least uint64) (Pointer, uint64, error) {
	for ; ; bytes /= 2 {
		if p, err := s.Alloc(bytes); !errors.Is(err, OutOfMemory) || bytes <= least {
			return p, bytes, err
		}
	}
}

// timeCopy is how long one takes on the card's own clock.
func timeCopy(s Stream, to Pointer, from []byte, begin, end Event) (time.Duration, error) {
	err := errors.Join(begin.Record(s), s.CopyIn(to, from), end.Record(s), end.Synchronize())
	if err != nil {
		return 0, err
	}
	return end.Since(begin)
}
