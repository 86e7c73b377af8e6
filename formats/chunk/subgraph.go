package chunk

import (
	"slices"
	"sort"
	"sync"

	"github.com/apache/arrow/go/v15/arrow"
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
	head
	fields []arrow.Field
	parts  []part
}

// part is a selection and where it comes to lie.
type part struct {
	Selection
	rebase uint32 // what its vertices are moved by
	first  int    // which list of the subgraph its first one is
}

// Join puts selections together, whose vertices must ascend from each to the next. Their
// chunks are of one graph, direction and column interval and have the same columns,
// all of fixed width and without nulls (*TypeError).
func Join(selections ...Selection) (*Subgraph, error) {
	if len(selections) == 0 {
		return nil, invalid("selections", "there are none to join")
	}
	first, last := selections[0].chunk, selections[len(selections)-1].chunk
	g := &Subgraph{head: head{version: Version, meta: first.meta}, fields: first.Columns()}
	g.meta.Cols = selections[0].cols
	g.meta.Rows.Count = last.meta.Rows.End() - first.meta.Rows.Base
	for _, c := range first.columns {
		if width(c.field) == 0 || c.array.NullN() > 0 {
			return nil, &TypeError{Column: c.field.Name, Type: c.field.Type}
		}
	}
	for _, s := range selections {
		if err := g.add(s); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func (g *Subgraph) add(s Selection) error {
	m := s.chunk.meta
	same := func(a, b arrow.Field) bool { return a.Equal(b) }
	switch {
	case m.Direction != g.meta.Direction || s.cols != g.meta.Cols || !slices.EqualFunc(s.chunk.Columns(), g.fields, same):
		return invalid("selections", "they are of chunks with different directions, column intervals or columns")
	case m.Rows.Base < g.meta.Rows.Base || g.meta.Rows.Count > maxInterval || !g.ascends(s):
		return invalid("selections", "their vertices do not ascend, or are more than 2^32 apart")
	}
	if s.edges > 0 {
		g.parts = append(g.parts, part{Selection: s, rebase: uint32(m.Rows.Base - g.meta.Rows.Base), first: g.stats.Rows})
	}
	for _, l := range s.lists {
		g.count(int(l.to - l.from))
	}
	if g.stats.Edges > maxEdges {
		return &TooManyEdgesError{Edges: uint64(g.stats.Edges)}
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
	if g.stats.MaxDegree = max(g.stats.MaxDegree, degree); g.stats.Rows == 0 {
		g.stats.MinDegree = degree
	}
	g.stats.MinDegree = min(g.stats.MinDegree, degree)
	g.stats.Rows++
	g.stats.Edges += degree
}

// Rows is the number of lists.
func (g *Subgraph) Rows() int { return g.stats.Rows }

// Edges is how many EncodeTo copies.
func (g *Subgraph) Edges() int { return g.stats.Edges }

// EncodedSize is how many bytes EncodeTo writes.
func (g *Subgraph) EncodedSize() int {
	b := g.batch()
	return headerSize(g.schema(), b) + b.size() + tailSize
}

func (g *Subgraph) schema() *arrow.Schema { return newSchema(g.head, true, g.fields) }

// Where the buffers stand in batch: each array's validity, which is empty, comes before it.
const (
	vertexBuffer   = 1
	offsetsBuffer  = 3
	neighborBuffer = 6
	columnBuffers  = 8 // and every other one from there
)

func (g *Subgraph) batch() batch {
	rows, edges := node{length: g.stats.Rows}, node{length: g.stats.Edges}
	b := batch{
		nodes: []node{rows, rows, edges, edges},
		sizes: []int{0, 4 * rows.length, 0, 4 * (rows.length + 1), 0, 0, 4 * edges.length},
	}
	for _, f := range g.fields {
		b.nodes = append(b.nodes, edges)
		b.sizes = append(b.sizes, 0, edges.length*width(f))
	}
	return b
}

// EncodeTo writes the subgraph, as a chunk, to the start of dst, which is 64-byte aligned and
// has EncodedSize bytes (*BufferError). So many workers copy at once.
func (g *Subgraph) EncodeTo(dst []byte, workers int) (int, error) {
	b, schema := g.batch(), g.schema()
	start := headerSize(schema, b)
	end := start + b.size()
	if err := checkBuffer(dst, end+tailSize); err != nil {
		return 0, err
	}
	buffers := b.carve(dst[start:end])
	g.place(asNumbers[uint32](buffers[vertexBuffer]), asNumbers[int32](buffers[offsetsBuffer]))
	g.copyEdges(buffers, workers)
	sums := make([]uint64, len(buffers))
	for i, buffer := range buffers {
		sums[i] = sum(g.version, buffer)
	}
	return frame(dst, g.version, end, encodeHeader(schema, b, sums)), nil
}

// carve cuts the buffers out of a body and clears the padding behind them.
func (b batch) carve(body []byte) [][]byte {
	buffers := make([][]byte, len(b.sizes))
	for i, size := range b.sizes {
		buffers[i] = body[:size:size]
		clear(body[size:align(size)])
		body = body[align(size):]
	}
	return buffers
}

// place says where each list lies: subVertex and subOffset.
func (g *Subgraph) place(vertices []uint32, offsets []int32) {
	row, at := 0, int32(0)
	for _, p := range g.parts {
		for _, l := range p.lists {
			vertices[row], offsets[row] = l.vertex+p.rebase, at
			row, at = row+1, at+l.to-l.from
		}
	}
	offsets[row] = at
}

// copyEdges fills subEdge and the columns.
func (g *Subgraph) copyEdges(buffers [][]byte, workers int) {
	offsets := asNumbers[int32](buffers[offsetsBuffer])
	row := func(share int) int { // the first of a worker's, who all get about as many edges
		edge := int32(uint64(g.stats.Edges) * uint64(share) / uint64(workers))
		return sort.Search(g.stats.Rows, func(i int) bool { return offsets[i] >= edge })
	}
	var all sync.WaitGroup
	for w := 1; w < workers; w++ {
		all.Go(func() { g.copyLists(buffers, row(w), row(w+1)) })
	}
	g.copyLists(buffers, 0, row(1))
	all.Wait()
}

// copyLists copies the edges of lists [from, to).
func (g *Subgraph) copyLists(buffers [][]byte, from, to int) {
	i := sort.Search(len(g.parts), func(i int) bool { return g.parts[i].first > from }) - 1
	for ; i >= 0 && i < len(g.parts) && g.parts[i].first < to; i++ {
		p := g.parts[i]
		lists := p.lists[max(0, from-p.first):min(len(p.lists), to-p.first)]
		at := int(asNumbers[int32](buffers[offsetsBuffer])[max(from, p.first)])
		p.copyNeighbors(asNumbers[uint32](buffers[neighborBuffer])[at:], lists)
		for k, c := range p.chunk.columns {
			copyEach(buffers[columnBuffers+2*k], bufferBytes(c.array.Data(), 1), width(c.field), at, lists)
		}
	}
}

// copyEach copies lists of values, so many bytes wide, to where value at lies in dst.
func copyEach(dst, src []byte, width, at int, lists []list) {
	at *= width
	for _, l := range lists {
		at += copy(dst[at:], src[int(l.from)*width:int(l.to)*width])
	}
}

// width is how many bytes a value of a column takes; 0 when not all take as many.
func width(f arrow.Field) int {
	if t, fixed := f.Type.(arrow.FixedWidthDataType); fixed && t.BitWidth()%8 == 0 {
		return t.BitWidth() / 8
	}
	return 0
}
