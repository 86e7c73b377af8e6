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
// clear, fill and add up all of these rows, most of which they hardly touch. Where all vertices are there, the entries
// of x lie by column, too, and the sum is made column by column when the rows of y are complete: of what dropouts keep
// of a column,
//
//	Σ over sections (Σ over their entries of the column: value · row of y)
//
// which are the sums and the order of sections that add up one after the other: the same bits. What is dropped is found
// anew, from the keys of the vertices: x is not made.

// byColumn is such a sum. Its memory is 8 bytes for each entry of x, 4 for each column, and 9 for each vertex, of whose
// keys there are 8 more for each further dropout.
type byColumn[T number] struct {
	y       *dataflow.Value
	masks   []*dataflow.Value // that x is a dropout by, one after the other
	offsets []uint32          // where each column begins
	rows    []uint32          // of entries of x, column after column, and in these in order
	values  []T
	section []uint8    // of each vertex
	keys    [][]uint64 // of each vertex, by mask
}

// mostEntries are those of inputs for which sums are made by column.
const mostEntries = math.MaxUint32

// columnPass is what of a pass is summed by column, the rows of all vertices which that reads, and what is not made for
// it.
type columnPass[T number] struct {
	sums   map[*dataflow.Value]*byColumn[T]
	rows   map[*dataflow.Value][]T
	unmade []*dataflow.Value
	work   []columnWork[T] // of each worker
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

// droppedInput is the input that x is, or is a dropout of, and by which masks.
func droppedInput(x *dataflow.Value) (input *dataflow.Value, masks []*dataflow.Value) {
	if x.Op == dataflow.Input {
		return x, nil
	}
	of, mask := x.Args[0], x.Args[1]
	if of.Op == dataflow.Mask {
		of, mask = mask, of
	}
	input, masks = droppedInput(of)
	return input, append(masks, mask)
}

// columnInputs are the sparse rows that a stage makes for nothing but sums by column.
func columnInputs(stage *dataflow.Stage, sums []*dataflow.Value) (list []*dataflow.Value) {
	var others []*dataflow.Value // what reads something else than the first of a sum by column
	for _, w := range stage.Waves {
		others = slices.Concat(others, w.Edges, w.Gathers, w.Rows)
	}
	others = slices.Concat(others, without(stage.Sums, sums), stage.Small)
	for _, v := range sums {
		x := v.Args[0]
		isRead := slices.ContainsFunc(others, func(v *dataflow.Value) bool { return slices.Contains(v.Args, x) })
		if x.Op != dataflow.Input && !isRead && !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
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

// widest is the width of the widest.
func widest(values []*dataflow.Value) (width int) {
	for _, v := range values {
		width = max(width, v.Width)
	}
	return width
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
			input, masks := droppedInput(v.Args[0])
			bytes += 8*entries[input.Name] + 4*uint64(v.Rows+1) + uint64(1+8*len(masks))*uint64(t.vertices)
		}
		bytes += 4 * uint64(t.vertices) * uint64(widths(columnRows(&stage, sums)))
		if len(sums) > 0 {
			bytes += 4 * uint64(t.pool.Threads) * uint64(2*entriesAtATime+widest(sums))
		}
	}
	return bytes
}

// newByColumn sorts the entries of x by column.
func newByColumn[T number](v *dataflow.Value, given Rows[T], masks []*dataflow.Value, bounds []int) *byColumn[T] {
	vertices, entries := len(given.Offsets)-1, len(given.Columns)
	c := &byColumn[T]{y: v.Args[1], masks: masks, offsets: make([]uint32, v.Rows+1), rows: make([]uint32, entries),
		values: make([]T, entries), section: make([]uint8, vertices)}
	for range masks {
		c.keys = append(c.keys, make([]uint64, vertices))
	}
	for k, end := range bounds[1:] {
		for row := bounds[k]; row < end; row++ {
			c.section[row] = uint8(k)
		}
	}
	for _, column := range given.Columns {
		c.offsets[column+1]++
	}
	for column := range v.Rows {
		c.offsets[column+1] += c.offsets[column]
	}
	next := slices.Clone(c.offsets)
	for row := range vertices {
		for e := given.Offsets[row]; e < given.Offsets[row+1]; e++ {
			at := next[given.Columns[e]]
			c.rows[at], c.values[at] = uint32(row), given.Values[e]
			next[given.Columns[e]]++
		}
	}
	return c
}

// draw makes the keys of some vertices.
func (c *byColumn[T]) draw(dropout dataflow.Dropout, from, to int) {
	for k, mask := range c.masks {
		vector.VertexKeys(c.keys[k][from:to], uint64(from), dropout.Key(mask))
	}
}

const (
	columnsAtATime = 128 // that a worker adds up
	entriesAtATime = 512
)

// columnWork is memory for what dropouts keep of some entries of a column, and for the sum of a section.
type columnWork[T number] struct {
	rows    [entriesAtATime]uint32
	values  [entriesAtATime]T
	section []T
}

// add makes the sum of a column.
func (c *byColumn[T]) add(column int, to, y []T, keys []dataflow.MaskKey, work *columnWork[T]) {
	section := work.section[:len(to)]
	clear(to)
	clear(section)
	last, end := uint8(0), int(c.offsets[column+1])
	for at := int(c.offsets[column]); at < end; at += entriesAtATime {
		rows, values := c.rows[at:min(end, at+entriesAtATime)], c.values[at:]
		for k, key := range keys {
			n := vector.MaskColumn(work.values[:], work.rows[:], values, rows, c.keys[k], column, key)
			rows, values = work.rows[:n], work.values[:]
		}
		last = vector.AddSections(to, section, y, rows, values, c.section, last, at+entriesAtATime < end)
	}
}

// sumColumns makes the sums by column of a pass.
func (n *Network[T]) sumColumns(ctx context.Context, p *pass[T]) error {
	for v, c := range p.columns.sums {
		out, y := n.known[v.ID], n.rowsOf(p, c.y)
		var keys []dataflow.MaskKey
		for _, mask := range c.masks {
			keys = append(keys, n.dropout.Key(mask))
		}
		err := n.pool.Run(ctx, (v.Rows+columnsAtATime-1)/columnsAtATime, func(worker, task int) {
			for column := task * columnsAtATime; column < min(v.Rows, (task+1)*columnsAtATime); column++ {
				c.add(column, out[column*v.Width:(column+1)*v.Width], y, keys, &p.columns.work[worker])
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
	return n.known[y.ID]
}

// prepareColumns takes the memory of the sums by column of a pass.
func (n *Network[T]) prepareColumns(p *pass[T]) {
	sums := columnSums(p.Stage, n.sparse)
	p.columns = columnPass[T]{map[*dataflow.Value]*byColumn[T]{}, map[*dataflow.Value][]T{},
		columnInputs(p.Stage, sums), nil}
	for _, v := range sums {
		input, masks := droppedInput(v.Args[0])
		p.columns.sums[v] = newByColumn(v, n.given[input], masks, n.graph.Sections[p.End])
	}
	for _, y := range columnRows(p.Stage, sums) {
		p.columns.rows[y] = make([]T, n.graph.Vertices*y.Width)
	}
	if len(sums) > 0 {
		p.columns.work = make([]columnWork[T], n.pool.Threads)
	}
	for i := range p.columns.work {
		p.columns.work[i].section = make([]T, widest(sums))
	}
}
