package kit

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/activity"
)

// Converged tells whether nothing is left to do: the program has had all its iterations, or
// nothing more changes and it does not ask for all.
func Converged(p *algorithms.Program, n, iteration int, active uint64, change float64) bool {
	return iteration >= p.Bound(uint64(n)) || !p.Exactly && activity.Settled(p, n, iteration, active, change)
}
