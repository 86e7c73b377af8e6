package memory

import (
	"cmp"
	"slices"
)

// settle grants what there is room for and ends a deadlock. It needs mu.
func (p *Pool) settle() {
	p.serve()
	for p.stuck() {
		c := p.youngest()
		p.end(c, p.refusal(c.account, c.bytes))
		p.serve()
	}
}

// serve grants claims in order. Once one is short of the pool's memory, accounts that hold
// nothing yet have to wait behind it; others may still take what is left, so that they end.
func (p *Pool) serve() {
	if len(p.waiting) == 0 {
		return
	}
	order := slices.Clone(p.waiting)
	slices.SortStableFunc(order, func(a, b *claim) int {
		return cmp.Compare(a.account.precedence(),
			b.account.precedence())
	})
	short := false
	for _, c := range order {
		mayPass := !short || c.account.charged() > 0
		switch {
		case mayPass && c.account.fits(c.bytes):
			c.account.change(c.bytes)
			p.end(c, nil)
		case c.account.more(c.bytes) > p.limit-p.held:
			short = true
		}
	}
}

// end settles a claim.
func (p *Pool) end(c *claim, err error) {
	p.waiting = slices.DeleteFunc(p.waiting, func(other *claim) bool { return other == c })
	c.account.claims--
	c.settled <- err
}

// stuck tells whether all accounts that hold memory wait for more. A single one may wait for
// messages to be finished, or for its share.
func (p *Pool) stuck() bool {
	waiting := make(map[*Account]bool)
	for _, c := range p.waiting {
		if c.account.counts() {
			waiting[c.account] = true
		}
	}
	return len(waiting) >= 2 && len(waiting) == p.active
}

// youngest is the claim of the account that began last to hold something.
func (p *Pool) youngest() *claim {
	var last *claim
	for _, c := range p.waiting {
		if c.account.counts() && (last == nil || c.account.since > last.account.since) {
			last = c
		}
	}
	return last
}
