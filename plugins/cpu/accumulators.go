package cpu

import (
	"math/bits"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/bitmap"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
	"github.com/penstock-db/penstock/plugins/inplace"
	"github.com/penstock-db/penstock/plugins/shape"
)

// accumulators hold what has arrived at each vertex since the last Apply. Sum and Prod
// keep numbers (sums); Min, Max, And and Or keep keys (keys.go), the least of which wins.
type accumulators struct {
	reduce  algorithms.Reduce
	typ     algorithms.Type
	n       int
	first   *vector.Column // the first state column, if state only improves: keys start as it
	order   keyOrder
	keys    []int64         // one a vertex
	touched []uint64        // vertices whose key was lowered since Apply; of pushed sums, by words at least
	sums    vector.Column   // one a vertex
	heads   vector.Column   // when pulled: of each segment, for a row that began before it
	decoded []vector.Column // keys as Apply sees them, of each worker
}

// accumulatorBytes is what allocate takes.
func accumulatorBytes(p *code, workers, heads int) uint64 {
	n := uint64(p.n)
	switch {
	case p.pulls:
		return 8*n + 8*uint64(heads)
	case shape.Accumulates(p.spec.Reduce):
		return 8*n + 8*uint64(bitmap.Words(p.n))
	default:
		return 8*n + 8*uint64(bitmap.Words(p.n)) + uint64(workers)*vector.Width*inplace.Width(p.accType)
	}
}

func (a *accumulators) allocate(pulls bool, workers, heads int) {
	if !pulls {
		a.touched = make([]uint64, bitmap.Words(a.n))
	}
	if shape.Accumulates(a.reduce) {
		a.sums = vector.Make(a.typ, a.n)
		if pulls {
			a.heads = vector.Make(a.typ, heads)
		}
		return
	}
	a.keys = make([]int64, a.n)
	for range workers {
		a.decoded = append(a.decoded, vector.Make(a.typ, vector.Width))
	}
}

// identity is the value that no message changes.
func (a *accumulators) identity() vector.Scalar { return identity(a.reduce, a.typ) }

// reset prepares the accumulators of [from, to) for messages.
func (a *accumulators) reset(from, to int) {
	if a.first == nil {
		a.clear(from, to)
		return
	}
	a.order.encode(a.keys[from:to], a.first.Slice(from, to))
	clear(a.touched[from/64 : bitmap.Words(to)])
}

// clear sets the accumulators of [from, to) to the identity.
func (a *accumulators) clear(from, to int) {
	if a.touched != nil {
		clear(a.touched[from/64 : bitmap.Words(to)])
	}
	if shape.Accumulates(a.reduce) {
		a.sums.Slice(from, to).Fill(a.identity())
		return
	}
	key := a.order.scalar(a.identity())
	for v := from; v < to; v++ {
		a.keys[v] = key
	}
}

// received is what has arrived at [from, to), at most vector.Width vertices: acc as Apply sees it.
func (a *accumulators) received(worker, from, to int) vector.Column {
	if shape.Accumulates(a.reduce) {
		return a.sums.Slice(from, to)
	}
	values := a.decoded[worker].Slice(0, to-from)
	a.order.decode(values, a.keys[from:to])
	return values
}

// reached is the vertices of a word of pushed sums that have received something: touched
// says so of whole words.
func (a *accumulators) reached(word int) uint64 {
	if a.touched[word] != 0 {
		acc := a.sums.Slice(word*64, min(word*64+64, a.n))
		markUnlike(a.touched[word:word+1], acc, a.identity())
	}
	return a.touched[word]
}

// export writes what has arrived at [from, to) to a column. Where keys start as the state,
// a vertex that was not touched has received nothing.
func (a *accumulators) export(worker int, to vector.Column, from, end int) {
	to.Copy(a.received(worker, from, end))
	if a.first == nil {
		return
	}
	var words [vector.Width / 64]uint64
	untouched := words[:bitmap.Words(end-from)]
	for i, word := range a.touched[from/64 : bitmap.Words(end)] {
		untouched[i] = within(from/64+i, from, end) &^ word
	}
	fillSome(to, a.identity(), untouched)
}

// merge combines what a column says of some vertices of a word with their accumulators.
func (a *accumulators) merge(column vector.Column, word int, some uint64) {
	reached := some
	if shape.Accumulates(a.reduce) {
		a.addWord(column, word, some)
	} else {
		reached = a.lowerWord(column, word, some)
	}
	if a.touched != nil {
		a.touched[word] |= reached
	}
}

// lowerWord returns the vertices among some of a word whose keys it has lowered.
func (a *accumulators) lowerWord(column vector.Column, word int, some uint64) (lowered uint64) {
	for ; some != 0; some &= some - 1 {
		v := word*64 + bits.TrailingZeros64(some)
		if key := a.order.published(&column, v); key < a.keys[v] {
			a.keys[v] = key
			lowered |= some & -some
		}
	}
	return lowered
}

// addWord adds to some vertices of a word, or multiplies them.
func (a *accumulators) addWord(column vector.Column, word int, some uint64) {
	for v := range bitmap.Members([]uint64{some}) {
		v += word * 64
		if a.sums.Floats != nil {
			accumulated(a.reduce, &a.sums.Floats[v], column.Floats[v])
		} else {
			accumulated(a.reduce, &a.sums.Ints[v], column.Ints[v])
		}
	}
}

// targets are the keys that a chunk's edges lead to.
func (a *accumulators) targets(r *csr.Chunk) targets {
	return targets{keys: a.keys[r.Cols.Base:r.Cols.End()], touched: a.touched, base: int(r.Cols.Base), order: a.order}
}
