package neural

import "github.com/penstock-db/penstock/plugins/cpu/internal/vector"

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
