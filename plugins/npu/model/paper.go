package model

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
)

// paper is the CPU+NPU paper's form: the whole matrix meets the messages at once, by Add and ReduceMin or
// by MatMul, in the type of numbers that the provider has, whose infinity is a number like others. It is
// for providers that have no double precision, and what the other forms are measured against.
type paper struct{ plan *Plan }

// choosePaper refuses what the provider's numbers cannot say.
func (p *Plan) choosePaper() error {
	f := paper{p}
	switch {
	case !p.shape.Fused:
		return unsupported(
			"process %q: provider %s computes in %v, and has only messages that meet a weight by +, *, min or max",
			p.program.Process.Source, p.size.Facts.Provider, f.facts().Float)
	case p.program.Reduce == algorithms.Sum && p.accType != algorithms.Float:
		return unsupported("process %q: provider %s computes in %v, which does not add up int64", p.program.Process.Source,
			p.size.Facts.Provider, f.facts().Float)
	case f.sums():
	case f.rule() == nil, f.rule().operator == "Mul" && !math.IsInf(f.facts().Infinity, 1):
		return unsupported("process %q with reduce %v: provider %s computes in %v, which has no infinity to be multiplied",
			p.program.Process.Source, p.program.Reduce, p.size.Facts.Provider, f.facts().Float)
	}
	p.form = f
	return nil
}

func (f paper) facts() ort.Facts { return f.plan.size.Facts }

// sums tells whether it is MatMul.
func (f paper) sums() bool {
	return f.plan.program.Reduce == algorithms.Sum &&
		(f.plan.shape.Weighting == shape.Unweighted || f.plan.shape.Weighting == shape.Times)
}

// ranked tells whether messages have no weight, and only their order counts.
func (f paper) ranked() bool {
	r := f.plan.program.Reduce
	return f.plan.shape.Weighting == shape.Unweighted && r != algorithms.Sum && r != algorithms.Prod
}

// rule is that of the weights; where there are none, of adding 0 to ranks, of which the least counts.
func (f paper) rule() *rule {
	if f.ranked() {
		return tropics[tropic{shape.Plus, algorithms.Min}]
	}
	return tropics[tropic{f.plan.shape.Weighting, f.plan.program.Reduce}]
}

func (f paper) name() string {
	if f.sums() {
		return fmt.Sprintf("MatMul by %v, within %.2g of the largest sum for each edge", f.facts().Float, f.precision())
	}
	name := fmt.Sprintf("%s and %s by %v", f.rule().operator, f.rule().reduction, f.facts().Float)
	if !f.ranked() && f.facts().Float != onnx.Float64 {
		name += fmt.Sprintf(", within %.2g but for whole numbers up to %d", f.precision(), f.facts().Exact)
	}
	return name
}

// precision is by which share a number may be off that is rounded.
func (f paper) precision() float64 { return 0.5 / float64(f.facts().Exact) }

// padded is n in whole buckets.
func (f paper) padded(n int) int {
	bucket := int(max(f.facts().Bucket, 1))
	return blockwise.Ceil(max(n, 1), bucket) * bucket
}

// bytes are those of the matrix, of what it makes with the messages, and of vectors.
func (f paper) bytes(s Size) uint64 {
	n, size := uint64(f.padded(s.N)), f.facts().Float.Size()
	if f.sums() {
		return n*n*size + 2*n*size*uint64(s.Lanes) + messageBytes(s)
	}
	return 2*n*n*size + (2+Unrolled)*n*size + messageBytes(s)
}

// infinity is the provider's, of the sign that a rule's value has; finite values are as they are.
func (f paper) infinity(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Copysign(float64(float32(f.facts().Infinity)), x) // as the type has it
	}
	return x
}

// end is what numbers must stay below, so that they are not taken for what an infinity and a number make.
func (f paper) end() float64 { return f.facts().Infinity / 2 }

// normals are the least positive numbers of full precision.
var normals = map[onnx.Type]float64{onnx.Float16: 0x1p-14, onnx.Float32: 0x1p-126, onnx.Float64: 0x1p-1022}

// whole is a matrix in the provider's type, and the vectors that meet it.
type whole struct {
	form     paper
	size     int // of the matrix
	lanes    int // at once
	absent   float64
	silent   float64
	lightest float64 // of the weights
	heaviest float64
	numbers  blockwise.Numbers
	cells    []byte
	in, out  []byte
	blocks   *blockwise.Blocks
	building *building // for what is made when it is needed first
	unrolled *unrolled
}

