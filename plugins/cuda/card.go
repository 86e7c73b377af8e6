package cuda

import (
	"errors"
	"sync"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// card is what the sessions on one card share.
type card struct {
	context   *driver.Context
	plain     *kernels.Plain
	bandwidth uint64 // bytes a second from pinned memory

	mu         sync.Mutex
	lost       error               // why nothing can be done with it any more
	rings      []*ring             // that no session has
	procedures *kernels.Procedures // nil: not wanted yet
	solve      *kernels.Solve
	pins       map[*arena.Arena]*pins
}

func openCard(ordinal int) (*card, error) {
	context, err := driver.Open(ordinal)
	if err != nil {
		return nil, err
	}
	c := &card{context: context, pins: map[*arena.Arena]*pins{}}
	if err = suits(context.Card); err == nil {
		err = c.prepare()
	}
	if err != nil {
		return nil, errors.Join(err, context.Close())
	}
	return c, nil
}

// leastMajor is the compute capability that kernels/ptx.sh compiles for.
const leastMajor = 7

// suits refuses a card that cannot run the kernels.
func suits(c driver.Card) error {
	if c.Major >= leastMajor {
		return nil
	}
	return plugins.Errorf(plugins.KindUnsupported, "card %d, %v, is too old: compute capability %d.0 is the least",
		c.Ordinal, c, leastMajor)
}

// prepare loads the kernels that every program uses, and measures the link.
func (c *card) prepare() error {
	t, err := newThread(c.context)
	if err != nil {
		return err
	}
	defer t.end()
	return t.do(func() (err error) {
		if c.plain, err = kernels.LoadPlain(); err == nil {
			c.bandwidth, err = c.context.LinkBandwidth()
		}
		return err
	})
}

// note remembers an error after which the card's context is of no use to this process, and returns err as others
// are to see it.
func (c *card) note(err error) error {
	var known *plugins.Error
	switch {
	case errors.Is(err, driver.Sticky):
		lost := plugins.Errorf(
			plugins.KindInternal, "the card was lost, and this process cannot use it any more; another run starts a new one, and if it happens again, the system's log says why (Xid): %w", err)
		c.lose(lost)
		return lost
	case errors.As(err, &known):
		return err
	case errors.Is(err, driver.OutOfMemory):
		return plugins.Errorf(
			plugins.KindBudget, "%w: others use the card as well (see nvidia-smi); give a lower --device-memory", err)
	}
	return err
}

func (c *card) lose(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost == nil {
		c.lost = err
	}
}

// fate is why the card cannot be used, or nil.
func (c *card) fate() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost
}

// forProcedures are the kernels of procedures, loaded when they are first wanted.
func (c *card) forProcedures() (*kernels.Procedures, error) {
	return loaded(c, &c.procedures, kernels.LoadProcedures)
}

// forSolvers are those of solvers.
func (c *card) forSolvers() (*kernels.Solve, error) { return loaded(c, &c.solve, kernels.LoadSolve) }

func loaded[T any](c *card, into **T, load func() (*T, error)) (*T, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if *into != nil {
		return *into, nil
	}
	made, err := load()
	if err != nil {
		return nil, err
	}
	*into = made
	return made, nil
}
