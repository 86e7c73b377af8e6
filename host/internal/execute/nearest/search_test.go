package nearest

import (
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

type graph struct {
	plan.Graph
	vertices uint64
}

func (g graph) Manifest() *store.Manifest { return &store.Manifest{Vertices: g.vertices} }

// A search comes again to whom a device has reached before another would have let it: who is not active, and has a
// value that is worse than an active vertex's, may be reached once more, so that its list is needed once more. It has
// not been passed either. The bound of several devices is the second of the active vertices.
func TestSearch_ComesAgainToWhoWasReachedTooEarly(t *testing.T) {
	rng := testseed.Rand(t)
	for range 100 {
		n := 1 + rng.IntN(200)
		values, active := make([]uint64, n), make(schedule.Bitmap, (n+63)/64)
		nothing, best := math.Inf(1), math.Inf(1)
		var waiting []float64
		for v := range values {
			value := float64(rng.IntN(20))
			if rng.IntN(4) == 0 {
				value = nothing
			} else if rng.IntN(1+n/2) == 0 {
				active.Add(uint64(v))
				best, waiting = min(best, value), append(waiting, value)
			}
			values[v] = math.Float64bits(value)
		}
		s := &search{Loader: &shipment.Loader{Active: active, Priority: &schedule.Priority{Column: values},
			Env: &execute.Env{Plan: &plan.Plan{Graph: graph{vertices: uint64(n)}}}},
			nothing: math.Float64bits(nothing), seen: make(schedule.Bitmap, len(active))}
		s.begin()
		for v := range uint64(n) {
			value := math.Float64frombits(values[v])
			reached := value < nothing && value <= best
			if seen := s.seen.Has(v); seen != (reached || active.Has(v)) {
				t.Fatalf("vertex %d of value %g, active %v: seen %v; the best active value is %g", v, value, active.Has(v), seen,
					best)
			}
			if passed := s.passed([]uint64{v}); passed != (reached && !active.Has(v)) {
				t.Fatalf("vertex %d of value %g, active %v: passed %v; the best active value is %g", v, value, active.Has(v),
					passed, best)
			}
		}
		slices.Sort(waiting)
		switch bounds := s.bounds(); {
		case len(waiting) < 2 && len(bounds) > 0:
			t.Fatalf("%d are active, the bounds are %v", len(waiting), bounds)
		case len(waiting) >= 2 && (len(bounds) != 1 || math.Float64frombits(values[bounds[0]]) != waiting[1]):
			t.Fatalf("of %v the bounds are the vertices %v", waiting, bounds)
		}
	}
}