func (f paper) build(b *building) (sender, error) {
	w := &whole{form: f, building: b, lightest: inf, size: f.padded(b.n), lanes: 1,
		numbers: blockwise.NumbersOf(f.facts().Float)}
	if f.sums() {
		w.lanes = b.size.Lanes
	} else {
		w.absent, w.silent = f.infinity(f.rule().absent), f.infinity(f.rule().silent)
	}
	bytes := int(f.facts().Float.Size())
	w.cells = make([]byte, w.size*w.size*bytes)
	w.in, w.out = make([]byte, w.size*w.lanes*bytes), make([]byte, w.size*w.lanes*bytes)
	if err := w.fill(b.edges); err != nil {
		return nil, err
	}
	var err error
	w.blocks, err = blockwise.New(b.setting(), w.graph(), 1, []blockwise.Operand{w.weights(),
		{Name: "messages", Kind: f.facts().Float, Shape: w.shape(), Memory: w.in},
		{Name: "acc", Kind: f.facts().Float, Shape: w.accShape(), Memory: w.out, Output: true}})
	return w, err
}

// fill folds parallel edges.
func (w *whole) fill(edges Edges) error {
	f := w.form
	for cell := range w.size * w.size {
		w.numbers.Set(w.cells, cell, w.absent)
	}
	for r := range edges {
		for k, source := range r.Sources {
			weight := 0.0
			if f.sums() {
				weight = 1
			}
			if f.plan.shape.Weighting != shape.Unweighted {
				weight = r.Weights[0][k]
			}
			cell := int(r.Target)*w.size + int(source)
			if there := w.numbers.Get(w.cells, cell); f.sums() {
				weight += there
			} else if there != w.absent {
				weight = f.plan.program.Reduce.CombineFloats(there, weight)
			}
			if !f.admits(weight) {
				return unsupported("a weight of %v: in type %v it must be a number below %v, and above 0 where it is multiplied",
					weight, f.facts().Float, f.end())
			}
			w.lightest, w.heaviest = min(w.lightest, math.Abs(weight)), max(w.heaviest, math.Abs(weight))
			w.numbers.Set(w.cells, cell, weight)
		}
	}
	return nil
}

// admits tells whether a weight or a message is a number, and not taken for an infinity.
func (f paper) admits(x float64) bool {
	positive := f.sums() || f.rule().operator != "Mul" || x > 0
	return math.Abs(x) < f.end() && positive
}

// weights are the matrix as an input.
func (w *whole) weights() blockwise.Operand {
	return blockwise.Operand{Name: "weights", Kind: w.form.facts().Float, Shape: []int64{int64(w.size), int64(w.size)},
		Memory: w.cells, Fixed: true}
}

func (w *whole) shape() []int64 {
	if w.form.sums() {
		return []int64{int64(w.size), int64(w.lanes)}
	}
	return []int64{1, int64(w.size)}
}

func (w *whole) accShape() []int64 {
	if w.form.sums() {
		return w.shape()
	}
	return []int64{int64(w.size)}
}

// graph is the paper's.
func (w *whole) graph() *onnx.Graph {
	g, kind := &onnx.Graph{Name: "paper"}, w.form.facts().Float
	weights, messages := g.Input("weights", kind, int64(w.size), int64(w.size)), g.Input("messages", kind, w.shape()...)
	if w.form.sums() {
		g.As("acc", "MatMul", []string{weights, messages})
	} else {
		met := g.Node(w.form.rule().operator, []string{messages, weights})
		g.As("acc", w.form.rule().reduction, []string{met, g.Initializer(onnx.Vector("", int64(1)))}, onnx.Int("keepdims", 0))
	}
	g.Output("acc", kind, w.accShape()...)
	return g
}

func (w *whole) send(ctx context.Context, lanes []*sending) error {
	if w.form.sums() {
		return w.sendAll(ctx, lanes)
	}
	for _, l := range lanes {
		send := w.sendLane
		if w.form.ranked() {
			send = w.sendRanks
		}
		if err := send(ctx, l); err != nil {
			return err
		}
	}
	return nil
}

