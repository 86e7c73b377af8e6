package als

import (
	"encoding/binary"
	"math"
)

// What workers add up over the held-out ratings of an epoch.
const (
	heldSquares = iota // Σ (r − r̂)²
	tallies
)

// end says which epoch is the last.
type end struct {
	Params
	learned, held int
	was           float64 // the error of the epoch before; 0: there is none
}

func newEnd(p Params, g *Joined) *end { return &end{Params: p, learned: g.learned, held: g.held} }

// done is told of an epoch.
func (e *end) done(_ int, loss float64, workers [][]float64) bool {
	sum, n := loss, e.learned
	if e.held > 0 {
		sum, n = 0, e.held
		for _, w := range workers {
			sum += w[heldSquares]
		}
	}
	is, was := math.Sqrt(sum/float64(max(n, 1))), e.was
	e.was = is
	return was > 0 && is >= was*(1-e.Tolerance)
}

// keep has the error kept.
func (e *end) keep(keep func([]byte)) {
	bits := binary.LittleEndian.AppendUint64(nil, math.Float64bits(e.was))
	keep(bits)
	e.was = math.Float64frombits(binary.LittleEndian.Uint64(bits))
}

// unit is a power of two of which float64 has whole numbers up to more than all ratings have off their mean.
func (e *end) unit() float64 {
	const bits = 50
	_, power := math.Frexp(e.Variance * float64(e.learned+e.held))
	return math.Ldexp(1, max(power-bits, -1000))
}
