package network

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/npu/internal/lowering"
)

// columns are those that some rows of a cell need: one for each of its sources that has an edge to them; where edges
// have properties, one for each of parallel edges.
type columns struct {
	most   []uint32 // of each source, how many
	first  []uint32 // and the first of them
	source []uint32 // of each column
	next   []edge   // of each row, the first that has not been computed
	here   []bool   // of each row: it has an edge in the block at hand
}

// edge is one of a row: how many from the same source stand before it, where they need columns of their own.
type edge struct{ at, again uint32 }

// after is the edge after one.
func (c *columns) after(cell *grid.Cell, row int, e edge) edge {
	next := edge{at: e.at + 1}
	if len(cell.Properties) > 0 && next.at < cell.Offsets[row+1] && cell.Others[next.at] == cell.Others[e.at] {
		next.again = e.again + 1
	}
	return next
}

// columnBytes is what they take at most, for cells of a grid.
func columnBytes(g *plugins.Grid) (bytes uint64) {
	for _, cell := range g.Cells {
		bytes = max(bytes, 2*cell.Length) // a source, or an edge with properties, takes at least 8 bytes of a cell
	}
	return bytes + 9*tileRows
}

// find finds the columns of rows [from, to). Edges of a row ascend by their sources.
func (c *columns) find(cell *grid.Cell, from, to int) error {
	c.most, c.first = zeros(c.most, len(cell.Sources)), zeros(c.first, len(cell.Sources))
	c.source, c.next = c.source[:0], c.next[:0]
	for row := from; row < to; row++ {
		first := edge{at: cell.Offsets[row]}
		c.next = append(c.next, first)
		for e := first; e.at < cell.Offsets[row+1]; e = c.after(cell, row, e) {
			u := cell.Others[e.at]
			if e != first && u < cell.Others[e.at-1] {
				return plugins.Errorf(plugins.KindInvalid, "edges of row %d of a cell do not ascend", row)
			}
			c.most[u] = max(c.most[u], e.again+1)
		}
	}
	for u, most := range c.most {
		c.first[u] = uint32(len(c.source))
		for range most {
			c.source = append(c.source, uint32(u))
		}
	}
	return nil
}

// zeros is memory for n zeros.
func zeros(x []uint32, n int) []uint32 {
	x = slices.Grow(x[:0], n)[:n]
	clear(x)
	return x
}

// Cell adds up along the edges of a cell, for the wave after that of the last Rows.
func (t *GridTask) Cell(ctx context.Context, number int, piece plugins.Piece, dropout dataflow.Dropout) error {
	p, s, err := t.find(number, piece, &dropout)
	if err != nil {
		return err
	}
	if !p.follows(piece) || !s.Gathers(int(piece.Wave)) {
		return plugins.Errorf(plugins.KindInvalid, "a cell of wave %d for an interval that does not wait for it", piece.Wave)
	}
	region, err := t.job.Arena.Bytes(t.network.Grid.Cells[piece.Slot])
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "a region of cells: %w", err)
	}
	cell, err := grid.PlaceCell(region, grid.Size{Vertices: len(t.seen), Sources: int(piece.Sources),
		Edges: int(piece.Edges), Properties: len(t.names)}, s.Far[piece.Wave])
	if err == nil {
		err = cell.Check(uint64(t.n))
	}
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "a cell of interval %d: %w", piece.Interval, err)
	}
	of := s.pairs[piece.Wave]
	for from := 0; from < len(t.seen) && of != nil; from += of.rows {
		b := pairsBlock{tile: of, cell: &cell, far: s.Far[piece.Wave], from: from, to: min(from+of.rows, len(t.seen))}
		if err := t.columns.find(&cell, b.from, b.to); err != nil {
			return err
		}
		for ; b.column < len(t.source); b.column += of.columns {
			if err := t.add(ctx, p, s, &b, dropout); err != nil {
				return err
			}
		}
	}
	return nil
}

