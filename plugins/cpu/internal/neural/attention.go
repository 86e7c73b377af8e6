package neural

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// attention is values at edges of a wave that one pass over a tile makes: exp(leaky_relu(left + right) - most), and
// what multiplies that with a dropout, with the slope of leaky_relu and with times. Values on the way are not made.
type attention struct {
	left, right, most, times *dataflow.Value
	mask                     *dataflow.Value // of kept; nil: nothing is dropped
	slope                    float64
	unmade                   []*dataflow.Value

	exp, kept, keptSlope, expSlope, product *dataflow.Value // nil: not there
}

// readers are what reads a value in a wave.
type readers map[*dataflow.Value][]*dataflow.Value

func readersIn(w *dataflow.Wave) readers {
	all := readers{}
	for _, v := range slices.Concat(w.Edges, w.Gathers) {
		for _, a := range v.Args {
			all[a] = append(all[a], v)
		}
	}
	return all
}

// attentionOf is the attention of which v is the exponential function.
func attentionOf(v *dataflow.Value, read readers, fused map[*dataflow.Value]bool) (a attention, is bool) {
	if v.Op != dataflow.Exp || v.Args[0].Op != dataflow.Subtract {
		return a, false
	}
	score := v.Args[0].Args[0]
	if score.Op != dataflow.LeakyRelu || score.Args[0].Op != dataflow.Add {
		return a, false
	}
	z := score.Args[0]
	a = attention{left: z.Args[0], right: z.Args[1], most: v.Args[0].Args[1], slope: score.Number, exp: v}
	for _, x := range []*dataflow.Value{a.left, a.right, a.most} {
		if !isEnd(x, v.Width) {
			return a, false
		}
	}
	if len(read[v.Args[0]]) != 1 || len(read[score]) != 1 {
		return a, false
	}
	a.takeKept(read)
	a.unmade = []*dataflow.Value{z, score, v.Args[0]}
	if !a.takeSlope(z, score, read) {
		return a, false
	}
	a.takeProduct(read)
	for _, out := range a.outputs() {
		if out != nil && fused[out] {
			return a, false
		}
	}
	a.leave(read)
	return a, true
}

// outputs are what is made, nil where that is not there.
func (a *attention) outputs() [5]*dataflow.Value {
	return [...]*dataflow.Value{a.exp, a.kept, a.keptSlope, a.expSlope, a.product}
}

// leave makes nothing of what nothing else reads, but for kept, which is where factors are.
func (a *attention) leave(read readers) {
	outputs := a.outputs()
	isOther := func(v *dataflow.Value) bool { return !slices.Contains(outputs[:], v) }
	for _, v := range outputs {
		if v != nil && v != a.kept && !slices.ContainsFunc(read[v], isOther) {
			a.unmade = append(a.unmade, v)
		}
	}
}

// isEnd says whether v is rows of so many numbers of the ends of edges.
func isEnd(v *dataflow.Value, width int) bool {
	return (v.Op == dataflow.Source || v.Op == dataflow.Target) && v.Width == width
}

// isProduct says whether v is x times something else, and what that is.
func isProduct(v, x *dataflow.Value) (other *dataflow.Value, is bool) {
	if v.Op != dataflow.Multiply || v.Place != dataflow.Edges || v.Width != x.Width || v.Args[0] == v.Args[1] {
		return nil, false
	}
	switch x {
	case v.Args[0]:
		return v.Args[1], true
	case v.Args[1]:
		return v.Args[0], true
	}
	return nil, false
}

// takeKept takes the product of exp and a dropout.
func (a *attention) takeKept(read readers) {
	for _, v := range read[a.exp] {
		if mask, is := isProduct(v, a.exp); is && mask.Op == dataflow.Mask && mask.Width == v.Width {
			a.kept, a.mask = v, mask
			return
		}
	}
}

// takeSlope takes what reads the slope of the score at z, if all of that is of this attention.
func (a *attention) takeSlope(z, score *dataflow.Value, read readers) bool {
	for _, slope := range read[z] {
		if slope == score {
			continue
		}
		if slope.Op != dataflow.LeakySlope || slope.Number != a.slope {
			return false
		}
		a.unmade = append(a.unmade, slope)
		for _, v := range read[slope] {
			switch other, is := isProduct(v, slope); {
			case is && other == a.exp:
				a.expSlope = v
			case is && other == a.kept:
				a.keptSlope = v
			default:
				return false
			}
		}
	}
	return true
}

// takeProduct takes a product of expSlope and rows of the ends of edges.
func (a *attention) takeProduct(read readers) {
	for _, v := range read[a.expSlope] {
		if times, is := isProduct(v, a.expSlope); is && isEnd(times, v.Width) {
			a.product, a.times = v, times
			return
		}
	}
}

// attend makes the tile's rows of what attention computes.
func (b *block[T]) attend(a *attention) {
	n, width := b.tile.count, a.exp.Width
	end := func(v *dataflow.Value) vector.Operand[T] {
		if v == nil {
			return vector.Operand[T]{}
		}
		x := b.ofEdges(v)
		return x.from(0, n)
	}
	out := func(v *dataflow.Value) []T {
		if v == nil || slices.Contains(a.unmade, v) {
			return nil
		}
		return b.tile.values[v.ID]
	}
	s := vector.Scores[T]{Left: end(a.left), Right: end(a.right), Most: end(a.most), Times: end(a.times),
		Slope: T(a.slope), Exp: out(a.exp), Kept: out(a.kept), KeptSlope: out(a.keptSlope), ExpSlope: out(a.expSlope),
		Product: out(a.product)}
	if a.kept != nil {
		d := b.edgeMasks(a.mask)
		s.Keys, s.Drop = d.keys, d.of
	}
	s.Rows(n, width)
}
