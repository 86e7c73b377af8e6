package cuda

import (
	"errors"
	"fmt"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// borrowing is memory of other processes that chunks are copied from. It is closed when Execute ends: until then nobody
// frees it.
type borrowing struct {
	opened  map[driver.Handle]driver.Pointer
	refused map[driver.Handle]error
}

// borrow copies a chunk's lists from the device that has them. It tells whether that is possible; if it is not, nothing
// has been done.
func (s *session) borrow(u *upload, from string) (bool, error) {
	r := u.resident
	if from == "" {
		return false, nil
	}
	e, err := parseExport(from)
	if err == nil && (e.Skipped != r.skipped || e.Length != uint64(len(r.body))) {
		err = fmt.Errorf("%d bytes of the chunk from %d on were exported; expected %d from %d on", e.Length, e.Skipped,
			len(r.body), r.skipped)
	}
	var at driver.Pointer
	if err == nil {
		at, err = s.borrowing.open(s.card.Context, e)
	}
	if err != nil {
		u.declined = err
		return false, nil //nolint:nilerr // it is told, and the arena has the chunk as well
	}
	return true, s.streams.Copying.Copy(r.memory, at+driver.Pointer(e.Offset), e.Length)
}

// open is the address here of what another process has lent. What is refused is not asked for again.
func (b *borrowing) open(c *driver.Context, e export) (driver.Pointer, error) {
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

// close ends the use of all of it.
func (b *borrowing) close(c *driver.Context) error {
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