// pairsBlock is rows [from, to) of a cell, and as many columns from one on as a tile has.
type pairsBlock struct {
	*tile
	cell     *grid.Cell
	far      []*dataflow.Value // those of cell.Far
	from, to int
	column   int
}

// add computes a block, and adds what comes of it to what the cell's rows and parameters have.
func (t *GridTask) add(ctx context.Context, p *gridPass, s *gridStage, b *pairsBlock, dropout dataflow.Dropout) error {
	for _, o := range b.Inputs {
		switch to := b.memory[o.Name]; {
		case isParameter(o):
		case o.Kind == lowering.Far:
			t.farRows(b, o.Value, to)
		case o.Kind == lowering.Own:
			p.read(o.Value, b.from, b.to-b.from, to)
		default:
			clear(to)
		}
	}
	t.edges(p, s, b, dropout)
	if err := b.run(ctx, t.on); err != nil {
		return err
	}
	for _, o := range b.Outputs {
		if from := b.memory[o.Name]; o.Kind == lowering.Sum {
			addTo(p.known[o.Value], from)
		} else {
			t.gather(p, b, o.Value, from)
		}
	}
	for row := b.from; row < b.to; row++ {
		t.seen[row] = t.seen[row] || t.here[row-b.from]
	}
	return nil
}

// farRows writes the rows of the columns, and 0 behind them.
func (t *GridTask) farRows(b *pairsBlock, v *dataflow.Value, to []float32) {
	rows, width := b.cell.Far[slices.Index(b.far, v)], v.Width
	some := t.source[b.column:min(b.column+b.columns, len(t.source))]
	for i, u := range some {
		copy(to[i*width:(i+1)*width], rows[int(u)*width:])
	}
	clear(to[len(some)*width:])
}

// edges writes what there is at pairs with an edge, where the tile reads it.
func (t *GridTask) edges(p *gridPass, s *gridStage, b *pairsBlock, dropout dataflow.Dropout) {
	t.here = t.here[:0]
	for row := b.from; row < b.to; row++ {
		next := &t.next[row-b.from]
		begin := *next
		for ; next.at < b.cell.Offsets[row+1]; *next = t.after(b.cell, row, *next) {
			column := int(t.first[b.cell.Others[next.at]]+next.again) - b.column
			if column >= b.columns {
				break
			}
			t.edge(p, s, b, int(next.at), (row-b.from)*b.columns+column, row, dropout)
		}
		t.here = append(t.here, next.at > begin.at)
	}
}

// edge writes an edge at its place.
func (t *GridTask) edge(p *gridPass, s *gridStage, b *pairsBlock, e, at, row int, dropout dataflow.Dropout) {
	for _, o := range b.Inputs {
		to := b.memory[o.Name]
		switch o.Kind {
		case lowering.Counts:
			to[at]++
		case lowering.Property:
			to[at] = float32(b.cell.Properties[slices.Index(t.names, o.Value.Name)][e])
		case lowering.EdgeFactors:
			source, target := uint64(b.cell.Sources[b.cell.Others[e]]), p.origin+uint64(row)
			if s.End == dataflow.AtSource {
				source, target = target, source
			}
			factors, pairs := dropout.Key(o.Value).Row(dataflow.EdgeRow(source, target)), b.rows*b.columns
			for j := range o.Value.Width {
				to[j*pairs+at] = float32(factors.Factor(j))
			}
		}
	}
}

// gather adds what a block has gathered: of rows that have an edge in it.
func (t *GridTask) gather(p *gridPass, b *pairsBlock, v *dataflow.Value, from []float32) {
	for i, here := range t.here {
		if !here {
			continue
		}
		row := b.from + i
		to, x := p.known[v][row*v.Width:(row+1)*v.Width], from[i*v.Width:]
		for j := range to {
			switch {
			case v.Op == dataflow.GatherSum:
				to[j] += x[j]
			case !t.seen[row]:
				to[j] = x[j]
			default:
				to[j] = max(to[j], x[j])
			}
		}
	}
}
