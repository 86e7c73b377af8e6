package check

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// Restore refuses an iteration that the program does not have, or that is not what
// the active set says. A task that settles counts rounds of its own.
func Restore(p *algorithms.Program, settling bool, n int, active []uint64, it plugins.Iteration) error {
	bound, count := p.Bound(uint64(n)), bitmap.Count(active)
	switch {
	case it.Number < 0 || it.Number > bound && !settling:
		return plugins.Errorf(plugins.KindInvalid, "Restore of iteration %d; the program has %d", it.Number, bound)
	case count != it.Active || n%64 != 0 && active[len(active)-1]>>(n%64) != 0:
		return plugins.Errorf(plugins.KindInvalid, "Restore of %d active vertices of %d; the active set has %d", it.Active, n,
			count)
	}
	return nil
}