// sendAll adds up the messages of all lanes.
func (w *whole) sendAll(ctx context.Context, lanes []*sending) error {
	clear(w.in)
	scale := make([]float64, len(lanes))
	for i, l := range lanes {
		var err error
		if scale[i], err = w.scale(l.messages.Floats); err != nil {
			return err
		}
		for v, x := range l.messages.Floats {
			w.numbers.Set(w.in, v*w.lanes+i, x*scale[i])
		}
	}
	if err := w.blocks.Run(ctx, nil); err != nil {
		return err
	}
	for i, l := range lanes {
		for v := range l.Acc.Floats {
			l.Acc.Floats[v] = w.numbers.Get(w.out, v*w.lanes+i) / scale[i]
		}
	}
	return nil
}

// scale is a power of two that has no sum come to the end of numbers, nor products be smaller than they need.
func (w *whole) scale(messages []float64) (float64, error) {
	total := 0.0
	for _, x := range messages {
		total += math.Abs(x)
	}
	total *= w.heaviest
	if total-total != 0 {
		return 0, unsupported(
			"messages that are no numbers, or whose sum is not: the product with a matrix would be none where there is no edge")
	}
	if total == 0 || w.form.facts().Float == onnx.Float64 {
		return 1, nil
	}
	_, exponent := math.Frexp(total)
	_, end := math.Frexp(w.form.end())
	return math.Ldexp(1, max(-1000, min(end-1-exponent, 1000))), nil
}

// sendLane sends messages that meet weights.
func (w *whole) sendLane(ctx context.Context, l *sending) error {
	identity := w.form.plan.program.Reduce.FloatIdentity()
	w.silence()
	for v, x := range l.messages.Floats {
		if x == identity {
			continue
		}
		if x = w.bounded(x); !w.speaks(x) {
			return unsupported(
				"a message of %v: what it makes with the weights from %v to %v is not below %v in type %v, or none of its normal numbers",
				x, w.lightest, w.heaviest, w.form.end(), w.form.facts().Float)
		}
		w.numbers.Set(w.in, v, x)
	}
	if err := w.blocks.Run(ctx, nil); err != nil {
		return err
	}
	for v := range l.Acc.Floats {
		if l.Acc.Floats[v] = w.numbers.Get(w.out, v); w.nothing(l.Acc.Floats[v]) {
			l.Acc.Floats[v] = identity
		}
	}
	return nil
}

// bounded has a message without bounds, which is to meet a weight by min or max, be as far as the weights go: it is
// never what is chosen.
func (w *whole) bounded(x float64) float64 {
	if op := w.form.rule().operator; math.IsInf(x, 0) && (op == "Min" || op == "Max") {
		return math.Copysign(w.heaviest, x)
	}
	return x
}

// speaks tells whether what a message makes with any weight is a number.
func (w *whole) speaks(x float64) bool {
	switch w.form.rule().operator {
	case "Add":
		return math.Abs(x)+w.heaviest < w.form.end()
	case "Mul":
		return x*w.heaviest < w.form.end() && x*min(w.lightest, 1) >= normals[w.form.facts().Float]
	}
	return math.Abs(x) < w.form.end()
}

// nothing tells whether a result is that of no message.
func (w *whole) nothing(x float64) bool {
	if w.absent == 0 {
		return x == 0
	}
	return math.Abs(x) >= w.form.end() && math.Signbit(x) == math.Signbit(w.absent)
}

func (w *whole) silence() {
	for v := range w.size {
		w.numbers.Set(w.in, v, w.silent)
	}
}

// sendRanks sends in place of messages how many are better, as many different ones at a time as are exact.
func (w *whole) sendRanks(ctx context.Context, l *sending) error {
	o := order{w.form.plan.program.Reduce}
	keys := o.keys(l.messages)
	for v := range keys {
		o.set(l.Acc, v, worst)
	}
	for best := distinct(keys); len(best) > 0; {
		now := best[:min(len(best), int(min(w.form.facts().Exact, 1<<30)))]
		w.silence()
		for v, key := range keys {
			if at, found := slices.BinarySearch(now, key); found {
				w.numbers.Set(w.in, v, float64(at))
			}
		}
		if err := w.blocks.Run(ctx, nil); err != nil {
			return err
		}
		for v := range keys {
			if rank := w.numbers.Get(w.out, v); !w.nothing(rank) && o.keyOf(l.Acc, v) == worst {
				o.set(l.Acc, v, now[int(rank)])
			}
		}
		best = best[len(now):]
	}
	return nil
}

func (w *whole) close() {
	w.blocks.Close()
	if w.unrolled != nil {
		w.unrolled.blocks.Close()
	}
}
