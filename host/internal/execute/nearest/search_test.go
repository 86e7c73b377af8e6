package nearest

import (
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/execute/ring"
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
// value that is worse than an active vertex's, may be reached once more, so that its list is needed once more. Where
// the front is ragged it has not been passed either.
func TestSearch_ComesAgainToWhoWasReachedTooEarly(t *testing.T) {
	rng := testseed.Rand(t)
	for range 100 {
		n := 1 + rng.IntN(200)
		values, active := make([]uint64, n), make(schedule.Bitmap, (n+63)/64)
		nothing, best := math.Inf(1), math.Inf(1)
		for v := range values {
			value := float64(rng.IntN(20))
			if rng.IntN(4) == 0 {
				value = nothing
			} else if rng.IntN(1+n/2) == 0 {
				active.Add(uint64(v))
				best = min(best, value)
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
			for _, ragged := range []bool{false, true} {
				if got, want := s.passed([]uint64{v}, ragged), (reached || !ragged) && !active.Has(v); got != want {
					t.Fatalf("vertex %d of value %g, active %v, ragged %v: passed %v; the best active value is %g", v, value,
						active.Has(v), ragged, got, best)
				}
			}
		}
	}
}

// Where active vertices lack more lists than a slot holds, the nearest get theirs: those that lack them come in the
// order of their values.
func TestSearch_TheNearestOfThoseThatLackListsComeFirst(t *testing.T) {
	rng := testseed.Rand(t)
	for range 100 {
		n := 1 + rng.IntN(200)
		sets := [3]schedule.Bitmap{} // active, on the device, in a part
		for i := range sets {
			sets[i] = make(schedule.Bitmap, (n+63)/64)
			for v := range n {
				if rng.IntN(3) == 0 {
					sets[i].Add(uint64(v))
				}
			}
		}
		values := make([]uint64, n)
		for v := range values {
			values[v] = math.Float64bits(float64(rng.IntN(20)))
		}
		s := &search{Loader: &shipment.Loader{Active: sets[0], Priority: &schedule.Priority{Column: values},
			Env: &execute.Env{Plan: &plan.Plan{Graph: graph{vertices: uint64(n)}}}}, held: sets[1]}
		some := s.lacking(&ring.Part{Taken: sets[2]})
		for v := range uint64(n) {
			want := sets[0].Has(v) && !sets[1].Has(v) && !sets[2].Has(v)
			got := slices.ContainsFunc(some, func(f far) bool { return f.vertex == v })
			if got != want {
				t.Fatalf("vertex %d lacks its list: %v", v, got)
			}
		}
		for i := 0; i+1 < len(some); i++ {
			a, b := some[i].vertex, some[i+1].vertex
			if x, y := math.Float64frombits(values[a]), math.Float64frombits(values[b]); x > y {
				t.Fatalf("vertex %d of value %g comes before %d of %g", a, x, b, y)
			}
		}
	}
}
