package lists

// Company is how many bytes of lists come along with those that a pass needs, since they may be of use before it ends:
// more where they mostly were, and in the whole run no more in vain than a bound and what is earned.
type Company struct{ fill, credit uint64 }

const leastFill = 16 << 10

// NewCompany lets so many bytes come in vain.
func NewCompany(credit uint64) Company { return Company{fill: leastFill, credit: credit} }

// Room is how many bytes may come along with what a batch has.
func (c *Company) Room(b *Batch) uint64 { return min(c.fill, c.credit, b.Left()) }

// Settle counts what has come, and what of it was of no use.
func (c *Company) Settle(all, vain uint64) {
	c.credit -= min(c.credit, vain)
	if vain > all/2 {
		c.fill = max(c.fill/2, leastFill)
	} else {
		c.fill *= 2
	}
}

// Earn lets so many bytes more come in vain.
func (c *Company) Earn(bytes uint64) { c.credit += bytes }
