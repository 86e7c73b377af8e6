// Package card is one NVIDIA GPU, as all sessions of this process share it.
//
//	Open     number ──▶ Card: the driver's context, the kernels of every program    (card.go)
//	Thread   an OS thread on which the context is current                          (thread.go)
//	PinsOf   arena ──▶ Pins: blocks of it that the card copies from by itself       (pins.go)
//	TakeBuffers, GiveBuffers   pinned memory, which passes from session to session (buffers.go)
//	Note     an error ──▶ the same, or that the card was lost: then Fate says so    (fate.go)
package card

import (
	"errors"
	"sync"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// Card is what the sessions on one card share. Procedures, Solvers and Networks load their kernels when they are first
// wanted.
type Card struct {
	Context   *driver.Context
	Plain     *kernels.Plain
	Bandwidth uint64 // bytes a second from pinned memory

	mu         sync.Mutex
	lost       error               // why nothing can be done with it any more
	buffers    []Buffers           // that no session has
	procedures *kernels.Procedures // nil: not wanted yet
	solve      *kernels.Solve
	networks   *kernels.Networks
	pins       map[*arena.Arena]*Pins
}

// Open opens a card by its number, loads the kernels that every program uses, and measures the link.
func Open(ordinal int) (*Card, error) {
	context, err := driver.Open(ordinal)
	if err != nil {
		return nil, err
	}
	c := &Card{Context: context, pins: map[*arena.Arena]*Pins{}}
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
func (c *Card) prepare() error {
	t, err := NewThread(c.Context)
	if err != nil {
		return err
	}
	defer t.End()
	return t.Do(func() (err error) {
		if c.Plain, err = kernels.LoadPlain(); err == nil {
			c.Bandwidth, err = c.Context.LinkBandwidth()
		}
		return err
	})
}

// Procedures are the kernels of procedures, loaded when they are first wanted.
func (c *Card) Procedures() (*kernels.Procedures, error) {
	return loaded(c, &c.procedures, kernels.LoadProcedures)
}

// Solvers are those of solvers.
func (c *Card) Solvers() (*kernels.Solve, error) { return loaded(c, &c.solve, kernels.LoadSolve) }

// Networks are those of neural networks.
func (c *Card) Networks() (*kernels.Networks, error) {
	return loaded(c, &c.networks, kernels.LoadNetworks)
}

func loaded[T any](c *Card, into **T, load func() (*T, error)) (*T, error) {
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
