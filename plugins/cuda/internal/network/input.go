package network

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
)

// input is rows that lie in the arena, and on the card: all numbers, or those that are not 0.
type input struct {
	plugins.Tensor
	vertices, width int
	varies          bool // from pass to pass
	numbers         *buffer
	rows            *lists // of sparse rows: columns; nil: they are dense
	// Of sparse rows, for sums over all of them by column: lists by column of rows, and where in numbers theirs are.
	columns *lists // nil: nobody asks
	order   *buffer
}

// newInput takes the memory for an input.
func newInput(t plugins.Tensor, vertices, width int) (*input, error) {
	in := &input{Tensor: t, vertices: vertices, width: width, numbers: kept(t.Numbers.Length)}
	if t.Offsets == (arena.Range{}) {
		if t.Numbers.Length != 4*uint64(vertices)*uint64(width) {
			return nil, in.misshapen()
		}
		return in, nil
	}
	entries := t.Numbers.Length / 4
	if t.Offsets.Length != 8*(uint64(vertices)+1) || t.Columns.Length != 4*entries || entries > math.MaxUint32 {
		return nil, in.misshapen()
	}
	in.rows = newLists(uint64(vertices), entries)
	return in, nil
}

func (in *input) misshapen() error {
	return plugins.Errorf(plugins.KindInvalid, "input %s does not have %d rows of %d numbers", in.Name, in.vertices,
		in.width)
}

// byColumn is lists of the rows that have a number in a column.
func (in *input) byColumn() *lists {
	if in.columns == nil {
		in.columns = newLists(uint64(in.width), in.rows.entries)
		in.order = kept(4 * in.rows.entries)
	}
	return in.columns
}

func (in *input) buffers() []*buffer {
	all := []*buffer{in.numbers}
	if in.rows != nil {
		all = append(all, in.rows.buffers()...)
	}
	if in.columns != nil {
		all = append(append(all, in.columns.buffers()...), in.order)
	}
	return all
}

// brought is the rows of the input in the arena.
func (in *input) brought(memory *arena.Arena) (rows grid.Rows, err error) {
	if rows.Numbers, err = memory.Float32s(in.Numbers); err == nil && in.rows != nil {
		if rows.Offsets, err = memory.Int64s(in.Offsets); err == nil {
			rows.Columns, err = memory.Uint32s(in.Columns)
		}
	}
	if err != nil {
		return rows, plugins.Errorf(plugins.KindInvalid, "input %s: %w", in.Name, err)
	}
	return rows, nil
}

// send copies rows of the input to the card.
func (in *input) send(ctx context.Context, s *stream.Streams, base driver.Pointer, rows grid.Rows) error {
	if err := s.CopyIn(ctx, s.Computing, base+driver.Pointer(in.numbers.at), bytesOf(rows.Numbers)); err != nil {
		return err
	}
	if in.rows == nil {
		return nil
	}
	begin, err := in.begins(rows.Offsets, rows.Columns)
	if err != nil {
		return err
	}
	if err := in.rows.send(ctx, s, base, begin); err != nil {
		return err
	}
	if err := s.CopyIn(ctx, s.Computing, base+driver.Pointer(in.rows.others.at), bytesOf(rows.Columns)); err != nil {
		return err
	}
	if in.columns == nil {
		return nil
	}
	return in.sendColumns(ctx, s, base, begin, rows.Columns)
}

// begins is where rows begin, once they are known to be sound.
func (in *input) begins(offsets []int64, columns []uint32) ([]uint64, error) {
	begin := make([]uint64, len(offsets))
	for v, at := range offsets {
		if at < 0 || v > 0 && at < offsets[v-1] {
			return nil, in.misshapen()
		}
		begin[v] = uint64(at)
	}
	if begin[0] != 0 || begin[len(begin)-1] != uint64(len(columns)) {
		return nil, in.misshapen()
	}
	for _, c := range columns {
		if int(c) >= in.width {
			return nil, in.misshapen()
		}
	}
	return begin, nil
}

// sendColumns sorts what is not 0 by columns, and copies that.
func (in *input) sendColumns(ctx context.Context, s *stream.Streams, base driver.Pointer, begin []uint64,
	columns []uint32) error {
	first := make([]uint64, in.width+1)
	for _, c := range columns {
		first[c+1]++
	}
	for c := range in.width {
		first[c+1] += first[c]
	}
	next, rows, order := append([]uint64(nil), first...), make([]uint32, len(columns)), make([]uint32, len(columns))
	for v := range begin[1:] {
		for e := begin[v]; e < begin[v+1]; e++ {
			at := next[columns[e]]
			next[columns[e]]++
			rows[at], order[at] = uint32(v), uint32(e)
		}
	}
	if err := in.columns.send(ctx, s, base, first); err != nil {
		return err
	}
	if err := s.CopyIn(ctx, s.Computing, base+driver.Pointer(in.columns.others.at), bytesOf(rows)); err != nil {
		return err
	}
	return s.CopyIn(ctx, s.Computing, base+driver.Pointer(in.order.at), bytesOf(order))
}

// dense is all numbers of sparse rows.
type dense struct {
	in  *input
	out *buffer
}

func (d *dense) buffers() []*buffer { return []*buffer{d.out} }

func (d *dense) launch(r *run) error {
	l := d.in.rows.onCard(r.base)
	return r.kernels.Dense(r.stream, l.Rows, uint64(d.in.width), l.Begin, l.Others, r.at(d.in.numbers), r.at(d.out))
}

// dropped is the numbers of sparse rows times those of a dropout.
type dropped struct {
	in      *input
	numbers *buffer
	code    *code // the factor
	out     *buffer
}

func (d *dropped) buffers() []*buffer { return []*buffer{d.numbers, d.out} }

func (d *dropped) launch(r *run) error {
	l := d.in.rows.onCard(r.base)
	return r.kernels.Drop(r.stream, l.Rows, r.of.First, l.Begin, l.Others, r.at(d.numbers), r.code(d.code), r.at(d.out))
}
