package neural

import (
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// tile is some edges of a block's vertices, which follow each other, and what is computed at them.
type tile[T number] struct {
	values table[[]T]
	first  int // among all edges of the lists
	count  int
	own    []uint32 // of each edge the row, from 0 in the block
	from   []uint32 // and the vertex
	other  []uint32
}

func newTile[T number](most, values int) tile[T] {
	return tile[T]{values: make(table[[]T], values), own: make([]uint32, most), from: make([]uint32, most)}
}

// take makes the tile so many edges of lists from the first on. Rows of the block are vertices from base on, and that
// of the first edge is not before row. It tells the row of the last.
func (t *tile[T]) take(lists *Lists, first, count, base, row int) int {
	t.first, t.count, t.other = first, count, lists.Others[first:first+count]
	row = vector.OwnRuns(t.own[:count], t.from[:count], lists.Offsets, first, base, row)
	return max(0, row-1)
}

// eachRun calls do for the edges of each vertex in the tile, whose row is from 0 in the block.
func (t *tile[T]) eachRun(do func(row, from, to int)) {
	for from := 0; from < t.count; {
		to := from + 1
		for to < t.count && t.own[to] == t.own[from] {
			to++
		}
		do(int(t.own[from]), from, to)
		from = to
	}
}

// gather goes through all edges of the block's vertices.
func (b *block[T]) gather(wave int) {
	for _, v := range b.stage.Waves[wave].Gathers {
		clear(b.rows[v.ID]) // nil of an Outer
	}
	b.gatherMore(wave)
}

// gatherMore adds the edges of the block's vertices to what there is, tile by tile.
func (b *block[T]) gatherMore(wave int) {
	w := &b.waves[wave]
	b.wave = w
	atEdges := len(w.weighted) > 0
	for _, v := range w.others {
		if far := b.farRows(v); far != nil {
			b.gatherFar(v, far)
		} else {
			atEdges = true
		}
	}
	if !atEdges {
		return
	}
	row, end := 0, b.lists.Offsets[b.first+b.count]
	for at := b.lists.Offsets[b.first]; at < end; at += int64(b.tile.count) {
		row = b.tile.take(b.lists, int(at), int(min(end-at, int64(b.most.edges))), b.first, row)
		held := 0
		for _, v := range w.made {
			if b.computeEdges(v); v.Op == dataflow.Hold {
				held += b.tile.count * v.Width
			}
		}
		b.work.held = max(b.work.held, held)
		for i := range w.weighted {
			b.addWeighted(&w.weighted[i])
		}
		for _, v := range w.others {
			if b.farRows(v) == nil {
				b.addEdges(v)
			}
		}
	}
}

// farRows is what a gather looks at, if that is nothing but rows of the far ends of edges.
func (b *block[T]) farRows(v *dataflow.Value) []T {
	x := v.Args[0]
	if v.Op == dataflow.Outer || x.Op != dataflow.Source && x.Op != dataflow.Target || b.owns(x) {
		return nil
	}
	return b.far[x.Args[0].ID]
}

// gatherFar gathers rows of the far ends: nothing is copied on the way.
func (b *block[T]) gatherFar(v *dataflow.Value, far []T) {
	offsets := b.lists.Offsets[b.first : b.first+b.count+1]
	if v.Op == dataflow.GatherMax && b.touched == nil &&
		vector.MaxLists(b.rows[v.ID], far, b.lists.Others, offsets, v.Width) {
		return
	}
	if v.Op == dataflow.GatherSum && vector.SumLists(b.rows[v.ID], far, b.lists.Others, offsets, v.Width) {
		return
	}
	for i := range b.count {
		others := b.lists.Others[offsets[i]:offsets[i+1]]
		to := b.rows[v.ID][i*v.Width : (i+1)*v.Width]
		if v.Op == dataflow.GatherSum {
			weightedSum(to, far, others, nil, len(others), v.Width, 0)
		} else if len(others) > 0 {
			if !b.seen(uint32(b.first + i)) {
				copy(to, far[int(others[0])*v.Width:])
			}
			vector.MaxRows(to, vector.Operand[T]{Of: far, Index: others}, len(others))
		}
	}
}

// owns says whether an edge value is of the end whose rows the block has.
func (b *block[T]) owns(v *dataflow.Value) bool {
	return (v.Op == dataflow.Source) == (b.stage.End == dataflow.AtSource)
}

// computeEdges makes the tile's rows of v, which the wave makes.
func (b *block[T]) computeEdges(v *dataflow.Value) {
	out := b.tile.values[v.ID]
	switch a := b.wave.attention[v.ID]; {
	case a != nil:
		b.attend(a)
		return
	case v.Op == dataflow.SumParts && b.wave.fused[v.Args[0].ID]:
		b.sumProducts(v)
		return
	}
	switch v.Op {
	case dataflow.Hold:
		if !isHeldWhereMade(v) {
			b.scatter(v)
		}
		return
	case dataflow.Property:
		for e, x := range b.lists.Properties[v.Name][b.tile.first : b.tile.first+b.tile.count] {
			out[e] = T(x)
		}
		return
	}
	if b.multiplies(v) {
		b.multiply(v, out, b.tile.count, b.ofEdges(v.Args[0]))
		return
	}
	var args [2]operand[T]
	for i, a := range v.Args {
		args[i] = b.ofEdges(a)
	}
	compute(v, out, b.tile.count, args[:len(v.Args)], b.known, b.edgeMasks)
}

// isHeldWhereMade says whether what v holds has a tile of its own.
func isHeldWhereMade(v *dataflow.Value) bool {
	return v.Op == dataflow.Hold && v.Args[0].Op != dataflow.Source && v.Args[0].Op != dataflow.Target
}

// scatter copies rows of the ends of edges to the edges.
func (b *block[T]) scatter(v *dataflow.Value) {
	x := b.ofEdges(v.Args[0])
	for e := range b.tile.count {
		copy(b.tile.values[v.ID][e*v.Width:(e+1)*v.Width], x.row(e))
	}
}

// edgeMasks draws a mask for the edges of the tile.
func (b *block[T]) edgeMasks(mask *dataflow.Value) drawn {
	d := drawn{b.dropout.Key(mask), b.keys[:b.tile.count]}
	near, far := b.tile.from[:b.tile.count], b.tile.other
	if b.sources != nil || b.whole != nil {
		near, far = make([]uint32, b.tile.count), make([]uint32, b.tile.count)
		for e := range b.tile.count {
			if near[e], far[e] = b.tile.from[e], b.tile.other[e]; b.whole != nil {
				near[e], far[e] = b.whole[near[e]], b.whole[far[e]]
			} else {
				near[e], far[e] = uint32(b.origin)+near[e], b.sources[far[e]]
			}
		}
	}
	if b.stage.End == dataflow.AtTarget {
		near, far = far, near
	}
	vector.EdgeKeys(d.keys, near, far, d.of)
	return d
}

// ofEdges is the rows of a value for the tile's edges.
func (b *block[T]) ofEdges(v *dataflow.Value) operand[T] {
	switch {
	case isHeldWhereMade(v):
		return b.ofEdges(v.Args[0])
	case v.Place == dataflow.Parameters:
		return operand[T]{data: b.known[v.ID], width: v.Width, one: v.Rows == 1}
	case v.Op == dataflow.Mask:
		return operand[T]{width: v.Width}
	case v.Op != dataflow.Source && v.Op != dataflow.Target:
		return operand[T]{data: b.tile.values[v.ID], width: v.Width}
	}
	of := v.Args[0]
	switch {
	case !b.owns(v):
		return operand[T]{data: b.far[of.ID], index: b.tile.other, width: v.Width}
	case b.rows[of.ID] != nil:
		return operand[T]{data: b.rows[of.ID], index: b.tile.own[:b.tile.count], width: v.Width}
	}
	return operand[T]{data: b.known[of.ID], index: b.tile.from[:b.tile.count], width: v.Width}
}

// sumRuns adds the tile's rows to those of the vertices, whose edges follow each other.
func (b *block[T]) sumRuns(v *dataflow.Value, x operand[T]) {
	if x.follows() && v.Width <= vector.RunWidth {
		vector.AddRuns(b.rows[v.ID], b.tile.own[:b.tile.count], x.data, v.Width)
		return
	}
	b.tile.eachRun(func(row, e, end int) {
		to := b.rows[v.ID][row*v.Width : (row+1)*v.Width]
		switch {
		case x.one:
			for range end - e {
				add(to, x.data)
			}
		case x.index != nil:
			weightedSum(to, x.data, x.index[e:end], nil, end-e, x.width, 0)
		default:
			weightedSum(to, x.data[e*x.width:end*x.width], nil, nil, end-e, x.width, 0)
		}
	})
}

// addEdges adds the tile to a gather.
func (b *block[T]) addEdges(v *dataflow.Value) {
	read := func(a *dataflow.Value) operand[T] {
		if a.Op == dataflow.Mask {
			return factors[T](a, b.tile.count, b.edgeMasks)
		}
		return b.ofEdges(a)
	}
	x := read(v.Args[0])
	switch v.Op {
	case dataflow.Outer:
		outer(b.sums[v], b.tile.count, x, read(v.Args[1]))
	case dataflow.GatherSum:
		b.sumRuns(v, x)
	case dataflow.GatherMax:
		b.tile.eachRun(func(row, e, end int) {
			to := b.rows[v.ID][row*v.Width : (row+1)*v.Width]
			if int64(b.tile.first+e) == b.lists.Offsets[b.first+row] && !b.seen(uint32(b.first+row)) {
				copy(to, x.row(e))
			}
			if x.one {
				end = e + 1
			}
			vector.MaxRows(to, x.from(e, end-e), end-e)
		})
	}
}
