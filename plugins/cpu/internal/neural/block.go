package neural

import (
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

const (
	blockRows = 128 // of vertices
	tileEdges = 256
)

// extent is how many vertices a block has at most, and how many edges a tile.
type extent struct{ rows, edges int }

// extentOf is that of a stage: where edge values are held, a block is a section, with all of its edges.
func extentOf(stage *dataflow.Stage, sections [2]extent) extent {
	if stage.Held() > 0 {
		return sections[stage.End]
	}
	return extent{blockRows, tileEdges}
}

// numbers is what a block takes that has such values.
func (r extent) numbers(rows, tile []*dataflow.Value) int {
	return r.rows*widths(rows) + r.edges*widths(tile)
}

// block is a worker's rows of a stage: some vertices that follow each other, and some of their edges.
type block[T number] struct {
	*Network[T]
	stage *dataflow.Stage
	most  extent
	held  int // the most numbers of edges that a tile has held
	packs map[*dataflow.Value]vector.Panels[T]
	sums  map[*dataflow.Value][]T
	rows  map[*dataflow.Value][]T            // of the vertices from first on, so many
	few   map[*dataflow.Value]*sparseRows[T] // those of them that are sparse
	first int
	count int
	tile  map[*dataflow.Value][]T // of edges
	edges int
	own   []uint32 // of each edge of the tile the row, from 0 in the block
	from  []uint32 // and the vertex
	other []uint32
	lists *Lists
	edge  int                        // the first of the tile, among all edges of lists
	waves []map[*dataflow.Value]bool // of each wave, what is fused
	keys  []uint64                   // of a mask's rows
	fused map[*dataflow.Value]bool   // in the wave that the block is in: another may have to make the same value
}

func newBlock[T number](n *Network[T], p *pass[T], worker int) *block[T] {
	stage := p.Stage
	most := extentOf(stage, n.sections())
	b := &block[T]{Network: n, stage: stage, most: most, packs: p.packs, keys: make([]uint64, max(most.rows, most.edges)),
		rows: map[*dataflow.Value][]T{}, few: map[*dataflow.Value]*sparseRows[T]{}, tile: map[*dataflow.Value][]T{},
		own: make([]uint32, most.edges), from: make([]uint32, most.edges), other: make([]uint32, most.edges),
		lists: &n.graph.Ends[stage.End]}
	rows, tile := blockValues(stage, n.sparse)
	memory := n.work.blocks[worker]
	for _, v := range rows {
		b.rows[v], memory = memory[:most.rows*v.Width], memory[most.rows*v.Width:]
	}
	for _, v := range tile {
		b.tile[v], memory = memory[:most.edges*v.Width], memory[most.edges*v.Width:]
	}
	for i := range stage.Waves {
		b.waves = append(b.waves, fusedValues(&stage.Waves[i]))
	}
	return b
}

// section takes vertices [from, to) through the stage, block by block, and adds to sums.
func (b *block[T]) section(from, to int, sums map[*dataflow.Value][]T) {
	b.each(from, to, sums, func() {
		for i := range b.stage.Waves {
			b.gather(i)
			for _, v := range b.stage.Waves[i].Rows {
				b.compute(v)
			}
		}
		for _, v := range b.stage.Stored {
			b.store(v)
		}
		for _, v := range b.stage.Sums {
			b.add(v)
		}
	})
}

// each makes blocks of vertices [from, to), and calls do for each of them.
func (b *block[T]) each(from, to int, sums map[*dataflow.Value][]T, do func()) {
	b.sums = sums
	for b.first = from; b.first < to; b.first += b.most.rows {
		b.count = min(b.most.rows, to-b.first)
		for v, all := range b.kept {
			b.rows[v] = all[b.first*v.Width : (b.first+b.count)*v.Width]
		}
		do()
	}
}

// store puts the block's rows of v where those of all vertices are.
func (b *block[T]) store(v *dataflow.Value) {
	copy(b.known[v][b.first*v.Width:], b.rows[v][:b.count*v.Width])
}

// compute makes the rows of v.
func (b *block[T]) compute(v *dataflow.Value) {
	switch {
	case b.sparse[v]:
		b.drop(v)
		return
	case v.Op == dataflow.Product && b.sparse[v.Args[0]]:
		sparseProduct(b.rows[v], b.count, v.Width, b.fewOf(v.Args[0]), b.known[v.Args[1]])
		return
	case b.multiplies(v):
		b.multiply(v, b.rows[v], b.count, b.of(v.Args[0]))
		return
	}
	args := make([]operand[T], len(v.Args))
	for i, a := range v.Args {
		args[i] = b.of(a)
	}
	compute(v, b.rows[v], b.count, args, b.known, b.masks)
}

// multiplies says whether v is a product by a matrix that is packed.
func (b *block[T]) multiplies(v *dataflow.Value) bool {
	return (v.Op == dataflow.Product || v.Op == dataflow.ProductTransposed) && v.Args[0].Op != dataflow.Mask
}

// multiply makes n rows of a product.
func (b *block[T]) multiply(v *dataflow.Value, out []T, n int, x operand[T]) {
	if v.Op == dataflow.ProductTransposed || !sparselyProduct(out, n, v.Width, x, b.known[v.Args[1]]) {
		b.packs[v].Multiply(out, x.gathered(n), n)
	}
}

// drop makes the rows of v, a dropout of sparse rows.
func (b *block[T]) drop(v *dataflow.Value) {
	x, mask := v.Args[0], v.Args[1]
	if x.Op == dataflow.Mask {
		x, mask = mask, x
	}
	var values []T
	if before := b.few[v]; before != nil {
		values = before.values
	}
	b.few[v] = b.fewOf(x).dropped(values, b.masks(mask))
}

// fewOf is the sparse rows of a value.
func (b *block[T]) fewOf(v *dataflow.Value) *sparseRows[T] {
	if v.Op == dataflow.Input {
		return b.given[v].block(b.first, b.count)
	}
	return b.few[v]
}

// masks draws a mask for the vertices of the block.
func (b *block[T]) masks(mask *dataflow.Value) drawn {
	d := drawn{b.dropout.Key(mask), b.keys[:b.count]}
	vector.VertexKeys(d.keys, b.origin+uint64(b.first), d.of)
	return d
}

// of is the rows of a value for the block's vertices.
func (b *block[T]) of(v *dataflow.Value) operand[T] {
	switch {
	case v.Place == dataflow.Parameters:
		return operand[T]{data: b.known[v], width: v.Width, one: v.Rows == 1}
	case b.rows[v] != nil:
		return operand[T]{data: b.rows[v], width: v.Width}
	case v.Op == dataflow.Mask:
		return operand[T]{width: v.Width}
	}
	return operand[T]{data: b.known[v][b.first*v.Width:], width: v.Width}
}

// add adds the block's rows to a sum.
func (b *block[T]) add(v *dataflow.Value) {
	read := func(a *dataflow.Value) operand[T] {
		if a.Op == dataflow.Mask {
			return factors[T](a, b.count, b.masks)
		}
		return b.of(a)
	}
	if b.sparse[v.Args[0]] {
		sparseOuter(b.sums[v], b.count, b.fewOf(v.Args[0]), read(v.Args[1]))
		return
	}
	x := read(v.Args[0])
	if v.Op == dataflow.Outer {
		outer(b.sums[v], b.count, x, read(v.Args[1]))
		return
	}
	for i := range b.count {
		add(b.sums[v], x.row(i))
	}
}

// gather goes through all edges of the block's vertices.
func (b *block[T]) gather(wave int) {
	for _, v := range b.stage.Waves[wave].Gathers {
		clear(b.rows[v]) // nil of an Outer
	}
	b.gatherMore(wave)
}

// gatherMore adds the edges of the block's vertices to what there is, tile by tile.
func (b *block[T]) gatherMore(wave int) {
	w := &b.stage.Waves[wave]
	b.fused = b.waves[wave]
	sums := 0
	for _, v := range w.Gathers {
		if far := b.farRows(v); far != nil {
			b.sumFar(v, far)
			sums++
		}
	}
	if sums == len(w.Gathers) {
		return
	}
	row, end := 0, b.lists.Offsets[b.first+b.count]
	for at := b.lists.Offsets[b.first]; at < end; at += int64(b.edges) {
		b.edge, b.edges = int(at), int(min(end-at, int64(b.most.edges)))
		copy(b.other, b.lists.Others[at:at+int64(b.edges)])
		for e := range b.edges {
			for at+int64(e) >= b.lists.Offsets[b.first+row+1] {
				row++
			}
			b.own[e], b.from[e] = uint32(row), uint32(b.first+row)
		}
		held := 0
		for _, v := range w.Edges {
			if b.computeEdges(v); v.Op == dataflow.Hold {
				held += b.edges * v.Width
			}
		}
		b.held = max(b.held, held)
		for _, v := range w.Gathers {
			if b.farRows(v) == nil {
				b.addEdges(v)
			}
		}
	}
}

// farRows is what a gather adds up, if that is nothing but rows of the far ends of edges.
func (b *block[T]) farRows(v *dataflow.Value) []T {
	x := v.Args[0]
	if v.Op != dataflow.GatherSum || x.Op != dataflow.Source && x.Op != dataflow.Target || b.owns(x) {
		return nil
	}
	return b.far[x.Args[0]]
}

// sumFar adds up rows of the far ends: nothing is copied on the way.
func (b *block[T]) sumFar(v *dataflow.Value, far []T) {
	for i := range b.count {
		others := b.lists.Others[b.lists.Offsets[b.first+i]:b.lists.Offsets[b.first+i+1]]
		weightedSum(b.rows[v][i*v.Width:(i+1)*v.Width], far, others, nil, len(others), v.Width, 0)
	}
}

// owns says whether an edge value is of the end whose rows the block has.
func (b *block[T]) owns(v *dataflow.Value) bool {
	return (v.Op == dataflow.Source) == (b.stage.End == dataflow.AtSource)
}

// computeEdges makes the tile's rows of v, unless they can be read where they are.
func (b *block[T]) computeEdges(v *dataflow.Value) {
	out := b.tile[v]
	switch {
	case b.fused[v]:
		return
	case v.Op == dataflow.SumParts && b.fused[v.Args[0]]:
		b.sumProducts(v)
		return
	}
	switch v.Op {
	case dataflow.Source, dataflow.Target, dataflow.Mask:
		return
	case dataflow.Hold:
		if !isHeldWhereMade(v) {
			b.scatter(v)
		}
		return
	case dataflow.Property:
		for e, x := range b.lists.Properties[v.Name][b.edge : b.edge+b.edges] {
			out[e] = T(x)
		}
		return
	}
	if b.multiplies(v) {
		b.multiply(v, out, b.edges, b.ofEdges(v.Args[0]))
		return
	}
	args := make([]operand[T], len(v.Args))
	for i, a := range v.Args {
		args[i] = b.ofEdges(a)
	}
	compute(v, out, b.edges, args, b.known, b.edgeMasks)
}

// isHeldWhereMade says whether what v holds has a tile of its own.
func isHeldWhereMade(v *dataflow.Value) bool {
	return v.Op == dataflow.Hold && v.Args[0].Op != dataflow.Source && v.Args[0].Op != dataflow.Target
}

// scatter copies rows of the ends of edges to the edges.
func (b *block[T]) scatter(v *dataflow.Value) {
	x := b.ofEdges(v.Args[0])
	for e := range b.edges {
		copy(b.tile[v][e*v.Width:(e+1)*v.Width], x.row(e))
	}
}

// edgeMasks draws a mask for the edges of the tile.
func (b *block[T]) edgeMasks(mask *dataflow.Value) drawn {
	d := drawn{b.dropout.Key(mask), b.keys[:b.edges]}
	near, far := b.from, b.other
	if b.sources != nil {
		near, far = make([]uint32, b.edges), make([]uint32, b.edges)
		for e := range b.edges {
			near[e], far[e] = uint32(b.origin)+b.from[e], b.sources[b.other[e]]
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
		return operand[T]{data: b.known[v], width: v.Width, one: v.Rows == 1}
	case v.Op == dataflow.Mask:
		return operand[T]{width: v.Width}
	case v.Op != dataflow.Source && v.Op != dataflow.Target:
		return operand[T]{data: b.tile[v], width: v.Width}
	}
	of := v.Args[0]
	switch {
	case !b.owns(v):
		return operand[T]{data: b.far[of], index: b.other[:b.edges], width: v.Width}
	case b.rows[of] != nil:
		return operand[T]{data: b.rows[of], index: b.own[:b.edges], width: v.Width}
	}
	return operand[T]{data: b.known[of], index: b.from[:b.edges], width: v.Width}
}

// sumRuns adds the tile's rows to those of the vertices, whose edges follow each other.
func (b *block[T]) sumRuns(v *dataflow.Value, x operand[T]) {
	b.eachRun(func(row, e, end int) {
		to := b.rows[v][row*v.Width : (row+1)*v.Width]
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

// eachRun calls do for the edges of each vertex in the tile, whose row is from 0 in the block.
func (b *block[T]) eachRun(do func(row, from, to int)) {
	for from := 0; from < b.edges; {
		to := from + 1
		for to < b.edges && b.own[to] == b.own[from] {
			to++
		}
		do(int(b.own[from]), from, to)
		from = to
	}
}

// addEdges adds the tile to a gather.
func (b *block[T]) addEdges(v *dataflow.Value) {
	read := func(a *dataflow.Value) operand[T] {
		if a.Op == dataflow.Mask {
			return factors[T](a, b.edges, b.edgeMasks)
		}
		return b.ofEdges(a)
	}
	if b.fused[v.Args[0]] {
		b.sumScaled(v)
		return
	}
	x := read(v.Args[0])
	switch v.Op {
	case dataflow.Outer:
		outer(b.sums[v], b.edges, x, read(v.Args[1]))
	case dataflow.GatherSum:
		b.sumRuns(v, x)
	case dataflow.GatherMax:
		b.eachRun(func(row, e, end int) {
			to := b.rows[v][row*v.Width : (row+1)*v.Width]
			if int64(b.edge+e) == b.lists.Offsets[b.first+row] && !b.seen(uint32(b.first+row)) {
				copy(to, x.row(e))
			}
			if x.one {
				end = e + 1
			}
			vector.MaxRows(to, x.from(e, end-e), end-e)
		})
	}
}
