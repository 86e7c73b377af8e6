package schedule

import "github.com/penstock-db/penstock/formats/chunk"

// grid cuts the adjacency into P×P cells, the edges that lead from or to one interval of rows
// and one of columns. NeuGraph, section 3.1.
type grid struct {
	rows [][]int          // the chunks of each row interval
	cols []chunk.Interval // one that is zero where chunks may not be cut by columns
}

// newGrid has the smallest P with which every cell fits the device: chunk after chunk goes
// into a row interval as long as there is room. Columns are cut into as many intervals, which
// about as many edges lead to.
func newGrid(s State) grid {
	var g grid
	var taken uint64
	for i, c := range s.Chunks {
		if len(g.rows) == 0 || taken+c.Bytes > s.Room {
			g.rows, taken = append(g.rows, nil), 0
		}
		last := len(g.rows) - 1
		g.rows[last] = append(g.rows[last], i)
		taken += c.Bytes
	}
	if g.cols = []chunk.Interval{{}}; s.Arriving != nil {
		g.cols = Cut(s.Arriving, len(g.rows), 1)
	}
	return g
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
		if last := v == len(arriving)-1; last || len(all) < parts-1 && (v+1)%align == 0 && sum*uint64(parts) >= edges*uint64(len(all)+1) {
			all = append(all, chunk.Interval{Base: uint64(base), Count: uint64(v + 1 - base)})
			base = v + 1
		}
	}
	return all
}

// each visits the chunks of all cells, the cells that lead to one destination interval one
// after another: the accumulators there stay in use.
func (g grid) each(gather bool, visit func(destination, chunk int, cols chunk.Interval)) {
	if gather {
		for p, row := range g.rows {
			for _, cols := range g.cols {
				for _, c := range row {
					visit(p, c, cols)
				}
			}
		}
		return
	}
	for q, cols := range g.cols {
		for _, row := range g.rows {
			for _, c := range row {
				visit(q, c, cols)
			}
		}
	}
}
