package cut

import (
	"math"
	"slices"
	"sort"
	"sync"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Subgraph is selections put together: Subway's SubCSR (Sabet, Zhao, Gupta, "Subway:
// Minimizing Data Transfer during Out-of-GPU-Memory Graph Processing", EuroSys'20, section
// 3.1), whose subVertex, subOffset and subEdge are a chunk's vertex, offsets and neighbor.
//
//	chunks ──Select, for each──▶ Selections ──Join──▶ Subgraph ──EncodeTo──▶ one chunk
//
// Counting, in Select, takes a look at active rows alone; where each list comes to lie is a
// prefix sum in EncodeTo, which then copies every edge once, straight into dst.
type Subgraph struct {
	blank chunk.Blank
	parts []part
	lists int
}

// part is a selection and where it comes to lie.
type part struct {
	Selection
	rebase uint32 // what its vertices are moved by
	first  int    // which list of the subgraph its first one is
	rank   *Rank  // nil, or what its neighbors are numbered by (see PackNeighbors)
	ranked uint32 // and the number of rank zero
}

// Join puts selections together, whose vertices must ascend from each to the next. Their
// chunks are of one graph, direction and column interval and have the same columns,
// all of fixed width and without nulls (*TypeError).
func Join(selections ...Selection) (*Subgraph, error) {
	if len(selections) == 0 {
		return nil, invalid("there are none to join")
	}
	first, last := selections[0], selections[len(selections)-1]
	g := &Subgraph{blank: chunk.Blank{Meta: first.meta, Columns: first.chunk.Columns()}}
	g.blank.Meta.Cols = first.cols
	g.blank.Meta.Rows.Count = last.meta.Rows.End() - first.meta.Rows.Base
	for _, f := range g.blank.Columns {
		if values, _ := first.chunk.Column(f.Name); chunk.Width(f) == 0 || values.NullN() > 0 {
			return nil, &chunk.TypeError{Column: f.Name, Type: f.Type}
		}
	}
	for _, s := range selections {
		if err := g.add(s); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func invalid(problem string) error { return &chunk.InvalidError{Part: "selections", Problem: problem} }

// maxInterval is how many vertices a uint32 can tell apart.
const maxInterval = 1 << 32

func (g *Subgraph) add(s Selection) error {
	m, all := s.meta, g.blank.Meta
	same := func(a, b arrow.Field) bool { return a.Equal(b) }
	switch {
	case m.Direction != all.Direction || s.cols != all.Cols || !slices.EqualFunc(s.chunk.Columns(), g.blank.Columns, same):
		return invalid("they are of chunks with different directions, column intervals or columns")
	case m.Rows.Base < all.Rows.Base || all.Rows.Count > maxInterval || !g.ascends(s):
		return invalid("their vertices do not ascend, or are more than 2^32 apart")
	}
	if s.edges > 0 {
		g.parts = append(g.parts, part{Selection: s, rebase: uint32(m.Rows.Base - all.Rows.Base), first: g.lists})
		g.lists += len(s.lists)
	}
	for _, l := range s.lists {
		g.count(int(l.to - l.from))
	}
	if g.blank.Stats.Edges > math.MaxInt32 {
		return &chunk.TooManyEdgesError{Edges: uint64(g.blank.Stats.Edges)}
	}
	return nil
}

// ascends tells whether s begins after what is there.
func (g *Subgraph) ascends(s Selection) bool {
	if len(g.parts) == 0 || s.edges == 0 {
		return true
	}
	before := g.parts[len(g.parts)-1].Selection
	return before.vertex(len(before.lists)-1) < s.vertex(0)
}

func (g *Subgraph) count(degree int) {
	stats := &g.blank.Stats
	if stats.MaxDegree = max(stats.MaxDegree, degree); stats.Rows == 0 {
		stats.MinDegree = degree
	}
	stats.MinDegree = min(stats.MinDegree, degree)
	stats.Rows++
	stats.Edges += degree
}

// Compact leaves out which vertices have a list, where it takes less to have an empty one for each of the others
// between the first and the last.
func (g *Subgraph) Compact() {
	stats, rows := &g.blank.Stats, g.span()
	if rows.Count >= uint64(2*g.lists) {
		return
	}
	for i := range g.parts {
		g.parts[i].rebase -= uint32(rows.Base - g.blank.Meta.Rows.Base) // modulo 2^32, as their vertices are moved
	}
	g.blank.Meta.Rows, g.blank.Unnamed = rows, true
	if stats.Rows = int(rows.Count); stats.Rows > g.lists {
		stats.MinDegree = 0
	}
}

// span is from the first vertex with a list to the last, as far as whole words of sets of vertices go.
func (g *Subgraph) span() chunk.Interval {
	all := g.blank.Meta.Rows
	if g.lists == 0 {
		return all
	}
	last := g.parts[len(g.parts)-1].Selection
	base := max(all.Base, g.parts[0].vertex(0)/64*64)
	end := min(all.End(), last.vertex(len(last.lists)-1)/64*64+64)
	return chunk.Interval{Base: base, Count: end - base}
}

// Rows is the number of lists, with the empty ones of Compact.
func (g *Subgraph) Rows() int { return g.blank.Stats.Rows }

// Edges is how many EncodeTo copies.
func (g *Subgraph) Edges() int { return g.blank.Stats.Edges }

// EncodedSize is how many bytes EncodeTo writes.
func (g *Subgraph) EncodedSize() int { return g.blank.EncodedSize() }

// EncodeTo writes the subgraph, as a chunk, to the start of dst, which is 64-byte aligned and
// has EncodedSize bytes (*chunk.BufferError). So many workers copy at once.
func (g *Subgraph) EncodeTo(dst []byte, workers int) (int, error) {
	return g.blank.EncodeTo(dst, func(to chunk.Buffers) {
		g.place(to.Vertices, to.Offsets)
		g.copyEdges(to, workers)
	})
}

// place says where each list lies: subVertex and subOffset.
func (g *Subgraph) place(vertices []uint32, offsets []int32) {
	row, at := 0, int32(0)
	for _, p := range g.parts {
		for _, l := range p.lists {
			if vertex := l.vertex + p.rebase; vertices != nil {
				vertices[row] = vertex
			} else {
				for ; row < int(vertex); row++ {
					offsets[row] = at
				}
			}
			offsets[row] = at
			row, at = row+1, at+l.to-l.from
		}
	}
	for ; row < len(offsets); row++ {
		offsets[row] = at
	}
}

// copyEdges fills subEdge and the columns.
func (g *Subgraph) copyEdges(to chunk.Buffers, workers int) {
	if to.Vertices == nil {
		g.copyAll(to)
		return
	}
	row := func(share int) int { // the first of a worker's, who all get about as many edges
		edge := int32(uint64(g.Edges()) * uint64(share) / uint64(workers))
		return sort.Search(g.Rows(), func(i int) bool { return to.Offsets[i] >= edge })
	}
	var all sync.WaitGroup
	for w := 1; w < workers; w++ {
		all.Go(func() { g.copyLists(to, row(w), row(w+1)) })
	}
	g.copyLists(to, 0, row(1))
	all.Wait()
}

// copyAll copies the edges of all lists, one after the other.
func (g *Subgraph) copyAll(to chunk.Buffers) {
	at := 0
	for _, p := range g.parts {
		g.copyPart(to, p, p.lists, at)
		at += p.edges
	}
}

// copyLists copies the edges of lists [from, end).
func (g *Subgraph) copyLists(to chunk.Buffers, from, end int) {
	i := sort.Search(len(g.parts), func(i int) bool { return g.parts[i].first > from }) - 1
	for ; i >= 0 && i < len(g.parts) && g.parts[i].first < end; i++ {
		p := g.parts[i]
		lists := p.lists[max(0, from-p.first):min(len(p.lists), end-p.first)]
		g.copyPart(to, p, lists, int(to.Offsets[max(from, p.first)]))
	}
}

// copyPart copies the edges of a part's lists, the first to where edge at lies.
func (g *Subgraph) copyPart(to chunk.Buffers, p part, lists []list, at int) {
	p.copyNeighbors(to.Neighbors[at:], lists)
	for k, f := range g.blank.Columns {
		values, _ := p.chunk.Column(f.Name)
		copyEach(to.Columns[k], values.Data().Buffers()[1].Bytes(), chunk.Width(f), at, lists)
	}
}

// copyEach copies lists of values, so many bytes wide, to where value at lies in dst.
func copyEach(dst, src []byte, width, at int, lists []list) {
	at *= width
	for _, l := range lists {
		at += copy(dst[at:], src[int(l.from)*width:int(l.to)*width])
	}
}
