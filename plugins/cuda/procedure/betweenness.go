package procedure

import (
	"encoding/binary"
	"math"
	"runtime"

	"github.com/penstock-db/penstock/algorithms/centrality"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// betweenness is Brandes's algorithm, from several sources at once: see kernels/procedure_betweenness.cuh.
type betweenness struct {
	*both
	copies        uint64         // of the vertices: sources at once
	sources       driver.Pointer // all of them
	levels        driver.Pointer // and the others: of each copy
	paths, shares driver.Pointer
	sums          driver.Pointer
	reached       queue    // level by level
	starts        []uint64 // of each level in reached; one more than levels
	overflow      driver.Pointer
}

// How many sources are searched from at once depends on the graph alone, so that sums are the same on all cards: as
// many as make a million vertices.
const (
	copiedVertices = 1 << 20
	mostCopies     = 256
)

func newBetweenness(r *room, graph plugins.Graph) procedure {
	n := graph.Vertices
	b := &betweenness{both: newBoth(r, graph), copies: min(max(copiedVertices/max(n, 1), 1), mostCopies, max(n, 1))}
	all := n * b.copies
	b.sources, b.overflow = r.take(n, 4), r.take(1, 8)
	b.levels, b.paths, b.shares, b.sums, b.reached = r.take(all, 4), r.take(all, 8), r.take(all, 8), r.take(all, 8),
		r.queue(all)
	b.longs = r.queue(longLists(graph) * b.copies)
	return b
}

func (b *betweenness) run(r *run) (edges uint64) {
	sources, scale, err := centrality.BetweennessSources(r.IDs, r.Args)
	if err != nil {
		r.err = plugins.Errorf(plugins.KindInvalid, "betweenness: %w", err)
		return 0
	}
	b.join(r)
	b.put(r, sources)
	r.fill64(b.sums, 0, r.n*b.copies)
	count := uint64(len(sources))
	for from := uint64(0); from < count && r.err == nil; from += b.copies {
		to := min(from+b.copies, count)
		b.search(r, b.sources+driver.Pointer(4*from), to-from)
		for level := len(b.starts) - 2; level > 0; level-- {
			b.visit(r, "betweenness_depend", b.out, level, b.levels, b.paths, b.shares, b.sums)
		}
		r.tell(float64(to) / float64(count))
	}
	r.launch("betweenness_add", r.n, r.n, b.copies, uint64(b.sums), math.Float64bits(scale),
		uint64(r.Columns["betweenness"]))
	return count * (b.out.entries + b.against().entries)
}

// put copies the sources to the card.
func (b *betweenness) put(r *run, sources []int) {
	var bytes []byte
	for _, source := range sources {
		bytes = binary.LittleEndian.AppendUint32(bytes, uint32(source))
	}
	r.do(func() error { return r.Stream.CopyIn(b.sources, bytes) })
	r.wait()
	runtime.KeepAlive(bytes)
}

// search finds the vertices that paths lead to from each source, level by level, and counts the shortest ones.
func (b *betweenness) search(r *run, sources driver.Pointer, count uint64) {
	r.clear(b.overflow)
	r.fill(b.levels, math.MaxUint32, r.n*count)
	r.launch("betweenness_begin", count, uint64(sources), count, r.n, uint64(b.levels), uint64(b.paths),
		uint64(b.reached.items))
	r.fill64(b.reached.count, count, 1)
	b.starts = append(b.starts[:0], 0, count)
	for level := 0; b.starts[level] < b.starts[level+1] && r.err == nil; level++ {
		from, to := b.starts[level], b.starts[level+1]
		b.expand(r, "betweenness_discover", b.out, b.at(from), to-from,
			append([]uint64{uint64(level)}, addresses(b.levels, b.reached.items, b.reached.count)...)...)
		b.starts = append(b.starts, max(r.read(b.reached.count), to))
		b.visit(r, "betweenness_count", b.against(), level+1, b.levels, b.paths, b.overflow)
	}
	if r.read(b.overflow) != 0 {
		r.err = plugins.Errorf(
			plugins.KindUnsupported, "betweenness: there are more shortest paths between two vertices than 1.8e308, the largest double")
	}
}

// visit launches a kernel for the vertices of a level, that sums over their lists.
func (b *betweenness) visit(r *run, kernel string, l lists, level int, arrays ...driver.Pointer) {
	from, to := b.starts[level], b.starts[level+1]
	b.sum(r, kernel, l, b.at(from), to-from, append([]uint64{uint64(level)}, addresses(arrays...)...)...)
}

// at is where the i-th vertex reached stands.
func (b *betweenness) at(i uint64) driver.Pointer { return b.reached.items + driver.Pointer(4*i) }
