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
	stage   *dataflow.Stage
	most    extent
	work    work
	packs   map[*dataflow.Value]vector.Panels[T]
	columns columnPass[T]
	sums    map[*dataflow.Value][]T
	rows    table[[]T] // of the vertices from first on, so many
	isFew   table[bool]
	few     map[*dataflow.Value]*sparseRows[T] // those of them that are sparse
	first   int
	count   int
	fused   table[bool] // rows that are not made
	chains  table[*chain]
	pairs   pairs
	lists   *Lists
	tile    tile[T]
	keys    []uint64 // of a mask's rows
	waves   []wave[T]
	wave    *wave[T] // that the block is in
}

func newBlock[T number](n *Network[T], p *pass[T], worker int) *block[T] {
	stage := p.Stage
	most := extentOf(stage, n.sections())
	values := len(n.known)
	b := &block[T]{Network: n, stage: stage, most: most, packs: p.packs, columns: p.columns,
		keys: make([]uint64, max(most.rows, most.edges)), rows: make(table[[]T], values),
		isFew: tableOf(values, n.sparse), few: map[*dataflow.Value]*sparseRows[T]{}, tile: newTile[T](most.edges, values),
		fused:  tableOf(values, fusedRows(stage, n.sparse)),
		chains: tableOf(values, chains(stage)),
		lists:  &n.graph.Ends[stage.End],
		pairs:  pairs{make(table[*dataflow.Value], values), make(table[bool], values)}}
	for _, v := range p.columns.unmade {
		b.fused[v.ID] = true
	}
	rows, tile := blockValues(stage, n.sparse)
	memory := n.work.blocks[worker]
	for _, v := range rows {
		b.rows[v.ID], memory = memory[:most.rows*v.Width], memory[most.rows*v.Width:]
	}
	for _, v := range tile {
		b.tile.values[v.ID], memory = memory[:most.edges*v.Width], memory[most.edges*v.Width:]
	}
	for i := range stage.Waves {
		b.waves = append(b.waves, newWave[T](&stage.Waves[i], values))
		b.pairs.take(&stage.Waves[i])
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
			b.rows[v.ID] = all[b.first*v.Width : (b.first+b.count)*v.Width]
		}
		if !b.streams() {
			for _, v := range b.stage.Stored {
				b.rows[v.ID] = b.known[v.ID][b.first*v.Width : (b.first+b.count)*v.Width]
			}
			for v, all := range b.columns.rows {
				b.rows[v.ID] = all[b.first*v.Width : (b.first+b.count)*v.Width]
			}
		}
		do()
	}
}

// streams says whether rows of all vertices come and go: else what is stored is made where it stays.
func (b *block[T]) streams() bool { return b.kept != nil }

// store puts the block's rows of v where those of all vertices are.
func (b *block[T]) store(v *dataflow.Value) {
	copy(b.known[v.ID][b.first*v.Width:], b.rows[v.ID][:b.count*v.Width])
}

// compute makes the rows of v.
func (b *block[T]) compute(v *dataflow.Value) {
	switch {
	case b.fused[v.ID] || b.pairs.second[v.ID]:
		return
	case v.Op == dataflow.SumParts && b.fused[v.Args[0].ID]:
		b.sumRowProducts(v)
		return
	case b.chains[v.ID] != nil:
		b.chain(v, b.chains[v.ID])
		return
	case b.pairs.first[v.ID] != nil:
		b.pair(v, b.pairs.first[v.ID])
		return
	case b.isFew[v.ID]:
		b.drop(v)
		return
	case v.Op == dataflow.Product && b.isFew[v.Args[0].ID]:
		sparseProduct(b.rows[v.ID], b.count, v.Width, b.fewOf(v.Args[0]), b.known[v.Args[1].ID])
		return
	case b.multiplies(v):
		b.multiply(v, b.rows[v.ID], b.count, b.of(v.Args[0]))
		return
	}
	var args [2]operand[T]
	for i, a := range v.Args {
		args[i] = b.of(a)
	}
	compute(v, b.rows[v.ID], b.count, args[:len(v.Args)], b.known, b.masks)
}

// multiplies says whether v is a product by a matrix that is packed.
func (b *block[T]) multiplies(v *dataflow.Value) bool {
	return (v.Op == dataflow.Product || v.Op == dataflow.ProductTransposed) && v.Args[0].Op != dataflow.Mask
}

// multiply makes n rows of a product.
func (b *block[T]) multiply(v *dataflow.Value, out []T, n int, x operand[T]) {
	if v.Op == dataflow.ProductTransposed || !sparselyProduct(out, n, v.Width, x, b.known[v.Args[1].ID]) {
		b.packs[v].Multiply(out, x.gathered(n), n)
	}
}

// drop makes the rows of v, a dropout of sparse rows.
func (b *block[T]) drop(v *dataflow.Value) {
	x, mask := v.Args[0], v.Args[1]
	if x.Op == dataflow.Mask {
		x, mask = mask, x
	}
	b.few[v] = b.fewOf(x).dropped(b.few[v], b.masks(mask))
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
	if b.whole != nil {
		for i := range d.keys {
			d.keys[i] = d.of.Row(uint64(b.whole[b.first+i])).From
		}
		return d
	}
	vector.VertexKeys(d.keys, b.origin+uint64(b.first), d.of)
	return d
}

// of is the rows of a value for the block's vertices.
func (b *block[T]) of(v *dataflow.Value) operand[T] {
	switch {
	case v.Place == dataflow.Parameters:
		return operand[T]{data: b.known[v.ID], width: v.Width, one: v.Rows == 1}
	case b.rows[v.ID] != nil:
		return operand[T]{data: b.rows[v.ID], width: v.Width}
	case v.Op == dataflow.Mask:
		return operand[T]{width: v.Width}
	}
	return operand[T]{data: b.known[v.ID][b.first*v.Width:], width: v.Width}
}

// add adds the block's rows to a sum.
func (b *block[T]) add(v *dataflow.Value) {
	read := func(a *dataflow.Value) operand[T] {
		if a.Op == dataflow.Mask {
			return factors[T](a, b.count, b.masks)
		}
		return b.of(a)
	}
	if b.columns.sums[v] != nil {
		return // when all rows are there
	}
	if b.fused[v.Args[0].ID] {
		b.addScaledRows(v)
		return
	}
	if b.isFew[v.Args[0].ID] {
		sparseOuter(b.sums[v], b.count, b.fewOf(v.Args[0]), read(v.Args[1]))
		return
	}
	x := read(v.Args[0])
	if v.Op == dataflow.Outer {
		outer(b.sums[v], b.count, x, read(v.Args[1]))
		return
	}
	if x.follows() {
		weightedSum(b.sums[v], x.data, nil, nil, b.count, v.Width, 0)
		return
	}
	for i := range b.count {
		add(b.sums[v], x.row(i))
	}
}
