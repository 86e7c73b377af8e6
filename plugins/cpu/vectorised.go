package cpu

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// vectorised runs any Process, an operator at a time over blocks of edges. What Process
// takes from one end of the edge alone has been hoisted out of it (hoist.go).
type vectorised struct {
	p      *program
	blocks []*edgeBlock // of each worker
}

func newVectorised(p *program, process *vector.Program) *vectorised {
	k := &vectorised{p: p}
	inputs := edgeInputs(p, process)
	for range p.pool.Threads {
		k.blocks = append(k.blocks, newEdgeBlock(process, inputs))
	}
	return k
}

func (k *vectorised) name() string { return "vectorised" }

func (k *vectorised) size() uint64 {
	return uint64(len(k.blocks)) * k.blocks[0].size()
}

func (k *vectorised) step(worker int, r *csr.Chunk, s int) uint64 {
	b := k.blocks[worker]
	b.chunk = r
	switch {
	case !k.p.pulls():
		return k.push(b, s)
	case k.p.accType == algorithms.Float:
		return pullSegment[float64](k.p, b, s)
	default:
		return pullSegment[int64](k.p, b, s)
	}
}

func (k *vectorised) combine(r *csr.Chunk) {
	switch {
	case !k.p.pulls():
	case k.p.accType == algorithms.Float:
		combineHeads[float64](k.p, r)
	default:
		combineHeads[int64](k.p, r)
	}
}

// push sends along the runs of edges whose rows follow each other.
func (k *vectorised) push(b *edgeBlock, s int) uint64 {
	t := k.p.targetsOf(b.chunk)
	b.deliver = t.receive
	edges, first, start, stop := 0, 0, 0, 0
	k.p.activeRows(b.chunk, s, func(row, from, to int) {
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
		if key := t.order.float(x); t.beats(to[i], key) {
			t.lower(to[i], key)
		}
	}
	for i, x := range messages.Ints {
		if key := t.order.int(x); t.beats(to[i], key) {
			t.lower(to[i], key)
		}
	}
	for i, x := range messages.Bools {
		if key := t.order.bool(x); t.beats(to[i], key) {
			t.lower(to[i], key)
		}
	}
}

// pullSegment does a segment as gather does: rows that begin in it go to acc, the rest of
// an earlier row to the segment's head. What a row has in the segment is taken by itself first.
func pullSegment[T number](p *program, b *edgeBlock, s int) uint64 {
	r, nothing := b.chunk, neutral[T](p.spec.Reduce)
	acc := (*vector.Of[T](&p.acc))[r.Rows.Base:r.Rows.End()]
	from, to, row := r.Segment(s)
	head, begun := &(*vector.Of[T](&p.heads))[r.FirstHead+s], int(r.Offsets[row]) < from
	for at, part := from, nothing; at < to; {
		block := min(at+vector.Width, to)
		values := b.lying(row, at, block)
		messages := *vector.Of[T](&values)
		silenceIdle(p, messages, r, at)
		for at < block {
			rowEnd := int(r.Offsets[row+1])
			end := min(rowEnd, block)
			part = foldAll(p.spec.Reduce, part, messages[:end-at])
			messages, at = messages[end-at:], end
			switch {
			case at < rowEnd && at < to:
				continue // the next block has more of the row
			case begun:
				*head, begun = part, false
			case rowEnd > int(r.Offsets[row]):
				accumulated(p.spec.Reduce, &acc[r.Local(row)], part)
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
func silenceIdle[T number](p *program, messages []T, r *csr.Chunk, at int) {
	if p.allSend {
		return
	}
	nothing, base := neutral[T](p.spec.Reduce), int(r.Cols.Base)
	for i, from := range r.Neighbors[at : at+len(messages)] {
		if v := base + int(from); p.senders[v/64]>>(v%64)&1 == 0 {
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
	return sum(start, values)
}
