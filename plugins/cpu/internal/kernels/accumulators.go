package kernels

import (
	"math"
	"math/bits"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/compile"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/internal/activity"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/ordering"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Accumulators hold what has arrived at each vertex since the last Apply. Sum and Prod
// keep numbers (sums); Min, Max, And and Or keep keys (package ordering), the least of which wins.
type Accumulators struct {
	Reduce  algorithms.Reduce
	Typ     algorithms.Type
	N       int
	First   *vector.Column // the first state column, if state only improves: keys start as it
	Order   ordering.Order
	Keys    []int64         // one a vertex
	Touched []uint64        // vertices whose key was lowered since Apply; of pushed sums, whole words until Reached
	Sums    vector.Column   // one a vertex
	heads   vector.Column   // when pulled: of each segment, for a row that began before it
	decoded []vector.Column // keys as Apply sees them, of each worker
}

// AccumulatorBytes is what allocate takes.
func AccumulatorBytes(p *compile.Code, workers, heads int) uint64 {
	n := uint64(p.N)
	switch {
	case p.Pulls:
		return 8*n + 8*uint64(heads)
	case shape.Accumulates(p.Spec.Reduce):
		return 8*n + 8*uint64(bitmap.Words(p.N))
	default:
		return 8*n + 8*uint64(bitmap.Words(p.N)) + uint64(workers)*vector.Width*kit.Width(p.AccType)
	}
}

func (a *Accumulators) Allocate(pulls bool, workers, heads int) {
	if !pulls {
		a.Touched = make([]uint64, bitmap.Words(a.N))
	}
	if shape.Accumulates(a.Reduce) {
		a.Sums = vector.Make(a.Typ, a.N)
		if pulls {
			a.heads = vector.Make(a.Typ, heads)
		}
		return
	}
	a.Keys = make([]int64, a.N)
	for range workers {
		a.decoded = append(a.decoded, vector.Make(a.Typ, vector.Width))
	}
}

// Identity is the value that no message changes.
func (a *Accumulators) Identity() vector.Scalar { return vector.Identity(a.Reduce, a.Typ) }

// Reset prepares the accumulators of [from, to) for messages.
func (a *Accumulators) Reset(from, to int) {
	if a.First == nil {
		a.Clear(from, to)
		return
	}
	a.Order.Encode(a.Keys[from:to], a.First.Slice(from, to))
	clear(a.Touched[from/64 : bitmap.Words(to)])
}

// Clear sets the accumulators of [from, to) to the identity.
func (a *Accumulators) Clear(from, to int) {
	if a.Touched != nil {
		clear(a.Touched[from/64 : bitmap.Words(to)])
	}
	if shape.Accumulates(a.Reduce) {
		a.Sums.Slice(from, to).Fill(a.Identity())
		return
	}
	key := a.Order.Scalar(a.Identity())
	for v := from; v < to; v++ {
		a.Keys[v] = key
	}
}

// Received is what has arrived at [from, to), at most vector.Width vertices: acc as Apply sees it.
func (a *Accumulators) Received(worker, from, to int) vector.Column {
	if shape.Accumulates(a.Reduce) {
		return a.Sums.Slice(from, to)
	}
	values := a.decoded[worker].Slice(0, to-from)
	a.Order.Decode(values, a.Keys[from:to])
	return values
}

// Reached is those of some vertices of a word of pushed sums that have received something. A push
// marks whole words; what is found by looking at the sums stands there until the next push, so that
// a word is looked at once, and only if one of the vertices is asked for.
func (a *Accumulators) Reached(word int, some uint64) uint64 {
	if some != 0 && a.Touched[word] == math.MaxUint64 {
		acc := a.Sums.Slice(word*64, min(word*64+64, a.N))
		activity.MarkUnlike(a.Touched[word:word+1], acc, a.Identity())
	}
	return a.Touched[word] & some
}

// Export writes what has arrived at [from, to) to a column. Where keys start as the state,
// a vertex that was not touched has received nothing.
func (a *Accumulators) Export(worker int, to vector.Column, from, end int) {
	to.Copy(a.Received(worker, from, end))
	if a.First == nil {
		return
	}
	var words [vector.Width / 64]uint64
	untouched := words[:bitmap.Words(end-from)]
	for i, word := range a.Touched[from/64 : bitmap.Words(end)] {
		untouched[i] = bitmap.Within(from/64+i, from, end) &^ word
	}
	activity.FillSome(to, a.Identity(), untouched)
}

// Merge combines what a column says of some vertices of a word with their accumulators.
func (a *Accumulators) Merge(column vector.Column, word int, some uint64) {
	reached := some
	if shape.Accumulates(a.Reduce) {
		if a.addWord(column, word, some); some != 0 {
			reached = math.MaxUint64
		}
	} else {
		reached = a.lowerWord(column, word, some)
	}
	if a.Touched != nil {
		a.Touched[word] |= reached
	}
}

// lowerWord returns the vertices among some of a word whose keys it has lowered.
func (a *Accumulators) lowerWord(column vector.Column, word int, some uint64) (lowered uint64) {
	for ; some != 0; some &= some - 1 {
		v := word*64 + bits.TrailingZeros64(some)
		if key := a.Order.Published(&column, v); key < a.Keys[v] {
			a.Keys[v] = key
			lowered |= some & -some
		}
	}
	return lowered
}

// addWord adds to some vertices of a word, or multiplies them.
func (a *Accumulators) addWord(column vector.Column, word int, some uint64) {
	for v := range bitmap.Members([]uint64{some}) {
		v += word * 64
		if a.Sums.Floats != nil {
			accumulated(a.Reduce, &a.Sums.Floats[v], column.Floats[v])
		} else {
			accumulated(a.Reduce, &a.Sums.Ints[v], column.Ints[v])
		}
	}
}

// targets are the keys that a chunk's edges lead to.
func (a *Accumulators) targets(r *csr.Chunk) targets {
	return targets{keys: a.Keys[r.Cols.Base:r.Cols.End()], touched: a.Touched, base: int(r.Cols.Base), order: a.Order}
}
