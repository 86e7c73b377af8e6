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
	least         float64 // the error that was counted as falling last; 0: there is none
	stays         uint64  // epochs since then
}

// patience is for how many epochs the error of ratings that are held out may stay above the least. Where the penalty is
// small it rises in early epochs, while factors fit the ratings that are learned from, and then falls. Their error
// never rises.
const patience = 5

func newEnd(p Params, g *Joined) *end { return &end{Params: p, learned: g.learned, held: g.held} }

// done is told of an epoch.
func (e *end) done(_ int, loss float64, workers [][]float64) bool {
	sum, n, most := loss, e.learned, uint64(1)
	if e.held > 0 {
		sum, n, most = 0, e.held, patience
		for _, w := range workers {
			sum += w[heldSquares]
		}
	}
	is := math.Sqrt(sum / float64(max(n, 1)))
	if e.stays++; e.least == 0 || is < e.least*(1-e.Tolerance) {
		e.least, e.stays = is, 0
	}
	return e.stays >= most
}

// keep has what is known of epochs kept.
func (e *end) keep(keep func([]byte)) {
	bits := binary.LittleEndian.AppendUint64(nil, math.Float64bits(e.least))
	bits = binary.LittleEndian.AppendUint64(bits, e.stays)
	keep(bits)
	e.least, e.stays = math.Float64frombits(binary.LittleEndian.Uint64(bits)), binary.LittleEndian.Uint64(bits[8:])
}

// unit is a power of two of which float64 has whole numbers up to more than all ratings have off their mean.
func (e *end) unit() float64 {
	const bits = 50
	_, power := math.Frexp(e.Variance * float64(e.learned+e.held))
	return math.Ldexp(1, max(power-bits, -1000))
}
