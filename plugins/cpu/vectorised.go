package cpu

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
)

// vectorised runs any Process, an operator at a time over blocks of edges.
type vectorised struct {
	p      *program
	blocks []*edgeBlock    // of each worker
	keys   [][]int64       // of each worker: the messages of a push
	sent   []vector.Column // of each worker: the messages of a pull
}

func newVectorised(p *program, process *vector.Program) *vectorised {
	k := &vectorised{p: p}
	inputs := edgeInputs(p, process)
	for range p.pool.threads {
		k.blocks = append(k.blocks, newEdgeBlock(process, inputs))
		k.keys = append(k.keys, make([]int64, vector.Width))
		k.sent = append(k.sent, vector.Make(p.accType, vector.Width))
	}
	return k
}

func (k *vectorised) name() string { return "vectorised" }

func (k *vectorised) size() uint64 {
	return uint64(len(k.blocks)) * (k.blocks[0].size() + 16*vector.Width)
}

func (k *vectorised) step(worker int, r *resident, s int) uint64 {
	b := k.blocks[worker]
	b.chunk = r
	switch {
	case !pulls(k.p.spec.Reduce):
		return k.push(b, k.keys[worker], s)
	case k.p.accType == algorithms.Float:
		return pullBlock[float64](k.p, b, k.sent[worker], s)
	default:
		return pullBlock[int64](k.p, b, k.sent[worker], s)
	}
}

func (k *vectorised) combine(r *resident) {
	switch {
	case !pulls(k.p.spec.Reduce):
	case k.p.accType == algorithms.Float:
		combineHeads[float64](k.p, r)
	default:
		combineHeads[int64](k.p, r)
	}
}

func (k *vectorised) push(b *edgeBlock, keys []int64, s int) uint64 {
	t := k.p.targetsOf(b.chunk)
	edges := 0
	b.deliver = func(b *edgeBlock, values vector.Column) {
		k.p.order.encode(keys, values)
		for i, to := range b.cols[:b.n] {
			if t.beats(to, keys[i]) {
				t.lower(to, keys[i])
			}
		}
		edges += b.n
	}
	k.p.activeRows(b.chunk, s, b.add)
	b.flush()
	return uint64(edges)
}

// pullBlock does a segment as gather does: rows that begin in it go to acc, the rest of
// an earlier row to the segment's head.
func pullBlock[T number](p *program, b *edgeBlock, sent vector.Column, s int) uint64 {
	r := b.chunk
	acc := (*vector.Of[T](&p.acc))[r.rows.Base:r.rows.End()]
	messages := *vector.Of[T](&sent)
	from, to, row := r.segment(s)
	first := from
	if int(r.offsets[row]) < from {
		end := min(int(r.offsets[row+1]), to)
		head := &(*vector.Of[T](&p.heads))[r.firstHead+s]
		*head = neutral[T](p.spec.Reduce)
		b.deliver = func(b *edgeBlock, values vector.Column) {
			receive(p, messages, *vector.Of[T](&values), b)
			*head = foldAll(p.spec.Reduce, *head, messages[:b.n])
		}
		b.add(r.local(row), from, end)
		b.flush()
		row, from = row+1, end
	}
	b.deliver = func(b *edgeBlock, values vector.Column) {
		receive(p, messages, *vector.Of[T](&values), b)
		foldRows(p.spec.Reduce, acc, b.rows[:b.n], messages[:b.n])
	}
	for from < to {
		end := min(int(r.offsets[row+1]), to)
		if from < end {
			b.add(r.local(row), from, end)
		}
		row, from = row+1, end
	}
	b.flush()
	return uint64(to - first)
}

// receive copies values to messages, with nothing where the source of the edge is idle.
func receive[T number](p *program, messages, values []T, b *edgeBlock) {
	copy(messages, values)
	if p.spec.Activity == algorithms.Always {
		return
	}
	nothing := neutral[T](p.spec.Reduce)
	for i, from := range b.cols[:b.n] {
		if v := int(b.chunk.cols.Base) + int(from); p.active[v/64]>>(v%64)&1 == 0 {
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

// foldRows adds each value to its row, or multiplies it.
func foldRows[T number](r algorithms.Reduce, acc []T, rows []uint32, values []T) {
	if r == algorithms.Prod {
		for i, row := range rows {
			acc[row] *= values[i]
		}
		return
	}
	for i, row := range rows {
		acc[row] += values[i]
	}
}
