package procedure

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// betweenness is Brandes's algorithm, source after source: see kernels/procedure_betweenness.cuh.
type betweenness struct {
	*both
	levels        driver.Pointer // of each vertex
	paths, shares driver.Pointer
	reached       queue    // vertices, level by level
	starts        []uint64 // of each level in reached; one more than levels
	overflow      driver.Pointer
}

func newBetweenness(r *room, graph plugins.Graph) procedure {
	n := graph.Vertices
	return &betweenness{both: newBoth(r, graph), levels: r.take(n, 4), paths: r.take(n, 8), shares: r.take(n, 8), reached: r.queue(n), overflow: r.take(1, 8)}
}

func (b *betweenness) run(r *run) (edges uint64) {
	sources, scale, err := algorithms.BetweennessSources(r.IDs, r.Args)
	if err != nil {
		r.err = plugins.Errorf(plugins.KindInvalid, "betweenness: %w", err)
		return 0
	}
	b.join(r)
	centrality := r.Columns["betweenness"]
	r.fill64(centrality, 0, r.n)
	for i, source := range sources {
		b.search(r, uint64(source))
		for level := len(b.starts) - 2; level > 0; level-- {
			b.visit(r, "betweenness_depend", b.out, level, b.levels, b.paths, b.shares, centrality)
		}
		r.tell(float64(i+1) / float64(len(sources)))
	}
	r.launch("betweenness_scale", r.n, r.n, math.Float64bits(scale), uint64(centrality))
	return uint64(len(sources)) * (b.out.entries + b.against().entries)
}

// search finds the vertices that paths lead to from the source, level by level, and counts the shortest ones.
func (b *betweenness) search(r *run, source uint64) {
	b.begin(r, source)
	for level := 0; b.starts[level] < b.starts[level+1] && r.err == nil; level++ {
		from, to := b.starts[level], b.starts[level+1]
		b.expand(r, "betweenness_discover", b.out, b.at(from), to-from, append([]uint64{uint64(level)}, addresses(b.levels, b.reached.items, b.reached.count)...)...)
		b.starts = append(b.starts, max(r.read(b.reached.count), to))
		b.visit(r, "betweenness_count", b.against(), level+1, b.levels, b.paths, b.overflow)
	}
	if r.read(b.overflow) != 0 {
		r.err = plugins.Errorf(plugins.KindUnsupported, "betweenness: there are more shortest paths between two vertices than 1.8e308, the largest double")
	}
}

// begin reaches the source.
func (b *betweenness) begin(r *run, source uint64) {
	b.starts = append(b.starts[:0], 0, 1)
	r.clear(b.overflow)
	r.fill(b.levels, math.MaxUint32, r.n)
	r.fill(b.levels+driver.Pointer(4*source), 0, 1)
	r.fill64(b.paths+driver.Pointer(8*source), math.Float64bits(1), 1)
	r.fill(b.reached.items, uint32(source), 1)
	r.fill64(b.reached.count, 1, 1)
}

// visit launches a kernel for the vertices of a level, that sums over their lists.
func (b *betweenness) visit(r *run, kernel string, l lists, level int, arrays ...driver.Pointer) {
	from, to := b.starts[level], b.starts[level+1]
	b.sum(r, kernel, l, b.at(from), to-from, append([]uint64{uint64(level)}, addresses(arrays...)...)...)
}

// at is where the i-th vertex reached stands.
func (b *betweenness) at(i uint64) driver.Pointer { return b.reached.items + driver.Pointer(4*i) }
