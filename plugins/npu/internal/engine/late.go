package engine

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// sendsLate tells whether a message may be sent later than its iteration: only the last state counts.
// The runtime then sends first what is best, and often need not send the rest at all. Where other sessions
// apply what has come, they would have to be told which vertices are left.
func sendsLate(spec *algorithms.Program, settling, part bool) bool {
	return shape.OnlyLastCounts(spec) && spec.Diverged == "" && (settling || !part)
}

// bound is how many rounds there are at most. Each vertex may be left once for each of the others.
func bound(spec *algorithms.Program, n int, late bool) int {
	bound := spec.Bound(uint64(n))
	if late && bound > 0 && n < math.MaxInt/bound {
		return bound * n
	}
	return bound
}
