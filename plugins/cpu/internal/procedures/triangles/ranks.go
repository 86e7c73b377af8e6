package triangles

import (
	"context"
	"math/bits"

	"github.com/penstock-db/penstock/plugins"
)

// rungs is the number of classes of degree that vertices are ranked by, and rungSteps
// how many of them a degree that has doubled has climbed.
const (
	rungSteps = 8
	rungs     = 61 * rungSteps // a degree has 63 bits
)

// rung is the class of a degree: small degrees have one each, large ones share one with
// those an eighth above.
func rung(degree int64) int {
	octave := bits.Len64(uint64(degree) / rungSteps)
	return octave*rungSteps + int(degree>>max(octave-1, 0))%rungSteps
}

// rank numbers the vertices by descending rung, those of one rung as they come: where
// ids already descend by degree, as many stores have them, every rank is the id. Those
// that are left out come last, with those without edges. A counting sort, so that all
// runs agree.
func rank(ctx context.Context, out, in []int64, excludes func(v int) bool) ([]uint32, error) {
	var starts [rungs + 1]uint32
	class := func(v int) int {
		if excludes(v) {
			return rungs - 1
		}
		return rungs - 1 - rung(out[v]+in[v])
	}
	for v := range out {
		if out[v] < 0 || in[v] < 0 || out[v]+in[v] < 0 {
			return nil, plugins.Errorf(plugins.KindInvalid, "vertex %d has the degrees %d and %d", v, out[v], in[v])
		}
		starts[class(v)+1]++
	}
	for i := range rungs {
		starts[i+1] += starts[i]
	}
	ranks := make([]uint32, len(out))
	for v := range out {
		at := &starts[class(v)]
		ranks[v] = *at
		*at++
	}
	return ranks, ctx.Err()
}
