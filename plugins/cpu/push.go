package cpu

import (
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// scatter pushes the messages of active rows to the targets they name. M is int64 for
// messages that are keys already, float64 where the edge has its say first.
type scatter[M int64 | float64] struct {
	p       *program
	title   string
	weights int // among the program's edge columns; -1: none
	send    func(t *targets, message M, neighbors []uint32, weights []float64)
}

func (k *scatter[M]) name() string { return k.title }
func (k *scatter[M]) size() uint64 { return 0 }

func (k *scatter[M]) combine(*csr.Chunk) {}

func (k *scatter[M]) step(_ int, r *csr.Chunk, s int) uint64 {
	messages := (*vector.Of[M](&k.p.messages))[r.Rows.Base:r.Rows.End()]
	weights := r.WeightsOf(k.weights)
	t := k.p.targetsOf(r)
	edges := 0
	k.p.activeRows(r, s, func(row, from, to int) {
		k.send(&t, messages[r.Local(row)], r.Neighbors[from:to], part(weights, from, to))
		edges += to - from
	})
	return uint64(edges)
}

// activeRows calls do for the rows of a segment that send, with the part of their edges
// that is in the segment, and leads into the share.
func (p *program) activeRows(r *csr.Chunk, segment int, do func(row, from, to int)) {
	from, to, row := r.Segment(segment)
	base := int(r.Rows.Base)
	for from < to {
		v := base + r.Local(row)
		waiting := p.senders[v/64] >> (v % 64)
		if waiting&1 == 0 {
			row += r.IdleRows(waiting, v, row)
			from = int(r.Offsets[min(row, len(r.Offsets)-1)])
			continue
		}
		end := min(int(r.Offsets[row+1]), to)
		first, last := from, end
		if p.share != nil {
			first, last = p.share.edges(r, from, end)
		}
		if first < last {
			do(row, first, last)
		}
		row, from = row+1, end
	}
}

// targets are the accumulators that a chunk's edges lead to.
type targets struct {
	keys    []int64 // of the column interval
	touched []uint64
	base    int
	order   keyOrder
}

func (p *program) targetsOf(r *csr.Chunk) targets {
	return targets{keys: p.keys[r.Cols.Base:r.Cols.End()], touched: p.touched, base: int(r.Cols.Base), order: p.order}
}

// beats tells whether key is better than what stands at a target: most are not, so this
// is inlined and lower is not.
func (t *targets) beats(to uint32, key int64) bool { return key < atomic.LoadInt64(&t.keys[to]) }

// lower puts key at a target unless another worker has put a better one there.
func (t *targets) lower(to uint32, key int64) {
	if !lowerKey(&t.keys[to], key) {
		return
	}
	v := t.base + int(to)
	if mask := uint64(1) << (v % 64); atomic.LoadUint64(&t.touched[v/64])&mask == 0 {
		atomic.OrUint64(&t.touched[v/64], mask)
	}
}

// lowerKey is an atomic minimum, and tells whether key is the new one. Nothing may be
// swapped in that has not been compared with what it replaces.
func lowerKey(place *int64, key int64) bool {
	for {
		old := atomic.LoadInt64(place)
		if key >= old {
			return false
		}
		if atomic.CompareAndSwapInt64(place, old, key) {
			return true
		}
	}
}

func sendKey(t *targets, key int64, neighbors []uint32, _ []float64) {
	for _, to := range neighbors {
		if t.beats(to, key) {
			t.lower(to, key)
		}
	}
}

var senders = [...]func(*targets, float64, []uint32, []float64){
	shape.Plus: sendPlus, shape.Times: sendTimes, shape.Least: sendMin, shape.Largest: sendMax,
}

func sendPlus(t *targets, message float64, neighbors []uint32, weights []float64) {
	for i, to := range neighbors {
		if key := t.order.float(message + weights[i]); t.beats(to, key) {
			t.lower(to, key)
		}
	}
}

func sendTimes(t *targets, message float64, neighbors []uint32, weights []float64) {
	for i, to := range neighbors {
		if key := t.order.float(message * weights[i]); t.beats(to, key) {
			t.lower(to, key)
		}
	}
}

func sendMin(t *targets, message float64, neighbors []uint32, weights []float64) {
	for i, to := range neighbors {
		if key := t.order.float(min(message, weights[i])); t.beats(to, key) {
			t.lower(to, key)
		}
	}
}

func sendMax(t *targets, message float64, neighbors []uint32, weights []float64) {
	for i, to := range neighbors {
		if key := t.order.float(max(message, weights[i])); t.beats(to, key) {
			t.lower(to, key)
		}
	}
}

// part is values[from:to], or nil when there are none.
func part(values []float64, from, to int) []float64 {
	if values == nil {
		return nil
	}
	return values[from:to]
}
