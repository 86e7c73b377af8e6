package network

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// fold goes on, along the edges of a cell, with what the cells before have come to.
type fold struct {
	cell                *cell
	atSource            bool
	largest             bool
	width               int
	code                *code   // of an expression; nil: rows of far ends are added up
	rows                *buffer // these
	out, piece, partial *buffer
}

func (f *fold) buffers() []*buffer {
	all := []*buffer{f.out, f.piece, f.partial}
	if f.rows != nil {
		all = append(all, f.rows)
	}
	return all
}

func (f *fold) folds(r *run) kernels.Folds {
	return kernels.Folds{Sinks: r.sinks(f.width, f.largest, f.out, f.partial), Piece: r.at(f.piece)}
}

func (f *fold) launch(r *run) error {
	c := f.cell.onCard(r)
	if f.code == nil {
		return r.kernels.GatherRowsMore(r.stream, c, f.folds(r), r.at(f.rows))
	}
	return r.kernels.GatherMore(r.stream, c, f.folds(r), f.atSource, r.code(f.code))
}

// come counts what has come, when all folds have gone on.
type come struct{ cell *cell }

func (c *come) buffers() []*buffer { return nil }

func (c *come) launch(r *run) error { return r.kernels.Come(r.stream, c.cell.onCard(r)) }

// folded ends folds when all cells have come.
type folded struct {
	cell  *cell
	folds []*fold
}

func (f *folded) buffers() (all []*buffer) {
	for _, each := range f.folds {
		all = append(all, each.out, each.piece)
	}
	return all
}

func (f *folded) launch(r *run) error {
	before := r.at(f.cell.before)
	for _, each := range f.folds {
		if err := r.kernels.End(r.stream, r.vertices, before, each.folds(r)); err != nil {
			return err
		}
	}
	return r.stream.Fill32(before, 0, r.vertices)
}

// more adds a parameter to another.
type more struct {
	numbers  uint64
	from, to *buffer
}

func (m *more) buffers() []*buffer { return []*buffer{m.from, m.to} }

func (m *more) launch(r *run) error {
	return r.kernels.Total(r.stream, m.numbers, 1, r.at(m.from), true, r.at(m.to))
}

// fold goes on with a gather.
func (c *compiler) fold(v *dataflow.Value) (*fold, error) {
	x := v.Args[0]
	f := &fold{cell: c.cell, atSource: v.End == dataflow.AtSource, largest: v.Op == dataflow.GatherMax, width: v.Width,
		out: c.make(v), piece: &buffer{bytes: 4 * c.rowsOf(v) * uint64(v.Width)}, partial: c.cell.partial(v.Width)}
	var err error
	var codes []*code
	if (x.Op == dataflow.Source || x.Op == dataflow.Target) && !grid.Owns(v.End, x) {
		f.rows, err = c.endOf(x)
	} else if f.code, err = c.expression(x, c.cell.edges); err == nil {
		codes = []*code{f.code}
	}
	c.add(v, f, codes...)
	return f, err
}

// addTo adds v, of the interval or the cell at hand, to what it has come to before.
func (c *compiler) addTo(v *dataflow.Value, sum *buffer) error {
	if err := c.compute(v); err != nil {
		return err
	}
	c.add(v, &more{numbers: uint64(v.Rows) * uint64(v.Width), from: c.known[v], to: sum})
	return nil
}

// endOf is the rows of an end of edges: those of far ends come with a cell.
func (c *compiler) endOf(v *dataflow.Value) (*buffer, error) {
	of := v.Args[0]
	if c.cell == nil || grid.Owns(c.end, v) || of.Place == dataflow.Parameters {
		return c.matrix(of)
	}
	if k := slices.Index(c.farValues, of); k >= 0 {
		return c.far[k], nil
	}
	return nil, unsupported("rows of far ends that do not come: %v", v)
}
