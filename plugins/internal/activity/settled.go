package activity

import "github.com/penstock-db/penstock/algorithms"

// Settled tells whether nothing more changes: no vertex is active, or the change is within
// the tolerance. As package algorithms defines it, the first iteration is done even when
// no vertex is active; a graph without vertices needs none.
func Settled(p *algorithms.Program, n, iteration int, active uint64, change float64) bool {
	if n == 0 || iteration == 0 {
		return n == 0
	}
	return active == 0 || p.Norm != algorithms.NoNorm && change <= p.Tolerance
}
