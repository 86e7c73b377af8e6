package deltastepping

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// ranking numbers states, the best first, in 63 bits: those from 0 to infinity by their bits, and
// negative infinity at its end of them, as bottlenecks begin with it or have it where no path leads.
// NaN and other negative numbers have ranks beyond worst.
type ranking struct {
	flip, shift uint64
	below       uint64 // of negative infinity
}

// infinite are the bits of infinity, the greatest of a number that is neither NaN nor negative.
const infinite = 0x7FF << 52

// worst is the last rank of a state.
const worst = infinite + 1

func rankingOf(r algorithms.Reduce) ranking {
	if r == algorithms.Max {
		return ranking{flip: math.MaxUint64, shift: infinite + 1, below: worst}
	}
	return ranking{shift: 1}
}

// of is the rank of x, which is not negative infinity.
func (r ranking) of(x float64) uint64 { return (math.Float64bits(x) ^ r.flip) + r.shift }

// encode is the rank of any x.
func (r ranking) encode(x float64) uint64 {
	if math.IsInf(x, -1) {
		return r.below
	}
	return r.of(x)
}

// decode is the state that has a rank.
func (r ranking) decode(rank uint64) float64 {
	if rank == r.below {
		return math.Inf(-1)
	}
	return math.Float64frombits((rank - r.shift) ^ r.flip)
}

// scale divides ranks into buckets: at equal distances between sums; between products by their
// bits, which grow about as logarithms do; and between bottlenecks by bits as well.
type scale struct {
	ranking
	linear  bool    // by states, which are least sums
	first   uint64  // else: bucket 0 begins there
	perUnit float64 // buckets for a distance of 1 between states, or ranks
	last    float64 // takes in whatever is further
}

// lastBucket is the last of sums and products.
const lastBucket = 1 << 52

// bucket is the number of the bucket of a rank.
func (s *scale) bucket(rank uint64) uint64 {
	distance := float64(rank - s.first)
	if s.linear {
		distance = s.decode(rank)
	} else if rank < s.first {
		distance = 0
	}
	return uint64(int64(min(distance*s.perUnit, s.last)))
}

// newScale makes a scale from sampled weights; degree is the mean of vertices.
func newScale(r ranking, w shape.Weighting, weights []float64, degree float64) scale {
	switch w {
	case shape.Plus:
		return scale{ranking: r, linear: true, perUnit: 1 / widthOf(weights, degree), last: lastBucket}
	case shape.Times:
		lengths := weights[:0]
		for _, factor := range weights {
			lengths = append(lengths, math.Abs(float64(int64(math.Float64bits(factor)-math.Float64bits(1)))))
		}
		return scale{ranking: r, perUnit: 1 / widthOf(lengths, degree), last: lastBucket}
	}
	best, end := uint64(worst), uint64(0)
	for _, width := range weights {
		rank := r.of(width)
		best, end = min(best, rank), max(end, rank)
	}
	s := scale{ranking: r, first: best, perUnit: 1, last: slots - 1}
	if best < end {
		s.perUnit = s.last / float64(end-best)
	}
	return s
}

// widening is how many times the mean length over the square of the mean degree a bucket
// is wide: of the two that were tried, 20 and 40, the better by the edges that were looked at.
const widening = 40

// widthOf is how wide a bucket is. In one of a times the mean length about a·degree edges of
// a vertex stay in it and may have others relaxed once more, which each look at degree edges
// again: a is to be the less, the more degree² is. None need be narrower than the least length.
func widthOf(lengths []float64, degree float64) float64 {
	sum, count, least := 0.0, 0.0, math.Inf(1)
	for _, x := range lengths {
		if x > 0 {
			sum, count, least = sum+x, count+1, min(least, x)
		}
	}
	width := max(least, widening*(sum/max(1, count))/(degree*degree))
	if !(width > math.SmallestNonzeroFloat64*lastBucket) || math.IsInf(width, 1) {
		return 1
	}
	return width
}
