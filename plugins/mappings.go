package plugins

import (
	"errors"
	"sync"

	"github.com/penstock-db/penstock/plugins/arena"
)

// mappings are the arenas that a server has mapped. The last one stays mapped when its
// session has ended: a host that opens the next session on the same arena finds it as it
// was, with every page in place, and the device is given the same *arena.Arena again.
type mappings struct {
	mu  sync.Mutex // protects all
	all []*mapping
}

type mapping struct {
	*arena.Arena
	sessions int
}

// open is the arena that ref leads to, mapped for one session more.
func (m *mappings) open(ref arena.Ref) (*mapping, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, known := range m.all {
		if known.Is(ref) {
			arena.Forget(ref)
			known.sessions++
			return known, nil
		}
	}
	if err := m.dropIdle(); err != nil {
		return nil, err
	}
	a, err := arena.Open(ref)
	if err != nil {
		return nil, err
	}
	opened := &mapping{Arena: a, sessions: 1}
	m.all = append(m.all, opened)
	return opened, nil
}

// close ends the use by one session.
func (m *mappings) close(old *mapping) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	old.sessions--
	if len(m.all) == 1 {
		return nil
	}
	return m.dropIdle()
}

// dropIdle unmaps what no session uses. It needs m.mu.
func (m *mappings) dropIdle() error {
	var err error
	var used []*mapping
	for _, one := range m.all {
		if one.sessions > 0 {
			used = append(used, one)
			continue
		}
		err = errors.Join(err, one.Close())
	}
	m.all = used
	return err
}
