package model

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// Unrolled is how many steps Unroll does in one run. On a processor 4, 8 or 16 of them take a tenth to a third less
// time than as many runs do over 256 vertices, and as much over 2048 (BenchmarkUnroll).
const Unrolled = 8

// Unroll has everybody send and take what comes, Unrolled times in one run of the runtime. It calls step after each,
// with Acc set to what State has become, until step is content. Where the program is not such, or the numbers might
// leave those of the provider on the way, it does nothing and is false: Send is for these.
func (m *Model) Unroll(ctx context.Context, lane Lane, step func() (more bool)) (bool, error) {
	w, ok := m.sender.(*whole)
	if !ok || !w.form.unrolls() {
		return false, nil
	}
	if w.unrolled == nil {
		if err := w.unroll(Unrolled); err != nil {
			return false, err
		}
	}
	return w.unrolled.run(ctx, lane, step)
}

// unrolls tells whether steps follow each other without the processor: State is all that vertices send, and all that
// becomes of it is the better of itself and what comes.
func (f paper) unrolls() bool {
	program := f.plan.program
	custom := slices.ContainsFunc(program.State, func(s algorithms.State) bool { return s.Apply.Source != "" })
	if f.sums() || custom || program.Activity != algorithms.Changed || f.plan.size.Lanes > 1 {
		return false
	}
	hop, ok := f.hop()
	return ok && (hop == 0 || hop > 0 && f.ranked() && program.Reduce == algorithms.Min && hop == math.Trunc(hop))
}

// hop is what a message is more than the state of its source.
func (f paper) hop() (more float64, ok bool) {
	message := f.plan.shape.Message
	isState := func(e *exprpb.Expr) bool {
		return vector.Name(message, e) == "src."+f.plan.program.State[0].Name
	}
	root := message.GetExpr()
	if isState(root) {
		return 0, true
	}
	call := root.GetCallExpr()
	if call.GetFunction() != "_+_" || !isState(call.GetArgs()[0]) || call.GetArgs()[1].GetConstExpr() == nil {
		return 0, false
	}
	constant := call.GetArgs()[1].GetConstExpr()
	return constant.GetDoubleValue() + float64(constant.GetInt64Value()), true
}

// unrolled is a model of several steps over the matrix of whole.
type unrolled struct {
	*whole
	steps  int
	hop    float64
	states []byte // after each step, a row each
	blocks *blockwise.Blocks
}

// unroll makes it, when it is needed first.
func (w *whole) unroll(steps int) error {
	hop, _ := w.form.hop()
	kind := w.form.facts().Float
	u := &unrolled{whole: w, steps: steps, hop: hop, states: make([]byte, steps*len(w.in))}
	var err error
	u.blocks, err = blockwise.New(w.building.setting(), u.graph(), 1, []blockwise.Operand{w.weights(),
		{Name: "state", Kind: kind, Shape: w.shape(), Memory: w.in},
		{Name: "states", Kind: kind, Shape: []int64{int64(steps), int64(w.size)}, Memory: u.states, Output: true}})
	if err == nil {
		w.unrolled = u
	}
	return err
}

// graph is the paper's step, and the better of it and the state, again and again: not every provider has Loop.
func (u *unrolled) graph() *onnx.Graph {
	g, kind, size, rule := &onnx.Graph{Name: "unrolled"}, u.form.facts().Float, int64(u.size), u.form.rule()
	weights, state := g.Input("weights", kind, size, size), g.Input("state", kind, 1, size)
	axis := g.Initializer(onnx.Vector("", int64(1)))
	var states []string
	for range u.steps {
		acc := g.Node(rule.reduction, []string{g.Node(rule.operator, []string{state, weights}), axis},
			onnx.Int("keepdims", 0))
		if u.hop != 0 {
			acc = g.Node("Add", []string{acc, u.constant(g, u.hop)})
		}
		state = g.Node(strings.TrimPrefix(rule.reduction, "Reduce"), []string{state, acc})
		states = append(states, state)
	}
	g.As("states", "Concat", states, onnx.Int("axis", 0))
	g.Output("states", kind, int64(u.steps), size)
	return g
}

func (u *unrolled) constant(g *onnx.Graph, x float64) string {
	c := onnx.Tensor{Type: u.form.facts().Float, Data: make([]byte, u.form.facts().Float.Size())}
	u.numbers.Set(c.Data, 0, x)
	return g.Initializer(c)
}

func (u *unrolled) run(ctx context.Context, l Lane, step func() bool) (bool, error) {
	u.silence()
	values, ok := u.encode(l.State)
	if !ok {
		return false, nil
	}
	if err := u.blocks.Run(ctx, nil); err != nil {
		return false, err
	}
	for k := range u.steps {
		l.Acc.Copy(l.State)
		for v := range columnLen(l.Acc) {
			x := u.numbers.Get(u.states, k*u.size+v)
			if x != u.numbers.Get(u.in, v) && !u.nothing(x) {
				values(l.Acc, v, x)
			}
		}
		if !step() {
			break
		}
	}
	return true, nil
}

// encode writes states as numbers, and tells how to read what becomes of them.
func (u *unrolled) encode(state vector.Column) (values func(acc vector.Column, v int, x float64), ok bool) {
	if u.form.ranked() && u.hop == 0 {
		return u.encodeRanks(state)
	}
	ok = true
	set := func(v int, x float64, identity bool) {
		if !identity {
			x = u.bounded(x)
			ok = ok && u.stays(x)
			u.numbers.Set(u.in, v, x)
		}
	}
	r := u.form.plan.program.Reduce
	for v, x := range state.Floats {
		set(v, x, x == r.FloatIdentity())
	}
	for v, x := range state.Ints {
		set(v, float64(x), x == r.IntIdentity())
	}
	return func(acc vector.Column, v int, x float64) {
		if acc.Ints != nil {
			acc.Ints[v] = int64(x)
		} else {
			acc.Floats[v] = x
		}
	}, ok
}

// encodeRanks writes in place of states how many different ones are better.
func (u *unrolled) encodeRanks(state vector.Column) (values func(acc vector.Column, v int, x float64), ok bool) {
	o := order{u.form.plan.program.Reduce}
	keys := o.keys(state)
	best := distinct(keys)
	for v, key := range keys {
		if at, found := slices.BinarySearch(best, key); found {
			u.numbers.Set(u.in, v, float64(at))
		}
	}
	return func(acc vector.Column, v int, x float64) { o.set(acc, v, best[int(x)]) },
		float64(len(best)) < min(float64(u.form.facts().Exact), u.form.end())
}

// stays tells whether a state, and all that becomes of it and the weights in so many steps, is a number of the
// provider.
func (u *unrolled) stays(x float64) bool {
	steps := float64(u.steps)
	switch {
	case u.hop != 0: // exactly
		return x == math.Trunc(x) && math.Abs(x)+steps*u.hop < min(float64(u.form.facts().Exact), u.form.end())
	case u.form.rule().operator == "Add":
		return math.Abs(x)+steps*u.heaviest < u.form.end()
	case u.form.rule().operator == "Mul":
		return x*math.Pow(max(u.heaviest, 1), steps) < u.form.end() &&
			x*math.Pow(min(u.lightest, 1), steps) >= normals[u.form.facts().Float]
	}
	return math.Abs(x) < u.form.end()
}
