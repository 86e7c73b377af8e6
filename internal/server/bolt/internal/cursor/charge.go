package cursor

import (
	"context"

	"github.com/penstock-db/penstock/internal/memory"
)

// Charge is memory that a request's values take: the request's, or that of the result which it opens.
type Charge struct {
	account *memory.Account
	bytes   int64
}

// NewCharge takes memory from an account.
func NewCharge(account *memory.Account) *Charge { return &Charge{account: account} }

// Take takes more.
func (c *Charge) Take(ctx context.Context, bytes int) error {
	err := c.account.Take(ctx, int64(bytes))
	if err == nil {
		c.bytes += int64(bytes)
	}
	return err
}

// Move is the charge in other hands: c has nothing to release any more.
func (c *Charge) Move() *Charge {
	moved := *c
	c.bytes = 0
	return &moved
}

// Release gives all back; done again, it does nothing.
func (c *Charge) Release() {
	c.account.Give(c.bytes)
	c.bytes = 0
}
