package network

import (
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cuda/blas"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// step is something that the card does, once what it reads is there.
type step interface {
	buffers() []*buffer // that it reads and writes, but for those of its code
	launch(r *run) error
}

// run is a pass that is put into a queue.
type run struct {
	kernels *kernels.Networks
	stream  driver.Stream
	base    driver.Pointer // of the slab
	codes   driver.Pointer
	library *blas.Handle // nil: products are made by a kernel

	vertices uint64 // at hand
	of       kernels.Vertices
}

// height is how many rows there are: of the vertices at hand, or of a parameter.
type height struct {
	rows       uint64
	ofVertices bool
}

func (c *compiler) heightOf(v *dataflow.Value) height {
	return height{rows: uint64(v.Rows), ofVertices: v.Place != dataflow.Parameters}
}

// count is how many rows there are now.
func (r *run) count(h height) uint64 {
	if h.ofVertices {
		return r.vertices
	}
	return h.rows
}

// firstOf is the vertex of the first row; of parameters, 0.
func (r *run) firstOf(h height) uint64 {
	if h.ofVertices {
		return r.of.First
	}
	return 0
}

// at is the address of b.
func (r *run) at(b *buffer) driver.Pointer {
	if b == nil {
		return 0
	}
	return r.base + driver.Pointer(b.offset())
}

func (r *run) code(c *code) driver.Pointer { return r.codes + driver.Pointer(c.place) }

// gather folds an expression over the edges at an end.
type gather struct {
	edges        *edges
	atSource     bool
	largest      bool
	width        int
	code         *code
	out, partial *buffer
}

func (g *gather) buffers() []*buffer { return []*buffer{g.out, g.partial} }

func (g *gather) launch(r *run) error {
	return r.kernels.Gather(r.stream, g.edges.onCard(r.base), r.sinks(g.width, g.largest, g.out, g.partial), g.atSource,
		r.code(g.code))
}

func (r *run) sinks(width int, largest bool, out, partial *buffer) kernels.Sinks {
	return kernels.Sinks{Width: uint64(width), Largest: largest, Out: r.at(out), Partial: r.at(partial)}
}

// gatherRows folds rows that the entries of lists name.
type gatherRows struct {
	lists          *lists
	ofEdges        bool // its entries are edges
	rows           *buffer
	numbers, order *buffer // of entries; nil: there are none, or they stand in order
	largest        bool
	width          int
	out, partial   *buffer
}

func (g *gatherRows) buffers() []*buffer {
	all := []*buffer{g.rows, g.out, g.partial}
	if g.numbers != nil {
		all = append(all, g.numbers)
	}
	return all
}

func (g *gatherRows) launch(r *run) error {
	return r.kernels.GatherRows(r.stream, g.lists.onCard(r.base), r.sinks(g.width, g.largest, g.out, g.partial),
		r.at(g.rows), r.at(g.numbers), r.at(g.order))
}

// rows computes an expression row by row.
type rows struct {
	height height
	width  int
	code   *code
	out    *buffer
}

func (m *rows) buffers() []*buffer { return []*buffer{m.out} }

func (m *rows) launch(r *run) error {
	return r.kernels.Rows(r.stream, r.count(m.height), uint64(m.width), r.firstOf(m.height), r.code(m.code),
		r.at(m.out))
}

// mostParts is how many parts a sum over rows has at most, and leastPart how many rows each has at least. They decide
// the order of sums, so that they may not depend on the card.
const (
	mostParts = 1024
	leastPart = 256
)

// partsOf is how many parts a sum over so many has, and how many each.
func partsOf(count, most, least uint64) (parts, each uint64) {
	parts = mostPartsOf(count, most, least)
	each = max(1, (count+parts-1)/parts)
	return max(1, (count+each-1)/each), each
}

// mostPartsOf is how many a sum over so many, or fewer, has at most.
func mostPartsOf(count, most, least uint64) uint64 { return max(1, min(most, count/least)) }

// sum adds up an expression over all rows.
type sum struct {
	height       height
	width        int
	code         *code
	out, partial *buffer
}

func (s *sum) buffers() []*buffer { return []*buffer{s.out, s.partial} }

func (s *sum) launch(r *run) error {
	count := r.count(s.height)
	parts, each := partsOf(count, mostParts, leastPart)
	if err := r.kernels.Sums(r.stream, count, uint64(s.width), r.firstOf(s.height), parts, each, r.code(s.code),
		r.at(s.partial)); err != nil {
		return err
	}
	return r.kernels.Total(r.stream, uint64(s.width), parts, r.at(s.partial), false, r.at(s.out))
}

// edgeOuter adds up the products of two expressions over all edges.
type edgeOuter struct {
	edges        *edges
	atSource     bool
	high, wide   int
	x, y         *code
	out, partial *buffer
}

func (o *edgeOuter) buffers() []*buffer { return []*buffer{o.out, o.partial} }

func (o *edgeOuter) launch(r *run) error {
	parts, each := partsOf(o.edges.count, mostParts, leastPart)
	if err := r.kernels.EdgeOuter(r.stream, o.edges.onCard(r.base), r.of, o.atSource, parts, each, uint64(o.high),
		uint64(o.wide), r.code(o.x), r.code(o.y), r.at(o.partial)); err != nil {
		return err
	}
	return r.kernels.Total(r.stream, uint64(o.high*o.wide), parts, r.at(o.partial), false, r.at(o.out))
}

// loss is the cross entropy of logits and a class, or its gradient.
type loss struct {
	height                    height
	width                     int
	logits, classes           *buffer
	logitsApart, classesApart uint64
	slope                     bool
	out                       *buffer
}

func (l *loss) buffers() []*buffer { return []*buffer{l.logits, l.classes, l.out} }

func (l *loss) launch(r *run) error {
	return r.kernels.Loss(r.stream, r.count(l.height), uint64(l.width), r.at(l.logits), l.logitsApart, r.at(l.classes),
		l.classesApart, l.slope, r.at(l.out))
}
