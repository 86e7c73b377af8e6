package procedure

import (
	"math"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// kcore peels the graph: see kernels/procedure_kcore.cuh.
type kcore struct {
	*both
	degrees    driver.Pointer // of those left: neighbors that are left
	left, kept queue
	front      queue // who goes now
	next       queue // and then
	least      driver.Pointer
}

func newKCore(r *room, graph plugins.Graph) procedure {
	n := graph.Vertices
	return &kcore{both: newBoth(r, graph), degrees: r.take(n, 4), left: r.queue(n), kept: r.queue(n), front: r.queue(n),
		next: r.queue(n), least: r.take(1, 8)}
}

func (c *kcore) run(r *run) (edges uint64) {
	c.join(r)
	c.count(r)
	r.launch("iota", r.n, r.n, uint64(c.left.items))
	for k, left := uint64(0), r.n; left > 0; {
		front, kept := c.level(r, k, left)
		c.peel(r, k, front)
		if left = kept; front > 0 {
			k++
		} else if left > 0 {
			k = r.read(c.least)
		}
		c.left, c.kept = c.kept, c.left
		r.tell(1 - float64(left)/float64(r.n))
	}
	return 2 * (c.out.entries + c.in.entries)
}

// count finds how many neighbors the vertices have; in the lists each stands once, then.
func (c *kcore) count(r *run) {
	r.fill(c.degrees, 0, r.n)
	earlier := lists{}
	for _, side := range c.sides() {
		args := append([]uint64{r.n, side.entries}, addresses(side.offsets, side.neighbors, earlier.offsets,
			earlier.neighbors, c.degrees)...)
		r.launch("kcore_degrees", side.entries, args...)
		earlier = side
	}
}

// level parts those left into the first front of k and those of higher degree.
func (c *kcore) level(r *run, k, left uint64) (front, kept uint64) {
	r.clear(c.kept.count, c.front.count)
	r.fill64(c.least, math.MaxUint64, 1)
	r.launch("kcore_level", left, uint64(c.left.items), left, uint64(c.degrees), k, uint64(r.Columns["core"]),
		uint64(c.kept.items), uint64(c.kept.count),
		uint64(c.front.items), uint64(c.front.count), uint64(c.least))
	return r.read(c.front.count), r.read(c.kept.count)
}

// peel takes front after front away.
func (c *kcore) peel(r *run, k, front uint64) {
	for front > 0 {
		r.clear(c.next.count)
		for _, side := range c.sides() {
			c.expand(r, "kcore_peel", side, c.front.items, front, uint64(c.degrees), k, uint64(r.Columns["core"]),
				uint64(c.next.items), uint64(c.next.count))
		}
		front = r.read(c.next.count)
		c.front, c.next = c.next, c.front
	}
}
