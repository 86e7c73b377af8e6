package card

import (
	"errors"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// Note remembers an error after which the card's context is of no use to this process, and returns err as others
// are to see it.
func (c *Card) Note(err error) error {
	var known *plugins.Error
	switch {
	case errors.Is(err, driver.Sticky):
		lost := plugins.Errorf(plugins.KindInternal, "the card was lost, and this process cannot use it any more; "+
			"another run starts a new one, and if it happens again, the system's log says why (Xid): %w", err)
		c.Lose(lost)
		return lost
	case errors.As(err, &known):
		return err
	case errors.Is(err, driver.OutOfMemory):
		return plugins.Errorf(
			plugins.KindBudget, "%w: others use the card as well (see nvidia-smi); give a lower --device-memory", err)
	}
	return err
}

// Lose says that nothing can be done with the card any more, and why. The first reason stays.
func (c *Card) Lose(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost == nil {
		c.lost = err
	}
}

// Fate is why the card cannot be used, or nil.
func (c *Card) Fate() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost
}
