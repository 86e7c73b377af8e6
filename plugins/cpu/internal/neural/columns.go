package neural

import (
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// Σ xᵀ·y of sparse rows x, as the gradient of the weights of words, has a row for each column of x. Sections would each
// clear, fill and add up all of these rows, most of which they hardly touch. Where all vertices are there, sections
// leave instead by columns what x has; the sum is made of that, column by column, when the rows of y are complete:
//
//	section ──entries of x, by column──▶ ends ──▶ Σ over sections (Σ over their entries of a column: value · row of y)
//
// which are the sums and the order of sections that add up one after the other: the same bits.

// byColumn is such a sum. Its memory is 8 bytes for each entry of x, and for each section 8 for each column.
type byColumn[T number] struct {
	y            *dataflow.Value
	width        int      // columns of x
	rows         []uint32 // of entries of x, column after column, and in these in order
	values       []T
	starts, ends []uint32 // of each section, where its entries of each column begin, and how far they have come
}

// mostEntries are those of inputs for which sums are made by column.
const mostEntries = math.MaxUint32

// columnPass is what of a pass is summed by column, and the rows of all vertices which that reads.
type columnPass[T number] struct {
	sums map[*dataflow.Value]*byColumn[T]
	rows map[*dataflow.Value][]T
}

// columnSums are the sums of a stage that can be made column by column: of rows of y that lie in memory.
func columnSums(stage *dataflow.Stage, sparse map[*dataflow.Value]bool) (list []*dataflow.Value) {
	for _, v := range stage.Sums {
		if v.Op == dataflow.Outer && sparse[v.Args[0]] && !sparse[v.Args[1]] && v.Args[1].Op != dataflow.Mask &&
			v.Args[1].Place == dataflow.Vertices {
			list = append(list, v)
		}
	}
	return list
}

// inputOf is the input that x is, or is a dropout of.
func inputOf(x *dataflow.Value) *dataflow.Value {
	for _, a := range x.Args {
		if a.Op != dataflow.Mask {
			return inputOf(a)
		}
	}
	return x
}

// columnRows are the rows of y that a stage makes and does not store.
func columnRows(stage *dataflow.Stage, sums []*dataflow.Value) (list []*dataflow.Value) {
	for _, v := range sums {
		y := v.Args[1]
		isMade := slices.ContainsFunc(stage.Waves, func(w dataflow.Wave) bool {
			return slices.Contains(w.Rows, y) || slices.Contains(w.Gathers, y)
		})
		if isMade && !slices.Contains(stage.Stored, y) && !slices.Contains(list, y) {
			list = append(list, y)
		}
	}
	return list
}

// without leaves out some values.
func without(values, some []*dataflow.Value) []*dataflow.Value {
	return slices.DeleteFunc(slices.Clone(values), func(v *dataflow.Value) bool { return slices.Contains(some, v) })
}

// byColumn says whether sums are made by column.
func (t *Task) byColumn() bool {
	return !slices.ContainsFunc(t.network.Inputs, func(in plugins.Tensor) bool {
		return in.Columns.Length/4 > mostEntries
	})
}

// columnBytes is what the sums by column of a pass take.
func (t *Task) columnBytes(roots []*dataflow.Value) (bytes uint64) {
	if !t.byColumn() {
		return 0
	}
	entries := map[string]uint64{}
	for _, in := range t.network.Inputs {
		entries[in.Name] = in.Columns.Length / 4
	}
	schedule := dataflow.NewSchedule(t.network.Values, roots...)
	sparse := dataflow.Sparse(dataflow.Order(t.network.Values, roots...), givenSparse(t.network.Inputs))
	for _, stage := range slices.Concat(schedule.Once, schedule.Epoch) {
		sums := columnSums(&stage, sparse)
		for _, v := range sums {
			bytes += 8*entries[inputOf(v.Args[0]).Name] + 8*uint64(t.sections())*uint64(v.Rows)
		}
		bytes += 4 * uint64(t.vertices) * uint64(widths(columnRows(&stage, sums)))
	}
	return bytes
}

// newByColumn finds where the entries of each section and column go.
func newByColumn[T number](v *dataflow.Value, given Rows[T], bounds []int) *byColumn[T] {
	sections, entries := len(bounds)-1, len(given.Columns)
	c := &byColumn[T]{y: v.Args[1], width: v.Rows, rows: make([]uint32, entries), values: make([]T, entries),
		starts: make([]uint32, sections*v.Rows), ends: make([]uint32, sections*v.Rows)}
	for k := range sections {
		for _, column := range given.Columns[given.Offsets[bounds[k]]:given.Offsets[bounds[k+1]]] {
			c.starts[k*v.Rows+int(column)]++
		}
	}
	next := uint32(0)
	for column := range v.Rows {
		for at := column; at < len(c.starts); at += v.Rows {
			c.starts[at], next = next, next+c.starts[at]
		}
	}
	return c
}

// begin makes room for a section's entries.
func (c *byColumn[T]) begin(section int) {
	copy(c.ends[section*c.width:(section+1)*c.width], c.starts[section*c.width:])
}

// take takes the entries of a section's rows of x, which are those of vertices from first on.
func (c *byColumn[T]) take(section, first, n int, x *sparseRows[T]) {
	ends := c.ends[section*c.width : (section+1)*c.width]
	for i := range n {
		columns, values := x.row(i)
		values = values[:len(columns)]
		for e, column := range columns {
			at := ends[column]
			c.rows[at], c.values[at] = uint32(first+i), values[e]
			ends[column] = at + 1
		}
	}
}

// columnsAtATime are those that a worker adds up at a time.
const columnsAtATime = 128

// sumColumns makes the sums by column of a pass.
func (n *Network[T]) sumColumns(ctx context.Context, p *pass[T]) error {
	for v, c := range p.columns.sums {
		out, y := n.known[v], n.rowsOf(p, c.y)
		err := n.pool.Run(ctx, (v.Rows+columnsAtATime-1)/columnsAtATime, func(_, task int) {
			for column := task * columnsAtATime; column < min(v.Rows, (task+1)*columnsAtATime); column++ {
				to := out[column*v.Width : (column+1)*v.Width]
				clear(to)
				vector.AddSections(to, y, c.rows, c.values, c.starts[column:], c.ends[column:], v.Rows)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rowsOf is the rows of all vertices of what a pass sums by column.
func (n *Network[T]) rowsOf(p *pass[T], y *dataflow.Value) []T {
	if rows := p.columns.rows[y]; rows != nil {
		return rows
	}
	return n.known[y]
}

// prepareColumns takes the memory of the sums by column of a pass.
func (n *Network[T]) prepareColumns(p *pass[T]) {
	sums := columnSums(p.Stage, n.sparse)
	p.columns = columnPass[T]{map[*dataflow.Value]*byColumn[T]{}, map[*dataflow.Value][]T{}}
	for _, v := range sums {
		p.columns.sums[v] = newByColumn(v, n.given[inputOf(v.Args[0])], n.graph.Sections[p.End])
	}
	for _, y := range columnRows(p.Stage, sums) {
		p.columns.rows[y] = make([]T, n.graph.Vertices*y.Width)
	}
}
