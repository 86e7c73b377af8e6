package kernels

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// vectorized runs any Process, an operator at a time over blocks of edges. What Process
// takes from one end of the edge alone has been hoisted out of it (package compile).
type vectorized struct {
	pulls    bool
	acc      *Accumulators
	frontier *Frontier
	blocks   []*edgeBlock // of each worker
}

func newVectorized(in Input) *vectorized {
	k := &vectorized{pulls: in.Code.Pulls, acc: in.Acc, frontier: in.Frontier}
	inputs := edgeInputs(in.Code, in.Code.Residue)
	for range in.Pool.Threads {
		k.blocks = append(k.blocks, newEdgeBlock(in.Code.Residue, inputs))
	}
	return k
}

func (k *vectorized) Name() string { return "vectorized" }

func (k *vectorized) Size() uint64 {
	return uint64(len(k.blocks)) * k.blocks[0].size()
}

func (k *vectorized) step(worker int, r *csr.Chunk, s int) uint64 {
	b := k.blocks[worker]
	b.chunk = r
	switch {
	case !k.pulls:
		return k.push(b, s)
	case k.acc.Typ == algorithms.Float:
		return pullSegment[float64](k.acc, k.frontier, b, s)
	default:
		return pullSegment[int64](k.acc, k.frontier, b, s)
	}
}

func (k *vectorized) combine(r *csr.Chunk) {
	switch {
	case !k.pulls:
	case k.acc.Typ == algorithms.Float:
		combineHeads[float64](k.acc, r)
	default:
		combineHeads[int64](k.acc, r)
	}
}

// push sends along the runs of edges whose rows follow each other.
func (k *vectorized) push(b *edgeBlock, s int) uint64 {
	t := k.acc.targets(b.chunk)
	b.deliver = t.receive
	edges, first, start, stop := 0, 0, 0, 0
	k.frontier.Rows(b.chunk, s, func(row, from, to int) {
		if from != stop {
			b.add(first, start, stop)
			first, start = row, from
		}
		edges, stop = edges+to-from, to
	})
	b.add(first, start, stop)
	b.flush()
	return uint64(edges)
}

// receive lowers each target to the message it gets.
func (t *targets) receive(to []uint32, messages vector.Column) {
	for i, x := range messages.Floats {
		if key := t.order.Float(x); t.beats(to[i], key) {
			t.lower(to[i], key)
		}
	}
	for i, x := range messages.Ints {
		if key := t.order.Int(x); t.beats(to[i], key) {
			t.lower(to[i], key)
		}
	}
	for i, x := range messages.Bools {
		if key := t.order.Bool(x); t.beats(to[i], key) {
			t.lower(to[i], key)
		}
	}
}

// pullSegment does a segment as gather does: rows that begin in it go to acc, the rest of
// an earlier row to the segment's head. What a row has in the segment is taken by itself first.
func pullSegment[T number](a *Accumulators, f *Frontier, b *edgeBlock, s int) uint64 {
	r, nothing := b.chunk, neutral[T](a.Reduce)
	acc := (*vector.Of[T](&a.Sums))[r.Rows.Base:r.Rows.End()]
	from, to, row := r.Segment(s)
	head, begun := &(*vector.Of[T](&a.heads))[r.FirstHead+s], int(r.Offsets[row]) < from
	for at, part := from, nothing; at < to; {
		block := min(at+vector.Width, to)
		values := b.lying(row, at, block)
		messages := *vector.Of[T](&values)
		silenceIdle(a.Reduce, f, messages, r, at)
		for at < block {
			rowEnd := int(r.Offsets[row+1])
			end := min(rowEnd, block)
			part = foldAll(a.Reduce, part, messages[:end-at])
			messages, at = messages[end-at:], end
			switch {
			case at < rowEnd && at < to:
				continue // the next block has more of the row
			case begun:
				*head, begun = part, false
			case rowEnd > int(r.Offsets[row]):
				accumulated(a.Reduce, &acc[r.Local(row)], part)
			}
			if part = nothing; at == rowEnd {
				row++
			}
		}
	}
	return uint64(to - from)
}

// accumulated adds x to what there is, or multiplies it.
func accumulated[T number](r algorithms.Reduce, place *T, x T) {
	if r == algorithms.Prod {
		*place *= x
	} else {
		*place += x
	}
}

// silenceIdle replaces the messages of the edges from at on by nothing where their source
// does not send.
func silenceIdle[T number](reduce algorithms.Reduce, f *Frontier, messages []T, r *csr.Chunk, at int) {
	if f.All {
		return
	}
	nothing, base := neutral[T](reduce), int(r.Cols.Base)
	for i, from := range r.Neighbors[at : at+len(messages)] {
		if v := base + int(from); f.Senders[v/64]>>(v%64)&1 == 0 {
			messages[i] = nothing
		}
	}
}

// foldAll is Sum or Prod over values, continued from start.
func foldAll[T number](r algorithms.Reduce, start T, values []T) T {
	if r == algorithms.Prod {
		for _, x := range values {
			start *= x
		}
		return start
	}
	return Sum(start, values)
}
