package model

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/translation"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// mostFew is how many different weights bytes number, beside one for no edge.
const mostFew = 255

// ranks is tropical in bytes, where the lesser or the larger of message and weight counts: only their order matters, so
// that a cell has the number of its weight among the different ones. As a rule messages are some of these weights, but
// for the first, which is better than all of them, and so as good as the best: any weight comes of either.
type ranks struct {
	rule    *rule
	reduce  algorithms.Reduce
	weights []float64 // ascending
	first   uint8     // the number of the first weight
	absent  uint8     // where there is no edge, and for who does not send: nothing comes of either
	careful careful[uint8]
	rows    *rowReduction[uint8]
}

func (f tropical) buildRanks(b *building, s survey) (sender, error) {
	r := &ranks{rule: f.rule(), reduce: b.program.Reduce, weights: s.few, first: 1}
	if r.reduce == algorithms.Min {
		r.first, r.absent = 0, 255
	}
	cells := blockwise.NewMatrix(b.n, blockwise.BlockRows(b.n, 1), r.absent, b.size.Threads)
	for row := range b.edges {
		for k, source := range row.Sources {
			r.enter(&cells.Row(row.Target)[source], row.Weights[0][k])
		}
	}
	r.careful = careful[uint8]{b: b, matrices: []*blockwise.Matrix[uint8]{cells}, weight: r.decode}
	var err error
	r.rows, err = newRowReduction(b, cells, r.rule.operator, r.rule.reduction)
	return r, err
}

// enter keeps the best of parallel edges.
func (r *ranks) enter(cell *uint8, weight float64) {
	at, _ := slices.BinarySearch(r.weights, weight)
	if rank := uint8(at) + r.first; *cell == r.absent || (rank < *cell) == (r.reduce == algorithms.Min) {
		*cell = rank
	}
}

// decode writes the weights of cells.
func (r *ranks) decode(t *translation.Translation, _ int, cells string) string {
	table := make([]float64, 256)
	copy(table[r.first:], r.weights)
	return t.Apply("Gather", t.Initializer(onnx.Vector("", table...)), t.Cast(cells, onnx.Int64))
}

func (r *ranks) send(ctx context.Context, lanes []*sending) error {
	for _, l := range lanes {
		if err := r.sendLane(ctx, l); err != nil {
			return err
		}
	}
	return nil
}

func (r *ranks) sendLane(ctx context.Context, l *sending) error {
	nothing := vector.Identity(r.reduce, algorithms.Float)
	if l.Acc.Fill(nothing); len(r.weights) == 0 {
		return nil // there are no edges
	}
	best := nothing.Float
	for v, x := range l.messages.Floats {
		rank, ok := r.rank(x, nothing.Float)
		if !ok {
			return r.careful.send(ctx, []*sending{l})
		}
		r.rows.in[v] = rank
		best = r.reduce.CombineFloats(best, x)
	}
	if best == nothing.Float {
		return nil // nobody sends
	}
	weight := r.weights[0]
	if r.reduce == algorithms.Max {
		weight = r.weights[len(r.weights)-1]
	}
	best = r.rule.meet(best, weight)
	o := order{r.reduce}
	return r.rows.run(ctx, l.Lane, o, o.float(best), func(v int, rank uint8) {
		if rank != r.absent {
			l.Acc.Floats[v] = r.weights[rank-r.first]
		}
	})
}

// rank is that of a message, if it has one: if it is a weight, or better than all of them.
func (r *ranks) rank(x, nothing float64) (rank uint8, ok bool) {
	if x == nothing {
		return r.absent, true
	}
	at, found := slices.BinarySearch(r.weights, x)
	better := at == 0
	if r.reduce == algorithms.Max {
		better = at == len(r.weights)
		at = min(at, len(r.weights)-1)
	}
	return uint8(at) + r.first, (found || better) && x == x && !isSigned(x)
}

func (r *ranks) close() {
	r.rows.blocks.Close()
	r.careful.close()
}
