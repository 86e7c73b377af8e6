package schedule

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Grid cuts the adjacency into P×P cells, the edges that lead from or to one interval of rows
// and one of columns. NeuGraph, section 3.1.
type Grid struct {
	rows [][]int          // the chunks of each row interval
	cols []chunk.Interval // one that is zero where chunks may not be cut by columns
	room uint64           // bytes that a cell may have
	// bytes are, of each chunk, what its part in each column interval takes; nil: that was not counted.
	bytes [][]uint64
}

// CountCells tells what the cells of several grids take, in bytes: of each grid's column intervals, of each chunk, what
// its part takes in each of these. It has to look at all chunks.
type CountCells func(grids [][]chunk.Interval) (bytes [][][]uint64, err error)

// NewGrid is a grid with the smallest P with which no cell takes more than room. A P is tried with columns to which
// about as many edges lead, as arriving says for each vertex, and with as few intervals of consecutive chunks as these
// allow: P will do if they are no more than P. Grids are counted from the least P for which the edges alone have room,
// two at first and then twice as many at a time, so that chunks are looked at a few times only.
//
// Where a part of one chunk is too large even for the largest P that is tried, for which strips of rows would have room
// twice, the grid has as many intervals as Strips, and such a part is sent in pieces.
func NewGrid(chunks []Chunk, room uint64, arriving []uint32, count CountCells) (Grid, error) {
	strips := Strips(chunks, room)
	var edges, bytes uint64
	for _, c := range chunks {
		edges, bytes = edges+c.Edges, bytes+c.Bytes
	}
	const leastEdge = 4 // bytes
	if bytes <= room {
		return Grid{rows: strips.rows, cols: Cut(arriving, 1, 1), room: room}, nil
	}
	first := max(1, int(math.Sqrt(float64(leastEdge*edges)/float64(max(1, room)))))
	last := max(first, len(strips.rows), int(min(uint64(len(arriving)), 2*bytes/max(1, room))))
	for some := 2; first <= last; some *= 2 {
		var grids [][]chunk.Interval
		for p := first; p <= last && len(grids) < some; p++ {
			grids = append(grids, Cut(arriving, p, 1))
		}
		counted, err := count(grids)
		if err != nil {
			return Grid{}, err
		}
		for i, cols := range grids {
			if rows, ok := packCells(counted[i], room); ok && len(rows) <= first+i {
				return Grid{rows: rows, cols: cols, room: room, bytes: counted[i]}, nil
			}
		}
		first += len(grids)
	}
	strips.cols = Cut(arriving, len(strips.rows), 1)
	counted, err := count([][]chunk.Interval{strips.cols})
	if err == nil {
		strips.bytes = counted[0]
	}
	return strips, err
}

// Strips is a grid for chunks that may not be cut by columns: its cells are whole chunks, as many as there is room for,
// and its columns are one. A chunk that is too large is a cell of its own.
func Strips(chunks []Chunk, room uint64) Grid {
	g := Grid{cols: []chunk.Interval{{}}, room: room}
	bytes := make([][]uint64, len(chunks))
	for i, c := range chunks {
		bytes[i] = []uint64{c.Bytes}
	}
	g.rows, _ = packCells(bytes, room)
	return g
}

// packCells cuts chunks into as few intervals as there is room for the cells of each. ok: no part of a chunk is too
// large.
func packCells(bytes [][]uint64, room uint64) (rows [][]int, ok bool) {
	ok = true
	var taken []uint64
	for i, parts := range bytes {
		fits := len(rows) > 0
		for q, part := range parts {
			ok = ok && part <= room
			fits = fits && taken[q]+part <= room
		}
		if !fits {
			rows, taken = append(rows, nil), make([]uint64, len(parts))
		}
		last := len(rows) - 1
		rows[last] = append(rows[last], i)
		for q, part := range parts {
			taken[q] += part
		}
	}
	return rows, ok
}

// Columns are the column intervals. One that is zero says that chunks may not be cut by columns.
func (g Grid) Columns() []chunk.Interval { return g.cols }

// size is what the part of a chunk takes that leads to column interval q.
func (g Grid) size(s State, i, q int) uint64 {
	if g.bytes == nil {
		return s.Chunks[i].Bytes
	}
	return g.bytes[i][q]
}

// largest is what the largest cell takes, which must have been counted.
func (g Grid) largest() (most uint64) {
	for _, row := range g.rows {
		for q := range g.cols {
			var cell uint64
			for _, i := range row {
				cell += g.bytes[i][q]
			}
			most = max(most, cell)
		}
	}
	return most
}

// Owner is which of the intervals that Cut has made a vertex is in.
func Owner(cut []chunk.Interval, v uint64) int {
	return max(0, slices.IndexFunc(cut, func(i chunk.Interval) bool { return i.Has(v) })) // they are all vertices
}

// Cut cuts vertices into at most so many intervals, to each of which about as many edges lead. Each
// begins at a multiple of align.
func Cut(arriving []uint32, parts, align int) (all []chunk.Interval) {
	var edges, sum uint64
	for _, n := range arriving {
		edges += uint64(n)
	}
	base := 0
	for v, n := range arriving {
		sum += uint64(n)
		if last := v == len(arriving)-1; last || len(all) < parts-1 && (v+1)%align == 0 &&
			sum*uint64(parts) >= edges*uint64(len(all)+1) {
			all = append(all, chunk.Interval{Base: uint64(base), Count: uint64(v + 1 - base)})
			base = v + 1
		}
	}
	return all
}

// each visits the chunks of all cells, the cells that lead to one destination interval one
// after another: the accumulators there stay in use.
func (g Grid) each(gather bool, visit func(destination, chunk, q int)) {
	if gather {
		for p, row := range g.rows {
			for q := range g.cols {
				for _, c := range row {
					visit(p, c, q)
				}
			}
		}
		return
	}
	for q := range g.cols {
		for _, row := range g.rows {
			for _, c := range row {
				visit(q, c, q)
			}
		}
	}
}
