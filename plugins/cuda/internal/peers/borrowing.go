package peers

import (
	"errors"
	"fmt"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// Borrowing is memory of other processes that chunks are copied from. It is closed when Execute ends: until then it is
// not freed there.
type Borrowing struct {
	opened  map[driver.Handle]driver.Pointer
	refused map[driver.Handle]error
}

// Find is the address here of a chunk's lists, as another process has exported them: length bytes of the encoded chunk,
// after so many that are skipped.
func (b *Borrowing) Find(c *driver.Context, from string, skipped, length uint64) (driver.Pointer, error) {
	e, err := parseExport(from)
	if err != nil {
		return 0, err
	}
	if e.Skipped != skipped || e.Length != length {
		return 0, fmt.Errorf("%d bytes of the chunk from %d on were exported; expected %d from %d on", e.Length, e.Skipped,
			length, skipped)
	}
	at, err := b.open(c, e)
	return at + driver.Pointer(e.Offset), err
}

// open is the address here of what another process has lent. What is refused is not asked for again.
func (b *Borrowing) open(c *driver.Context, e export) (driver.Pointer, error) {
	if at, ok := b.opened[e.Handle]; ok {
		return at, nil
	}
	if err := b.refused[e.Handle]; err != nil {
		return 0, err
	}
	at, err := openExport(c, e)
	if err != nil {
		b.refused = add(b.refused, e.Handle, err)
		return 0, err
	}
	b.opened = add(b.opened, e.Handle, at)
	return at, nil
}

func openExport(c *driver.Context, e export) (driver.Pointer, error) {
	if reaches, err := c.Reaches(e.card()); err != nil || !reaches {
		return 0, errors.Join(fmt.Errorf("the card %s is not reached from %s", e.card(), c.Card.UUID), err)
	}
	return c.OpenShared(e.Handle)
}

// Close ends the use of all of it.
func (b *Borrowing) Close(c *driver.Context) error {
	var errs []error
	for _, at := range b.opened {
		errs = append(errs, c.CloseShared(at))
	}
	b.opened = nil
	return errors.Join(errs...)
}

func add[K comparable, V any](m map[K]V, key K, value V) map[K]V {
	if m == nil {
		m = map[K]V{}
	}
	m[key] = value
	return m
}
