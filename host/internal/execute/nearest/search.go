package nearest

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/execute/ring"
	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/host/internal/violation"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// search chooses lists ahead of the wave: breadth-first from the active vertices, among those that have not been
// reached, through lists that are on the device already as well. It goes on where it left off, whatever the device does
// meanwhile, so that what it chooses does not depend on who is faster.
type search struct {
	*shipment.Loader
	lists   *supply.Lists
	sizes   plan.Sizes
	held    schedule.Bitmap // whose lists are on the device
	nothing uint64          // the value of a vertex that has not been reached

	seen  schedule.Bitmap // what it need not come to again
	queue []uint64        // of these, those whose lists it has not looked at, in order
	some  []far           // scratch
}

func newSearch(l *shipment.Loader, lists *supply.Lists, held schedule.Bitmap) *search {
	return &search{Loader: l, lists: lists, sizes: l.Plan.Sizes(), held: held,
		nothing: unreached(l.Plan.Task.Program), seen: make(schedule.Bitmap, len(held))}
}

// unreached is the value, by its bits, of a vertex that nothing has reached.
func unreached(p *algorithms.Program) uint64 {
	if p.State[0].Type == algorithms.Int {
		return uint64(p.Reduce.IntIdentity())
	}
	return math.Float64bits(p.Reduce.FloatIdentity())
}

// members are the active vertices. The device must be idle.
func (s *search) members() iter.Seq[uint64] {
	return schedule.Bitmap(s.Active).Members(chunk.Interval{Count: s.Plan.Graph.Manifest().Vertices})
}

// fewBehind: where one of so many waits, the wave has not passed.
const fewBehind = 64

// best is how far the nearest active vertex is: infinitely, if there is none. The device must be idle.
func (s *search) best() float64 {
	best := math.Inf(1)
	for v := range s.members() {
		best = min(best, s.Priority.Key(v))
	}
	return best
}

// final tells whether a vertex has its last value: it has been reached, and is no farther than the nearest active
// vertex, from which a better value might come.
func (s *search) final(v uint64, best float64) bool {
	return s.Priority.Key(v) <= best && s.Priority.Column[v] != s.nothing
}

// passed tells whether the wave has passed some vertices, but for a few: they are not to send, and where the front is
// ragged, so that they may be reached again, they have their last value. The device must be idle.
func (s *search) passed(some []uint64, ragged bool) bool {
	waiting, best := 0, 0.0
	if ragged {
		best = s.best()
	}
	for _, v := range some {
		if schedule.Bitmap(s.Active).Has(v) || ragged && !s.final(v, best) {
			if waiting++; waiting > len(some)/fewBehind {
				return false
			}
		}
	}
	return true
}

// far is how far a vertex is.
type far struct {
	key    float64
	vertex uint64
}

// lacking are the active vertices whose lists are neither on the device nor in a part, the nearest first. The device
// must be idle.
func (s *search) lacking(ahead *ring.Part) []far {
	s.some = s.some[:0]
	for v := range s.members() {
		if !s.held.Has(v) && !ahead.Taken.Has(v) {
			s.some = append(s.some, far{s.Priority.Key(v), v})
		}
	}
	slices.SortFunc(s.some, func(a, b far) int { return cmp.Compare(a.key, b.key) })
	return s.some
}

// takeAll takes the lists of some vertices, in order. The search goes on from those next that it has not come to. It
// tells whether there was no room for all: then it begins again, once there is.
func (s *search) takeAll(ctx context.Context, p *ring.Part, some []far) (full bool, err error) {
	var unseen []uint64
	for _, each := range some {
		v := each.vertex
		list, _, err := s.lists.Of(ctx, v)
		if err != nil {
			return false, err
		}
		if !p.Take(v, len(list), s.sizes) {
			s.queue = s.queue[:0]
			return true, nil
		}
		if !s.seen.Has(v) {
			s.seen.Add(v)
			unseen = append(unseen, v)
		}
	}
	if len(unseen) > 0 {
		s.queue = append(unseen, s.queue...)
	}
	return false, nil
}

// begin forgets all that the search has come to: it goes on from the active vertices. The device must be idle.
func (s *search) begin() {
	best := s.best()
	s.queue = slices.AppendSeq(s.queue[:0], s.members())
	copy(s.seen, s.Active)
	for v := range s.Plan.Graph.Manifest().Vertices {
		if s.final(v, best) {
			s.seen.Add(v)
		}
	}
}

// onward takes lists as long as there is room.
func (s *search) onward(ctx context.Context, p *ring.Part) error {
	at := 0
	for ; at < len(s.queue); at++ {
		v := s.queue[at]
		list, base, err := s.lists.Of(ctx, v)
		if err != nil {
			return err
		}
		if !s.held.Has(v) && !p.Taken.Has(v) && !p.Take(v, len(list), s.sizes) {
			break
		}
		for _, local := range list {
			if u := base + uint64(local); !s.seen.Has(u) {
				s.seen.Add(u)
				s.queue = append(s.queue, u)
			}
		}
	}
	s.queue = slices.Delete(s.queue, 0, at)
	return ctx.Err()
}

// stalled is the error of an iteration in which nobody has sent: the best active vertex always can, since its lists are
// the first to come. It says whether they are there, or what was sent is to blame.
func (s *search) stalled(active uint64, device string) error {
	if lacks := s.lacking(&ring.Part{Taken: make(schedule.Bitmap, len(s.held))}); len(lacks) > 0 &&
		lacks[0].key <= s.best() {
		return plugins.Errorf(plugins.KindInternal, "nothing settles: %d vertices are active, and the lists of vertex %d, the "+
			"best of them, have not been sent", active, lacks[0].vertex)
	}
	return violation.Of(device, "nothing settles: %d vertices are active, and none of them has sent, though the lists of the "+
		"best are there", active)
}
