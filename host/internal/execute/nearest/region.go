package nearest

import (
	"context"
	"iter"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/schedule"
)

// region is the vertices whose lists are sent next: first the active ones that lack theirs, the nearest before the
// others, and then, breadth-first, those that have not been reached, through lists that are on the device already as
// well.
type region struct {
	*shipment.Loader
	lists   *supply.Lists
	sizes   plan.Sizes
	held    schedule.Bitmap // whose lists are on the device
	nothing uint64          // the value of a vertex that has not been reached

	// of one growth
	seen    schedule.Bitmap
	taken   schedule.Bitmap // the vertices in chosen
	chosen  []uint64
	queue   []uint64 // vertices that have been seen, in the order in which their neighbors are looked at
	lacking int      // so many in chosen are active
	wanted  uint64   // the edges of these
	bytes   uint64   // what all lists take
	room    uint64
}

func newRegion(l *shipment.Loader, on *ring) *region {
	p := l.Plan
	r := &region{Loader: l, lists: l.Supply.Lists(), sizes: p.Sizes(), held: on.held,
		nothing: unreached(p.Task.Program), seen: make(schedule.Bitmap, len(on.held)),
		taken: make(schedule.Bitmap, len(on.held))}
	return r
}

// unreached is the value, by its bits, of a vertex that nothing has reached.
func unreached(p *algorithms.Program) uint64 {
	if p.State[0].Type == algorithms.Int {
		return uint64(p.Reduce.IntIdentity())
	}
	return math.Float64bits(p.Reduce.FloatIdentity())
}

// grow chooses as many lists as there is room for. Each is read in the host's chunks.
func (r *region) grow(ctx context.Context, room uint64) error {
	began := time.Now()
	clear(r.seen)
	clear(r.taken)
	r.chosen, r.queue, r.lacking, r.wanted, r.bytes, r.room = r.chosen[:0], r.queue[:0], 0, 0, 0, room
	full, err := r.takeLacking(ctx)
	for i := 0; err == nil && !full && i < len(r.queue); i++ {
		full, err = r.takeBehind(ctx, r.queue[i])
	}
	r.Rec.Meter.Cut(0, time.Since(began))
	r.Rec.Trace.Stage("choose lists", began, r.bytes)
	return err
}

// takeLacking begins with the active vertices.
func (r *region) takeLacking(ctx context.Context) (full bool, err error) {
	lacking := r.chosen
	for v := range r.members() {
		r.seen.Add(v)
		r.queue = append(r.queue, v)
		if !r.held.Has(v) {
			lacking = append(lacking, v)
		}
	}
	slices.SortFunc(lacking, r.Priority.Compare)
	r.chosen = lacking[:0]
	for _, v := range lacking {
		if full, err = r.take(ctx, v); full || err != nil {
			break
		}
	}
	r.lacking = len(r.chosen)
	r.wanted = (r.bytes - uint64(r.lacking)*r.sizes.ListsCost(1, 0)) / r.sizes.Entry()
	return full, err
}

// members are the active vertices.
func (r *region) members() iter.Seq[uint64] {
	return schedule.Bitmap(r.Active).Members(chunk.Interval{Count: r.Plan.Graph.Manifest().Vertices})
}

// takeBehind goes on with the neighbors of a vertex.
func (r *region) takeBehind(ctx context.Context, v uint64) (full bool, err error) {
	neighbors, base, err := r.lists.Of(ctx, v)
	for _, local := range neighbors {
		u := base + uint64(local)
		if r.seen.Has(u) || atomic.LoadUint64(&r.Priority.Column[u]) != r.nothing {
			continue
		}
		r.seen.Add(u)
		r.queue = append(r.queue, u)
		if r.held.Has(u) {
			continue
		}
		if full, err = r.take(ctx, u); full || err != nil {
			break
		}
	}
	return full, err
}

// take takes the list of a vertex, if there is room. One that is empty is on the device without being sent.
func (r *region) take(ctx context.Context, v uint64) (full bool, err error) {
	list, _, err := r.lists.Of(ctx, v)
	if err != nil {
		return true, err
	}
	if len(list) == 0 {
		r.held.Add(v)
		return false, nil
	}
	cost := r.sizes.ListsCost(1, len(list))
	if r.bytes+cost > r.room {
		return true, nil
	}
	r.bytes += cost
	r.taken.Add(v)
	r.chosen = append(r.chosen, v)
	return false, nil
}
