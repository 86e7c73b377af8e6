package procedure

import (
	"math"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// scc finds strongly connected components: see kernels/procedure_scc.cuh.
type scc struct {
	*both
	entering, leaving driver.Pointer // edges from and to other vertices that no component has
	component         driver.Pointer // a vertex of it, the same for all
	region, color     driver.Pointer
	stamp             driver.Pointer // the round of spreading in which a vertex was last queued
	rounds            uint64         // of spreading
	open, still       queue          // who has no component
	front, next       queue
	best              driver.Pointer
	least             driver.Pointer // id of each component
}

const noVertex = math.MaxUint32

func newSCC(r *room, graph plugins.Graph) procedure {
	n := graph.Vertices
	return &scc{both: newBoth(r, graph), entering: r.take(n, 4), leaving: r.take(n, 4), component: r.take(n, 4),
		region: r.take(n, 4), color: r.take(n, 4), stamp: r.take(n, 4),
		open: r.queue(n), still: r.queue(n), front: r.queue(n), next: r.queue(n), best: r.take(1, 8), least: r.take(n, 8)}
}

func (s *scc) run(r *run) (edges uint64) {
	s.join(r)
	r.fill(s.component, noVertex, r.n)
	s.trim(r)
	r.tell(1. / 3)
	if s.giant(r) {
		r.tell(2. / 3)
		s.rest(r)
	}
	r.fill64(s.least, math.MaxInt64, r.n)
	ids := r.Columns["id"]
	r.launch("scc_least", r.n, append([]uint64{r.n}, addresses(s.component, ids, s.least)...)...)
	r.launch("names", r.n, append([]uint64{r.n}, addresses(s.component, s.least, r.Columns["component"])...)...)
	return s.out.entries + s.against().entries
}

// trim takes away vertices that lie on no circle, as far as peeling off finds them.
func (s *scc) trim(r *run) {
	r.launch("scc_others", r.n, append([]uint64{r.n},
		addresses(s.against().offsets, s.against().neighbors, s.entering)...)...)
	r.launch("scc_others", r.n, append([]uint64{r.n}, addresses(s.out.offsets, s.out.neighbors, s.leaving)...)...)
	r.clear(s.front.count)
	r.launch("scc_alone", r.n, append([]uint64{r.n}, addresses(s.entering, s.leaving, s.component, s.front.items,
		s.front.count)...)...)
	s.follow(r, r.read(s.front.count), func(front uint64) {
		s.expand(r, "scc_trim", s.out, s.front.items, front,
			addresses(s.entering, s.component, s.next.items, s.next.count)...)
		s.expand(r, "scc_trim", s.against(), s.front.items, front,
			addresses(s.leaving, s.component, s.next.items, s.next.count)...)
	})
}

// follow goes on from the front to whoever is found next, until nobody is.
func (s *scc) follow(r *run, front uint64, find func(front uint64)) {
	for front > 0 {
		r.clear(s.next.count)
		find(front)
		front = r.read(s.next.count)
		s.front, s.next = s.next, s.front
	}
}

// giant finds the component of the vertex that the most ways lead through. It has the least color, and the others
// have none. It tells whether there was a vertex left.
func (s *scc) giant(r *run) bool {
	r.clear(s.best)
	r.launch("scc_pivot", r.n, append([]uint64{r.n}, addresses(s.entering, s.leaving, s.component, s.best)...)...)
	best := r.read(s.best)
	if best == 0 {
		return false
	}
	pivot := noVertex - best&noVertex
	r.fill(s.stamp, 0, r.n)
	r.fill(s.region, 0, r.n)
	r.fill(s.color, noVertex, r.n)
	at := driver.Pointer(4 * pivot)
	r.fill(s.color+at, 0, 1)
	r.fill(s.front.items, uint32(pivot), 1)
	s.spread(r, s.front.items, 1)
	r.fill(s.component+at, uint32(pivot), 1)
	r.fill(s.front.items, uint32(pivot), 1)
	s.claim(r, 1)
	return true
}

// rest finds the others, some in each region a round.
func (s *scc) rest(r *run) {
	r.launch("iota", r.n, r.n, uint64(s.still.items))
	for open := r.n; ; {
		open = s.seed(r, open)
		if open == 0 {
			return
		}
		s.spread(r, s.open.items, open)
		r.clear(s.front.count)
		r.launch("scc_roots", open, append([]uint64{uint64(s.open.items), open},
			addresses(s.color, s.component, s.front.items, s.front.count)...)...)
		s.claim(r, r.read(s.front.count))
		s.open, s.still = s.still, s.open
	}
}

// seed gives those of still that have no component yet a color each. They are the open ones.
func (s *scc) seed(r *run, still uint64) (open uint64) {
	r.clear(s.open.count)
	r.launch("scc_seed", still, append([]uint64{uint64(s.still.items), still},
		addresses(s.component, s.region, s.color, s.open.items, s.open.count)...)...)
	return r.read(s.open.count)
}

// spread gives colors on from some vertices until none changes.
func (s *scc) spread(r *run, items driver.Pointer, count uint64) {
	s.follow(r, count, func(front uint64) {
		s.rounds++
		args := append(addresses(s.component, s.region, s.color), s.rounds)
		s.expand(r, "scc_spread", s.out, items, front, append(args, addresses(s.stamp, s.next.items, s.next.count)...)...)
		items = s.next.items
	})
}

// claim gathers components from their roots, which are the front.
func (s *scc) claim(r *run, roots uint64) {
	s.follow(r, roots, func(front uint64) {
		s.expand(r, "scc_claim", s.against(), s.front.items, front,
			addresses(s.color, s.component, s.next.items, s.next.count)...)
	})
}
