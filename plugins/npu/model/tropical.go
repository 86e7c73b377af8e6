package model

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// tropical is the form of programs that take the least or the largest of what messages and weights make: the
// paper's Add and ReduceMin, over blocks of rows. A pair without an edge has a weight that makes
// nothing of any message, and who does not send a message that nothing comes of.
type tropical struct{ plan *Plan }

// tropic is what a message and a weight make, and which of it counts.
type tropic struct {
	weighting shape.Weighting
	reduce    algorithms.Reduce
}

// rule says how a tropic is computed.
type rule struct {
	operator, reduction string
	meet                func(message, weight float64) float64
	absent, silent      float64 // the weight of no edge, and the message of nobody
	// weights tells whether the form is right for them, and messages whether it is for these, with such weights.
	weights  func(s survey) bool
	messages func(least, largest float64, s survey) bool
}

var inf = math.Inf(1)

// tropics are those that need not be told which pairs have edges.
var tropics = map[tropic]*rule{
	{shape.Plus, algorithms.Min}: {"Add", "ReduceMin", added, inf, inf, finite,
		func(least, _ float64, _ survey) bool { return least > -inf }},
	{shape.Plus, algorithms.Max}: {"Add", "ReduceMax", added, -inf, -inf, finite,
		func(_, largest float64, _ survey) bool { return largest < inf }},
	{shape.Times, algorithms.Min}: {"Mul", "ReduceMin", multiplied, inf, inf, positive,
		func(least, _ float64, _ survey) bool { return least > 0 }},
	{shape.Times, algorithms.Max}:   {"Mul", "ReduceMax", multiplied, 0, 0, positive, aboveZero},
	{shape.Largest, algorithms.Min}: {"Max", "ReduceMin", math.Max, inf, inf, finite, anything},
	{shape.Least, algorithms.Max}:   {"Min", "ReduceMax", math.Min, -inf, -inf, finite, anything},
}

func added(x, w float64) float64 { return x + w }

func multiplied(x, w float64) float64 { return x * w }

func finite(s survey) bool { return s.numbers && !s.signed }

func positive(s survey) bool { return s.numbers && s.least > 0 }

func anything(_, _ float64, _ survey) bool { return true }

// aboveZero has no product become 0, which is what is made of nothing.
func aboveZero(least, largest float64, s survey) bool { return least*s.least > 0 && largest < inf }

func (f tropical) rule() *rule { return tropics[tropic{f.plan.shape.Weighting, f.plan.program.Reduce}] }

func (f tropical) name() string {
	name := f.rule().operator + " and " + f.rule().reduction + " by float64"
	if f.narrows() || f.chooses() {
		name += ", or uint8"
	}
	return name
}

// narrows tells whether bytes may do, if weights are small.
func (f tropical) narrows() bool {
	return f.plan.Loose() && f.plan.shape.Weighting == shape.Plus && f.plan.program.Reduce == algorithms.Min
}

// chooses tells whether a message meets a weight by the lesser or the larger of both.
func (f tropical) chooses() bool {
	return f.plan.shape.Weighting == shape.Least || f.plan.shape.Weighting == shape.Largest
}

func (f tropical) bytes(s Size) uint64 {
	rows := blockwise.BlockRows(s.N, 8)
	return blockwise.MatrixBytes(s.N, rows, 8) + uint64(s.Threads)*2*8*uint64(rows)*uint64(s.N) +
		8*uint64(s.N+blockwise.Padded(s.N, rows)) + messageBytes(s)
}

func (f tropical) build(b *building) (sender, error) {
	s := b.survey()
	if f.narrows() && small(s) {
		return buildBytes(b)
	}
	if f.chooses() && finite(s) && s.few != nil {
		return f.buildRanks(b, s)
	}
	rows := blockwise.BlockRows(b.n, 8)
	r := &reducer{rule: f.rule(), survey: s, identity: vector.Identity(b.program.Reduce, algorithms.Float).Float}
	weights := blockwise.NewMatrix(b.n, rows, r.rule.absent, b.size.Threads)
	if !r.rule.weights(s) || !weigh(weights, b.edges, r.fold(b.program.Reduce)) {
		return b.unusual()
	}
	r.careful = careful[float64]{b: b, matrices: []*blockwise.Matrix[float64]{weights}}
	var err error
	r.rows, err = newRowReduction(b, weights, r.rule.operator, r.rule.reduction)
	return r, err
}

