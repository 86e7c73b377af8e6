package kernels

import (
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/internal/ordering"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// scatter pushes the messages of active rows to the targets they name. M is int64 for
// messages that are keys already, float64 where the edge has its say first.
type scatter[M int64 | float64] struct {
	title    string
	frontier *Frontier
	acc      *Accumulators
	messages *vector.Column
	weights  int // among the program's edge columns; -1: none
	send     func(t *targets, message M, neighbors []uint32, weights []float64)
}

func (k *scatter[M]) Name() string { return k.title }
func (k *scatter[M]) Size() uint64 { return 0 }

func (k *scatter[M]) combine(*csr.Chunk) {}

func (k *scatter[M]) step(_ int, r *csr.Chunk, s int) uint64 {
	messages := (*vector.Of[M](k.messages))[r.Rows.Base:r.Rows.End()]
	weights := r.WeightsOf(k.weights)
	t := k.acc.targets(r)
	edges := 0
	k.frontier.Rows(r, s, func(row, from, to int) {
		k.send(&t, messages[r.Local(row)], r.Neighbors[from:to], part(weights, from, to))
		edges += to - from
	})
	return uint64(edges)
}

// message is what the source of a row sends.
func (k *scatter[M]) message(r *csr.Chunk, row int) M {
	return (*vector.Of[M](k.messages))[int(r.Rows.Base)+r.Local(row)]
}

// targets are the accumulators that a chunk's edges lead to.
type targets struct {
	keys    []int64 // of the column interval
	touched []uint64
	base    int
	order   ordering.Order
}

// beats tells whether key is better than what stands at a target: most are not, so this
// is inlined and lower is not.
func (t *targets) beats(to uint32, key int64) bool { return key < atomic.LoadInt64(&t.keys[to]) }

// lower puts key at a target unless another worker has put a better one there.
func (t *targets) lower(to uint32, key int64) {
	if !ordering.Lower(&t.keys[to], key) {
		return
	}
	v := t.base + int(to)
	if mask := uint64(1) << (v % 64); atomic.LoadUint64(&t.touched[v/64])&mask == 0 {
		atomic.OrUint64(&t.touched[v/64], mask)
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
		if key := t.order.Float(message + weights[i]); t.beats(to, key) {
			t.lower(to, key)
		}
	}
}

func sendTimes(t *targets, message float64, neighbors []uint32, weights []float64) {
	for i, to := range neighbors {
		if key := t.order.Float(message * weights[i]); t.beats(to, key) {
			t.lower(to, key)
		}
	}
}

func sendMin(t *targets, message float64, neighbors []uint32, weights []float64) {
	for i, to := range neighbors {
		if key := t.order.Float(min(message, weights[i])); t.beats(to, key) {
			t.lower(to, key)
		}
	}
}

func sendMax(t *targets, message float64, neighbors []uint32, weights []float64) {
	for i, to := range neighbors {
		if key := t.order.Float(max(message, weights[i])); t.beats(to, key) {
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
