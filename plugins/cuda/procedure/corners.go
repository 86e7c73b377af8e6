package procedure

import (
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// corners counts at every vertex the edges opposite it in its triangles: see kernels/procedure_corners.cuh.
type corners struct {
	*both
	kept    [2]ranked      // entries of out and in that the oriented lists have
	counts  driver.Pointer // of bits in words
	offsets driver.Pointer
	links   driver.Pointer
	below   driver.Pointer // how many of a vertex's neighbors are below it
}

// ranked are bits and, of each word of them, how many are set before it.
type ranked struct{ words, before driver.Pointer }

// Which edges join a pair of neighbors, in a link: bits from the list's vertex to the other, and back.
const (
	linkOut  = 1
	linkBack = 2

	mostLinked = 1 << 30 // vertices that a link can name
)

func newCorners(r *room, graph plugins.Graph) *corners {
	c := &corners{both: newBoth(r, graph)}
	for i, side := range c.sides() {
		words := words(side.entries)
		c.kept[i] = ranked{r.take(words, 4), r.take(words+1, 8)}
	}
	c.offsets, c.links = r.take(graph.Vertices+1, 8), r.take(graph.Edges, 4)
	c.below = r.take(graph.Vertices, 4)
	c.counts, c.sums = r.take(words(c.out.entries), 4),
		r.take(kernels.ScanScratch(max(graph.Vertices, words(c.out.entries))), 1)
	return c
}

func words(bits uint64) uint64 { return (bits + 31) / 32 }

// count adds up the edges between the others at each corner. bits stand for the edges along lists and for those
// back. It returns how many links there are.
func (c *corners) count(r *run, out, back uint64, counts driver.Pointer) (links uint64) {
	c.join(r)
	r.tell(0.1)
	links = c.orient(r, out, back)
	r.tell(0.2)
	r.fill64(counts, 0, r.n)
	for first := uint64(0); first < links && r.err == nil; first += closeLinks {
		last := min(first+closeLinks, links)
		r.launch("corners_close", 32*(last-first), r.n, first, last, uint64(c.offsets), uint64(c.links), uint64(counts))
		r.wait()
		r.tell(0.2 + 0.8*float64(last)/float64(links))
	}
	return links
}

// closeLinks is how many links one launch sees to: few enough to be canceled soon, enough to fill a card.
const closeLinks = 1 << 22

// orient makes the lists where every pair of neighbors stands once.
func (c *corners) orient(r *run, out, back uint64) (links uint64) {
	c.keep(r, c.out, c.in, c.kept[0], false)
	if c.in.offsets != 0 {
		c.keep(r, c.in, c.out, c.kept[1], true)
	}
	r.launch("corners_offsets", r.n+1, append([]uint64{r.n}, addresses(c.out.offsets, c.kept[0].words, c.kept[0].before,
		c.in.offsets, c.kept[1].words, c.kept[1].before, c.offsets)...)...)
	if links = r.read(c.offsets + driver.Pointer(8*r.n)); links > r.Graph.Edges {
		r.err = plugins.Errorf(plugins.KindChunk, "the chunks have %d pairs of neighbors; the graph's edges are %d", links,
			r.Graph.Edges)
		return 0
	}
	c.scatter(r, c.out, c.in, c.kept[0], c.kept[1], out, back)
	if c.in.offsets != 0 {
		c.scatter(r, c.in, c.out, c.kept[1], c.kept[0], back, out)
	}
	return links
}

// keep marks which entries are kept, and ranks the marks.
func (c *corners) keep(r *run, own, other lists, kept ranked, later bool) {
	args := append([]uint64{r.n, own.entries}, addresses(own.offsets, own.neighbors, other.offsets, other.neighbors)...)
	r.launch("corners_keep", own.entries, append(args, number(later), uint64(kept.words))...)
	count := words(own.entries)
	r.launch("corners_counts", count, count, uint64(kept.words), uint64(c.counts))
	r.scan(kept.before, c.counts, count, c.sums)
}

func (c *corners) scatter(r *run, own, other lists, kept, otherKept ranked, ownBit, otherBit uint64) {
	args := append([]uint64{r.n, own.entries}, addresses(own.offsets, own.neighbors, kept.words, kept.before,
		other.offsets, other.neighbors, otherKept.words, otherKept.before)...)
	r.launch("corners_scatter", own.entries, append(args, ownBit, otherBit, uint64(c.links))...)
}

func number(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

// triangles count an edge between two neighbors once, whichever ways it leads.
type triangles struct{ *corners }

func newTriangles(r *room, graph plugins.Graph) procedure { return triangles{newCorners(r, graph)} }

func (t triangles) run(r *run) (edges uint64) {
	t.count(r, linkOut, linkOut, r.Columns["triangles"])
	return t.out.entries + t.in.entries
}

// lcc counts every way by itself, and in an undirected graph both. The counts lie in the result column.
type lcc struct{ *corners }

func newLCC(r *room, graph plugins.Graph) procedure { return lcc{newCorners(r, graph)} }

func (l lcc) run(r *run) (edges uint64) {
	coefficient := r.Columns["coefficient"]
	out, back := uint64(linkOut), uint64(linkBack)
	if !r.Graph.Directed {
		out, back = linkOut|linkBack, 0
	}
	links := l.count(r, out, back, coefficient)
	r.fill(l.below, 0, r.n)
	r.launch("corners_neighbors", links, links, uint64(l.links), uint64(l.below))
	r.launch("lcc_shares", r.n, r.n, uint64(l.offsets), uint64(l.below), uint64(coefficient))
	return l.out.entries + l.in.entries
}
