package npu

import (
	"math"

	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
)

// isLoose tells whether a message may be sent later than its iteration: only the last state counts.
// The runtime then sends first what is best, and often need not send the rest at all. Where others
// apply what has come, they would have to be told who is left.
func (p *program) isLoose() bool {
	return shape.OnlyLastCounts(p.spec) && p.spec.Diverged == "" && (p.settling || !p.part)
}

// bound is how many rounds there are at most. Each vertex may be left once for each of the others.
func (p *program) bound() int {
	bound := p.spec.Bound(uint64(p.n))
	if p.isLoose() && bound > 0 && p.n < math.MaxInt/bound {
		return bound * p.n
	}
	return bound
}

// leave has those send later who were left, numbered as the matrix has them.
func leave(left []uint64, ids []uint32, later []uint64) {
	for i := range bitmap.Members(left) {
		v := ids[i]
		later[v/64] |= 1 << (v % 64)
	}
}
