package procedure

import (
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// cdlp is community detection by label propagation: see kernels/procedure_cdlp.cuh.
type cdlp struct {
	*both
	label, next  driver.Pointer // the number of the vertex whose id it is
	middle, many queue          // vertices with many, with very many votes
	changed      driver.Pointer
	blocks       uint64 // that count those of very many
	arrays       driver.Pointer
}

const (
	cdlpMiddle = 3072 // CDLP_MIDDLE in procedure_cdlp.cuh: with more votes a vertex is one of many
	cdlpBlocks = 16   // each has 4 bytes a vertex
)

func newCDLP(r *room, graph plugins.Graph) procedure {
	n := graph.Vertices
	c := &cdlp{both: newBoth(r, graph), label: r.take(n, 4), next: r.take(n, 4), middle: r.queue(n), many: r.queue(n),
		changed: r.take(1, 8)}
	c.blocks = min(cdlpBlocks, 2*graph.Edges/cdlpMiddle)
	c.arrays = r.take(c.blocks*n, 4)
	return c
}

// run stops early when an iteration has changed nothing: no later one would.
func (c *cdlp) run(r *run) (edges uint64) {
	c.join(r)
	r.fill(c.arrays, 0, c.blocks*r.n)
	r.launch("iota", r.n, r.n, uint64(c.label))
	r.clear(c.middle.count, c.many.count)
	r.launch("cdlp_sort", r.n, append([]uint64{r.n}, addresses(c.out.offsets, c.in.offsets, c.middle.items, c.middle.count,
		c.many.items, c.many.count)...)...)
	middle, many := r.read(c.middle.count), r.read(c.many.count)
	iterations := uint64(r.Args.Ints["iterations"])
	for k, changed := uint64(0), true; k < iterations && changed && r.err == nil; k++ {
		changed = c.iterate(r, middle, many)
		edges += c.out.entries + c.in.entries
		r.tell(float64(k+1) / float64(iterations))
	}
	r.launch("names", r.n, append([]uint64{r.n}, addresses(c.label, r.Columns["id"], r.Columns["community"])...)...)
	return edges
}

// iterate has every vertex elect its next label, and tells whether one has changed.
func (c *cdlp) iterate(r *run, middle, many uint64) bool {
	r.clear(c.changed)
	ballot := addresses(c.out.offsets, c.out.neighbors, c.in.offsets, c.in.neighbors, r.Columns["id"], c.label, c.next,
		c.changed)
	r.launch("cdlp_warps", 32*r.n, append([]uint64{r.n}, ballot...)...)
	r.launch("cdlp_blocks", middle*blockThreads, append([]uint64{uint64(c.middle.items), middle}, ballot...)...)
	arrays := append([]uint64{uint64(c.many.items), many}, ballot...)
	r.launch("cdlp_arrays", min(many, c.blocks)*blockThreads, append(arrays, r.n, uint64(c.arrays))...)
	c.label, c.next = c.next, c.label
	return r.read(c.changed) != 0
}
