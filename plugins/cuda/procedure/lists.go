package procedure

import (
	"cmp"
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// lists is a CSR of all vertices on the card; the zero value has no lists at all.
type lists struct {
	offsets, neighbors driver.Pointer
	entries            uint64
	longest            uint64 // list
}

// both are the lists along the edges and those against them. An undirected graph's are in out, and in has none.
type both struct {
	out, in lists
	filled  driver.Pointer // how much of each list is there, while they are joined
	sums    driver.Pointer // of a scan
	longs   queue          // of a kernel that goes along lists
}

func newBoth(r *room, graph plugins.Graph) *both {
	b := &both{filled: r.take(graph.Vertices, 4), sums: r.take(kernels.ScanScratch(graph.Vertices), 1)}
	b.out = newLists(r, graph.Vertices, entries(graph))
	if graph.Directed {
		b.in = newLists(r, graph.Vertices, entries(graph))
	}
	b.longs = r.queue(longLists(graph))
	return b
}

// longLists is the most that there are of them one way.
func longLists(graph plugins.Graph) uint64 { return min(graph.Vertices, entries(graph)/longList) }

func newLists(r *room, vertices, entries uint64) lists {
	return lists{offsets: r.take(vertices+1, 8), neighbors: r.take(entries, 4), entries: entries}
}

// entries is the most that lists one way have.
func entries(graph plugins.Graph) uint64 {
	if graph.Directed {
		return graph.Edges
	}
	return 2 * graph.Edges // of a loop there is one
}

// against are the lists against the edges, of an undirected graph, too.
func (b *both) against() lists {
	if b.in.offsets == 0 {
		return b.out
	}
	return b.in
}

// sides are the lists that there are.
func (b *both) sides() []lists {
	if b.in.offsets == 0 {
		return []lists{b.out}
	}
	return []lists{b.out, b.in}
}

// join makes the lists of the chunks.
func (b *both) join(r *run) {
	in := func(c kernels.Resident) bool { return c.Direction == chunk.In }
	out := func(c kernels.Resident) bool { return c.Direction != chunk.In }
	b.joinSide(r, &b.out, slices.DeleteFunc(slices.Clone(r.Chunks), in))
	if r.Graph.Directed {
		b.joinSide(r, &b.in, slices.DeleteFunc(slices.Clone(r.Chunks), out))
	}
}

// joinSide puts the pieces of each list behind one another, so that it ascends.
func (b *both) joinSide(r *run, l *lists, chunks []kernels.Resident) {
	var entries uint64
	for _, c := range chunks {
		entries += c.Edges
	}
	if r.err == nil && entries > l.entries {
		r.err = plugins.Errorf(
			plugins.KindChunk, "the chunks have %d entries of lists one way; the graph's %d edges make %d at most", entries,
			r.Graph.Edges, l.entries)
	}
	l.entries = entries
	slices.SortFunc(chunks, func(a, b kernels.Resident) int { return cmp.Compare(a.ColsBase, b.ColsBase) })
	r.fill(b.filled, 0, r.n)
	for _, c := range chunks {
		r.launch("join_count", c.Rows, uint64(c.At), uint64(b.filled))
	}
	r.scan(l.offsets, b.filled, r.n, b.sums)
	r.fill(b.filled, 0, r.n)
	for _, c := range chunks {
		r.launch("join_copy", c.Edges, uint64(c.At), uint64(l.offsets), uint64(b.filled), uint64(l.neighbors))
		r.launch("join_count", c.Rows, uint64(c.At), uint64(b.filled))
	}
	r.clear(b.longs.count)
	r.launch("join_longest", r.n, r.n, uint64(l.offsets), uint64(b.longs.count))
	l.longest = r.read(b.longs.count)
}

const (
	longList     = 4096 // LONG in procedure_lists.cuh
	blockThreads = 256
	teamBlocks   = 32 // TEAM
	warpTakes    = 4  // vertices of a queue at a time, where there are warps enough
)

// expand launches a kernel that goes along the lists of count queued vertices, every entry by itself: for short
// lists, then with many blocks for each of the long ones (Work in procedure_lists.cuh).
func (b *both) expand(r *run, name string, l lists, items driver.Pointer, count uint64, args ...uint64) {
	b.walk(r, name, l, items, count, max(l.longest, l.entries/longList*teamBlocks*blockThreads), args)
}

// sum launches a kernel that adds up each of the lists: a block for each long one.
func (b *both) sum(r *run, name string, l lists, items driver.Pointer, count uint64, args ...uint64) {
	b.walk(r, name, l, items, count, l.entries/longList*blockThreads, args)
}

func (b *both) walk(r *run, name string, l lists, items driver.Pointer, count, wide uint64, args []uint64) {
	work := func(wide uint64) []uint64 {
		return append([]uint64{uint64(l.offsets), uint64(l.neighbors), uint64(items), count, uint64(b.longs.items),
			uint64(b.longs.count), wide, r.n}, args...)
	}
	r.clear(b.longs.count)
	r.launch(name, 32/warpTakes*count, work(0)...)
	if l.longest > longList {
		r.launch(name, wide, work(1)...)
	}
}
