package network

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/npu/internal/lowering"
)

// find is the stage of a piece.
func (t *GridTask) find(number int, piece plugins.Piece, dropout *dataflow.Dropout) (*gridPass, *gridStage, error) {
	if number < 0 || number >= len(t.passes) {
		return nil, nil, plugins.Errorf(plugins.KindInvalid, "pass %d of %d", number, len(t.passes))
	}
	p, k := t.passes[number], 1
	if piece.Once {
		k = 0
	}
	if int(piece.Stage) >= len(p.stages[k]) {
		return nil, nil, plugins.Errorf(plugins.KindInvalid, "stage %d of %d", piece.Stage, len(p.stages[k]))
	}
	s := p.stages[k][piece.Stage]
	if int(piece.Interval) >= t.network.Grid.Intervals(s.End) || int(piece.Wave) >= len(s.Waves) || piece.Slot > 1 {
		return nil, nil, plugins.Errorf(plugins.KindInvalid, "there is no interval %d, wave %d, or no slot %d",
			piece.Interval, piece.Wave, piece.Slot)
	}
	dropout.Off = !p.Drops
	return p, s, nil
}

// follows says whether a piece is of the next wave of the interval that the pass is at.
func (p *gridPass) follows(piece plugins.Piece) bool {
	return p.begun && piece.Once == p.at.Once && piece.Stage == p.at.Stage && piece.Interval == p.at.Interval &&
		piece.Wave == p.at.Wave+1
}

// Rows computes the rows of a wave for an interval. With the first wave the interval begins.
func (t *GridTask) Rows(ctx context.Context, number int, piece plugins.Piece, dropout dataflow.Dropout) error {
	p, s, err := t.find(number, piece, &dropout)
	if err != nil {
		return err
	}
	if piece.Wave == 0 {
		err = t.begin(p, s, piece)
	} else if !p.follows(piece) {
		err = plugins.Errorf(plugins.KindInvalid, "wave %d of an interval that is not at that wave", piece.Wave)
	}
	if err != nil {
		return err
	}
	p.at, p.begun = piece, true
	if of := s.rows[piece.Wave]; of != nil {
		for first := 0; first < len(t.seen); first += of.rows {
			if err := t.block(ctx, p, of, first, min(of.rows, len(t.seen)-first), dropout); err != nil {
				return err
			}
		}
	}
	clear(t.seen)
	if int(piece.Wave) < len(s.Waves)-1 {
		return nil
	}
	return t.end(ctx, p, s)
}

// begin begins an interval, of which what the stage reads has come.
func (t *GridTask) begin(p *gridPass, s *gridStage, piece plugins.Piece) error {
	of := t.network.Grid.Interval(s.End, int(piece.Interval))
	region, err := t.job.Arena.Bytes(t.network.Grid.Rows[piece.Slot])
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "a region of rows: %w", err)
	}
	all, err := s.PlaceRows(region, int(of.Count), p.sparse, nil)
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "rows of interval %d: %w", piece.Interval, err)
	}
	for v, rows := range all {
		delete(p.few, v)
		if p.known[v] = rows.Numbers; rows.Offsets == nil {
			continue
		}
		if few := (&sparse{rows.Offsets, rows.Columns, rows.Numbers}); !few.fits(int(of.Count), v.Width) {
			return plugins.Errorf(plugins.KindInvalid, "input %s: the rows of interval %d are not as wide as they shall be",
				v.Name, piece.Interval)
		}
		p.few[v] = rows
	}
	room := t.room[:0]
	for _, v := range s.Kept {
		size := int(of.Count) * v.Width
		if room = room[len(room) : len(room)+size]; !slices.Contains(s.Stored, v) { // else it is kept where it is stored
			p.known[v] = room
		}
		clear(p.known[v])
	}
	t.seen = t.seen[:of.Count]
	clear(t.seen)
	for _, v := range s.Added() {
		clear(p.known[v])
	}
	p.origin, p.ended = of.Base, false
	return nil
}

// block computes some rows of the interval.
func (t *GridTask) block(ctx context.Context, p *gridPass, of *tile, first, rows int, dropout dataflow.Dropout) error {
	for _, o := range of.Inputs {
		to := of.memory[o.Name]
		switch {
		case isParameter(o):
		case o.Kind == lowering.Factors:
			rowFactors(to[:rows*o.Value.Width], o.Value, dropout, nil, int(p.origin)+first)
		case o.Kind == lowering.Valid:
			for i := range to {
				if to[i] = 0; i < rows {
					to[i] = 1
				}
			}
		default:
			p.read(o.Value, first, rows, to)
		}
	}
	if err := of.run(ctx, t.on); err != nil {
		return err
	}
	for _, o := range of.Outputs {
		from := of.memory[o.Name]
		if o.Kind == lowering.Sum {
			addTo(p.known[o.Value], from)
			continue
		}
		width := o.Value.Width
		copy(p.known[o.Value][first*width:], from[:rows*width])
	}
	return nil
}

// read writes some rows of the interval, and 0 behind them.
func (p *gridPass) read(v *dataflow.Value, first, rows int, to []float32) {
	width := v.Width
	few, is := p.few[v]
	if !is {
		clear(to[copy(to, p.known[v][first*width:(first+rows)*width]):])
		return
	}
	clear(to)
	some := sparse{few.Offsets[first : first+rows+1], few.Columns, few.Numbers}
	some.dense(to, width)
}

// addTo adds numbers to a sum.
func addTo(sum, x []float32) {
	for i := range sum {
		sum[i] += x[i]
	}
}

// end ends an interval, and with the last one the stage, unless other devices have intervals of it.
func (t *GridTask) end(ctx context.Context, p *gridPass, s *gridStage) error {
	if t.network.Grid.Shared {
		return nil
	}
	if p.at.Interval == 0 {
		clear(t.sums)
	}
	if err := t.reduce(p, s); err != nil || int(p.at.Interval) < t.network.Grid.Intervals(s.End)-1 {
		return err
	}
	return t.endStage(ctx, p, s)
}
