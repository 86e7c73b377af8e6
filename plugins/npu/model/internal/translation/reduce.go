package translation

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// Reduce combines the values of pairs that send, in each row.
func (t *Translation) Reduce(r algorithms.Reduce, kind algorithms.Type, value, sends string, n int64) {
	switch {
	case kind == algorithms.Bool:
		t.along(r, t.sent(r, kind, value, sends))
	case r == algorithms.Prod:
		t.halve(direct("Mul"), t.SentSigned(r, kind, value, sends), n)
	case kind != algorithms.Float:
		t.halve(meetings[r], t.sent(r, kind, value, sends), n)
	case r != algorithms.Sum:
		t.reduceNumbers(r, value, sends)
	default:
		t.along(r, t.sent(r, kind, value, sends))
	}
}

// sent is value where a pair sends, and the identity of r elsewhere.
func (t *Translation) sent(r algorithms.Reduce, kind algorithms.Type, value, sends string) string {
	switch kind {
	case algorithms.Float:
		return t.Apply("Where", sends, value, t.Float(r.FloatIdentity()))
	case algorithms.Bool:
		nothing := uint8(0)
		if r.BoolIdentity() {
			nothing = 1
		}
		return t.Apply("Where", sends, t.Cast(value, onnx.Uint8), t.Initializer(onnx.Scalar("", nothing)))
	}
	return t.Apply("Where", sends, value, t.int(r.IntIdentity()))
}

// SentSigned is sent with the signs of zeros.
func (t *Translation) SentSigned(r algorithms.Reduce, kind algorithms.Type, value, sends string) string {
	sent := t.sent(r, kind, value, sends)
	if kind != algorithms.Float {
		return sent
	}
	return t.signed(sent, t.Apply("And", sends, t.isBelow(value)))
}

// reduceNumbers is min or max of doubles: NaN if one of them is, whatever the runtime makes of that. Where a zero is
// best, there is no value on its better side, so that the best inverse tells which zero.
func (t *Translation) reduceNumbers(r algorithms.Reduce, value, sends string) {
	sent := t.sent(r, algorithms.Float, value, sends)
	strange := t.Apply("IsNaN", sent)
	best := t.reduced(r, t.Apply("Where", strange, t.Float(r.FloatIdentity()), sent))
	any := t.Cast(t.reduced(algorithms.Or, t.Cast(strange, onnx.Uint8)), onnx.Bool)
	inverse := t.reduced(r, t.sent(r, algorithms.Float, t.inverse(value), sends))
	negative := t.Apply(map[algorithms.Reduce]string{algorithms.Min: "Less", algorithms.Max: "LessOrEqual"}[r], inverse,
		t.Float(0))
	t.As("acc", "Identity", []string{t.signed(t.Apply("Where", any, t.Float(math.NaN()), best), negative)})
}

// along reduces rows to acc.
func (t *Translation) along(r algorithms.Reduce, value string) {
	t.As("acc", reductions[r], []string{value, t.axis()}, onnx.Int("keepdims", 0))
}

func (t *Translation) reduced(r algorithms.Reduce, value string) string {
	return t.Node(reductions[r], []string{value, t.axis()}, onnx.Int("keepdims", 0))
}

func (t *Translation) axis() string { return t.Initializer(onnx.Vector("", int64(1))) }

// meetings are what a Reduce makes of two int64.
var meetings = map[algorithms.Reduce]func(*Translation, []string) string{algorithms.Sum: direct("Add"),
	algorithms.Min: better("Less"), algorithms.Max: better("Greater")}

var reductions = map[algorithms.Reduce]string{algorithms.Sum: "ReduceSum", algorithms.Min: "ReduceMin",
	algorithms.Max: "ReduceMax",
	algorithms.And: "ReduceMin", algorithms.Or: "ReduceMax"}

// halve reduces rows to acc by meeting their halves, again and again: the runtime has no ReduceProd of
// doubles, its ReduceSum of int64 goes by way of doubles, and its ReduceMin and ReduceMax of int64 compare
// 32 bits, on some processors.
func (t *Translation) halve(meet func(*Translation, []string) string, value string, n int64) {
	for n > 1 {
		half := n / 2
		low, high := t.columns(value, 0, half), t.columns(value, half, 2*half)
		met := meet(t, []string{low, high})
		if n%2 == 1 {
			met = t.Node("Concat", []string{met, t.columns(value, n-1, n)}, onnx.Int("axis", 1))
		}
		value, n = met, half+n%2
	}
	t.As("acc", "Squeeze", []string{value, t.axis()})
}

// columns are those of value from one to another.
func (t *Translation) columns(value string, from, to int64) string {
	vector := func(x int64) string { return t.Initializer(onnx.Vector("", x)) }
	return t.Apply("Slice", value, vector(from), vector(to), vector(1))
}
