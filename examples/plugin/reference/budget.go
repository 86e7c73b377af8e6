package reference

import "github.com/penstock-db/penstock/plugins"

// budget counts what a session holds, in bytes.
type budget struct {
	limit          uint64 // 0: no bound
	resident, peak uint64
}

// take charges n bytes before they are used, or refuses and charges nothing.
func (b *budget) take(n uint64) error {
	if b.limit > 0 && (n > b.limit || b.resident > b.limit-n) {
		return plugins.Errorf(plugins.KindBudget, "%d bytes more than the %d in use exceed the budget of %d", n, b.resident, b.limit)
	}
	b.resident += n
	b.peak = max(b.peak, b.resident)
	return nil
}

func (b *budget) give(n uint64) { b.resident -= n }
