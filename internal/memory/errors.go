package memory

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize"
)

// FullError refuses memory.
type FullError struct {
	Bytes int64 // that were asked for
	Own   int64 // that the account held already
	Held  int64 // that all accounts held of the pool
	Limit int64 // of the pool, or of a share of it
	Never bool  // there would be no room either if nobody else held any
}

func (e *FullError) Error() string {
	size := func(n int64) string { return humanize.IBytes(uint64(max(0, n))) }
	if e.Never {
		return fmt.Sprintf("%s more are needed beside %s, but the limit is %s: ask for less at once, or raise the limit",
			size(e.Bytes), size(e.Own), size(e.Limit))
	}
	return fmt.Sprintf("%s more are needed, but of the server's %s of memory others hold %s: try again later",
		size(e.Bytes), size(e.Limit), size(e.Held-e.Own))
}

// refusal needs mu.
func (p *Pool) refusal(a *Account, n int64) error {
	e := &FullError{Bytes: n, Own: a.used, Held: p.held, Limit: p.limit, Never: !a.possible(n) && !a.closed}
	least := int64(math.MaxInt64)
	for _, s := range a.shares {
		if a.more(n) > s.limit-s.held && s.limit < least {
			least = s.limit
			e.Held, e.Limit = s.held, s.limit
		}
	}
	return e
}
