package card

import (
	"errors"
	"sync"

	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// pinBytes is how much of an arena is pinned at once. An arena is much larger than what of it is in use, and what is
// pinned takes memory.
const pinBytes = 16 << 20

// Pins are the blocks of an arena that the card copies from by itself, while kernels run: those that were copied from
// before, as slots are again and again, or that kernels read. What comes once takes no longer by the ring.
type Pins struct {
	of    *arena.Arena
	users int // sessions that Execute

	mu      sync.Mutex // protects the fields below
	memory  []byte
	copied  map[uint64]bool
	pinned  map[uint64]bool
	refused error // why the system does not allow it: not tried again
}

// PinsOf are those of an arena, for one session more.
func (c *Card) PinsOf(a *arena.Arena) *Pins {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pins[a]
	if p == nil {
		memory, _ := a.Bytes(arena.Range{Length: a.Size()}) // all of it is a range of it
		p = &Pins{of: a, memory: memory, copied: map[uint64]bool{}, pinned: map[uint64]bool{}}
		c.pins[a] = p
	}
	p.users++
	return p
}

// Release ends the use by one session. After the last nothing is pinned.
func (c *Card) Release(p *Pins) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.users--; p.users > 0 {
		return nil
	}
	delete(c.pins, p.of)
	var errs []error
	for block := range p.pinned {
		errs = append(errs, driver.Unregister(p.block(block)))
	}
	return errors.Join(errs...)
}

func (p *Pins) block(number uint64) []byte {
	at := number * pinBytes
	return p.memory[at:min(at+pinBytes, uint64(len(p.memory)))]
}

// IsPinned tells whether all blocks of a range are pinned, and pins those that have come before.
func (p *Pins) IsPinned(at arena.Range) bool {
	return p.each(at, p.pin)
}

// Hold pins all blocks of a range, for kernels that read it, and tells whether they are.
func (p *Pins) Hold(at arena.Range) bool {
	return p.each(at, func(block uint64) bool {
		p.copied[block] = true
		return p.pin(block)
	})
}

// each does something for all blocks of a range, and tells whether it was well each time.
func (p *Pins) each(at arena.Range, do func(block uint64) bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := at.Length > 0
	for block := at.Offset / pinBytes; block*pinBytes < at.End(); block++ {
		all = do(block) && all
	}
	return all
}

func (p *Pins) pin(block uint64) bool {
	switch {
	case p.pinned[block]:
		return true
	case !p.copied[block] || p.refused != nil:
		p.copied[block] = true
		return false
	}
	p.refused = driver.Register(p.block(block))
	p.pinned[block] = p.refused == nil
	if p.refused != nil {
		delete(p.pinned, block)
	}
	return p.refused == nil
}

// Pieces calls do with the parts of a range, which the driver takes one by one: each lies in one block.
func (p *Pins) Pieces(at arena.Range, do func(offset uint64, piece []byte) error) error {
	for from := at.Offset; from < at.End(); {
		to := min(at.End(), (from/pinBytes+1)*pinBytes)
		if err := do(from-at.Offset, p.memory[from:to]); err != nil {
			return err
		}
		from = to
	}
	return nil
}
