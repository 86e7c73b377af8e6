package packed

import (
	"slices"
	"time"
)

// lately is how many times a rate remembers.
const lately = 9

// rate is the seconds that a byte of a chunk took, lately.
type rate []float64

func (r *rate) add(bytes int, took time.Duration) {
	*r = append(*r, took.Seconds()/float64(bytes))
	*r = (*r)[max(0, len(*r)-lately):]
}

func (r rate) known() bool { return len(r) > 0 }

// byte is the median: now and then a read waits for what has nothing to do with it. It must be known.
func (r rate) byte() float64 { return slices.Sorted(slices.Values(r))[len(r)/2] }

// rates are what this run's reads took, by the clock of who waited for them.
type rates struct {
	whole  rate // chunks as they are stored
	making rate // copies: packing, and writing
	copies rate // chunks of copies: reading, and unpacking
}

// sooner tells whether copies are read sooner than what they are copies of.
func (r rates) sooner() bool { return r.copies.known() && r.copies.byte() < r.whole.byte() }

// pays tells whether a chunk had better been copied at once that has been read so many times: by then as much time has
// been lost without a copy as making one takes. How often it will be read nobody knows, but whoever decides like that
// never loses more than twice what was necessary (rent or buy; Karlin, Manasse, Rudolph, Sleator 1988).
func (r rates) pays(reads int) bool {
	return float64(reads)*(r.whole.byte()-r.copies.byte()) >= r.making.byte()
}