// fold keeps the better of two weights. Better weights make better messages, but for those below 0 that are multiplied.
func (r *reducer) fold(reduce algorithms.Reduce) func(a, w float64) (float64, bool) {
	return func(a, w float64) (float64, bool) {
		r.folded = r.folded || a != w
		return reduce.CombineFloats(a, w), true
	}
}

// rowReduction reduces every row of a matrix of weights that have met the messages.
type rowReduction[T float64 | uint8] struct {
	blocks  *blockwise.Blocks
	in, out []T
}

func newRowReduction[T float64 | uint8](b *building, weights *blockwise.Matrix[T],
	operator, reduction string) (*rowReduction[T], error) {
	rows, n := weights.Rows, weights.N
	r := &rowReduction[T]{in: make([]T, n), out: make([]T, blockwise.Padded(n, rows))}
	g, kind := &onnx.Graph{Name: "tropical"}, onnx.TypeFor[T]()
	met := g.Node(operator, []string{g.Input("messages", kind, 1, int64(n)),
		g.Input("weights", kind, int64(rows), int64(n))})
	g.As("acc", reduction, []string{met, g.Initializer(onnx.Vector("", int64(1)))}, onnx.Int("keepdims", 0))
	g.Output("acc", kind, int64(rows))
	acc := blockwise.RowsOperand("acc", r.out, rows)
	var err error
	r.blocks, err = blockwise.New(b.setting(), g, blockwise.Ceil(n, rows), []blockwise.Operand{weights.Operand("weights"), blockwise.ColumnsOperand("messages", r.in),
		blockwise.OutputOperand(acc)})
	return r, err
}

// run reduces the rows of targets whose state the best there may be, by its key, would better, and calls take with
// what comes of each row of theirs.
func (r *rowReduction[T]) run(ctx context.Context, l *Lane, o order, best int64, take func(v int, x T)) error {
	count := len(r.blocks.Bindings)
	rows, n := len(r.out)/count, len(r.in)
	wanted := make([]bool, count)
	for k := range wanted {
		wanted[k] = o.betters(best, l, k*rows, min((k+1)*rows, n))
	}
	err := r.blocks.Run(ctx, func(k int) bool { return wanted[k] })
	for v := 0; v < n && err == nil; v++ {
		if wanted[v/rows] {
			take(v, r.out[v])
		}
	}
	return err
}

// reducer is tropical in double precision.
type reducer struct {
	rule     *rule
	survey   survey
	identity float64 // of Reduce
	careful  careful[float64]
	rows     *rowReduction[float64]
	folded   bool   // the matrix has the better of different weights
	whole    sender // with all weights: made when it is needed first
}

func (r *reducer) send(ctx context.Context, lanes []*sending) error {
	for _, l := range lanes {
		if err := r.sendLane(ctx, l); err != nil {
			return err
		}
	}
	return nil
}

func (r *reducer) sendLane(ctx context.Context, l *sending) error {
	lowest, highest, numbers, signed := inf, -inf, true, false
	for v, x := range l.messages.Floats {
		if x == r.identity {
			r.rows.in[v] = r.rule.silent
			continue
		}
		r.rows.in[v] = x
		lowest, highest, numbers, signed = min(lowest, x), max(highest, x), numbers && x == x, signed || isSigned(x)
	}
	if lowest > highest && numbers { // nobody sends
		l.Acc.Fill(vector.Identity(r.careful.b.program.Reduce, algorithms.Float))
		return nil
	}
	if r.folded && r.rule.operator == "Mul" && lowest < 0 {
		return r.sendWhole(ctx, l)
	}
	if !numbers || signed || !r.rule.messages(lowest, highest, r.survey) {
		return r.careful.send(ctx, []*sending{l})
	}
	reduce := r.careful.b.program.Reduce
	l.Acc.Fill(vector.Identity(reduce, algorithms.Float))
	best := r.rule.meet(lowest, r.survey.least)
	if reduce == algorithms.Max {
		best = r.rule.meet(highest, r.survey.largest)
	}
	o := order{reduce}
	return r.rows.run(ctx, l.Lane, o, o.float(best), func(v int, x float64) {
		if x != r.rule.absent {
			l.Acc.Floats[v] = x
		}
	})
}

// sendWhole has an expression send along all edges, also those whose weight is not in the matrix.
func (r *reducer) sendWhole(ctx context.Context, l *sending) (err error) {
	if r.whole == nil {
		if r.whole, err = r.careful.b.unusual(); err != nil {
			return err
		}
	}
	return r.whole.send(ctx, []*sending{l})
}

func (r *reducer) close() {
	r.rows.blocks.Close()
	r.careful.close()
	if r.whole != nil {
		r.whole.close()
	}
}
