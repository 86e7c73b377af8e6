package cpu

import (
	"context"
	"math/bits"

	"github.com/penstock-db/penstock/algorithms"
)

// accumulate pushes sums from the rows of active sources, and yet adds them up in the order
// of the edges, whoever does it:
//
//	segments ──sort, side by side──▶ lots, by bin of targets ──add, bin by bin──▶ acc
//
// A bin's targets belong to one worker, who takes the lots in order. Binning is that of
// Beamer, Asanović, Patterson, "Reducing Pagerank Communication via Propagation Blocking",
// IPDPS'17.
type accumulate[T number] struct {
	p        *program
	title    string
	weights  int  // among the program's edge columns; -1: none
	messages *[]T // of sources
	acc      *[]T // of targets
	shift    int  // a target's bin is its number without so many low bits
	lots     []lot[T]
}

// lot is the messages of a segment, by bin: those of bin b are [starts[b], starts[b+1]).
type lot[T number] struct {
	starts []uint32
	to     []uint32
	values []T
}

// binBits is the logarithm of how many bins there are, at most.
const binBits = 8

func newAccumulate[T number](p *program, title string, weights int, messages, acc *[]T) *accumulate[T] {
	shift := max(6, bits.Len(uint(p.n))-binBits) // no word of touched is in two bins
	return &accumulate[T]{p: p, title: title, weights: weights, messages: messages, acc: acc, shift: shift, lots: make([]lot[T], 2*p.pool.threads)}
}

func (k *accumulate[T]) name() string { return k.title + " by bins" }

func (k *accumulate[T]) bins() int { return (k.p.n-1)>>k.shift + 1 }

// size is that of the lots; allocate, on first use, takes it.
func (k *accumulate[T]) size() uint64 {
	return uint64(len(k.lots)) * (12*segmentEdges + 4*uint64(k.bins()+2))
}

func (k *accumulate[T]) allocate() {
	for i := range k.lots {
		k.lots[i] = lot[T]{make([]uint32, k.bins()+2), make([]uint32, segmentEdges), make([]T, segmentEdges)}
	}
}

// step and combine are not called: carry is.
func (k *accumulate[T]) step(int, *resident, int) uint64 { return 0 }
func (k *accumulate[T]) combine(*resident)               {}

func (k *accumulate[T]) carry(ctx context.Context, w wave) (edges uint64, err error) {
	if k.lots[0].to == nil {
		k.allocate()
	}
	for first := 0; first < w.segments(); first += len(k.lots) {
		lots := k.lots[:min(len(k.lots), w.segments()-first)]
		if err := k.p.pool.run(ctx, len(lots), func(_, i int) { k.sort(&lots[i], w, first+i) }); err != nil {
			return edges, err
		}
		if err := k.p.pool.run(ctx, k.bins(), func(_, bin int) { k.add(lots, bin) }); err != nil {
			return edges, err
		}
		for _, l := range lots {
			edges += uint64(l.starts[k.bins()])
		}
	}
	return edges, nil
}

// sort puts what the active rows of a segment send into a lot: how much goes to each bin,
// where each bin begins, and then each message to its place.
func (k *accumulate[T]) sort(l *lot[T], w wave, task int) {
	r, s := w.at(task)
	base, starts := uint32(r.cols.Base), l.starts
	clear(starts)
	k.p.activeRows(r, s, func(_, from, to int) {
		for _, u := range r.neighbors[from:to] {
			starts[(base+u)>>k.shift+2]++
		}
	})
	for b := 2; b < len(starts); b++ {
		starts[b] += starts[b-1]
	}
	messages, weights := (*k.messages)[r.rows.Base:r.rows.End()], r.weightsOf(k.weights)
	k.p.activeRows(r, s, func(row, from, to int) {
		message := messages[r.local(row)]
		for i, u := range r.neighbors[from:to] {
			value := message
			if weights != nil {
				value = k.weigh(message, weights[from+i])
			}
			place := &starts[(base+u)>>k.shift+1]
			l.to[*place], l.values[*place] = base+u, value
			*place++
		}
	})
}

// weigh is what an edge makes of a message; only doubles are weighed.
func (k *accumulate[T]) weigh(message T, weight float64) T {
	switch k.p.process.weighting {
	case plusWeight:
		return message + T(weight)
	case timesWeight:
		return message * T(weight)
	case minWeight:
		return T(min(float64(message), weight))
	default:
		return T(max(float64(message), weight))
	}
}

// add adds a bin of every lot to its targets.
func (k *accumulate[T]) add(lots []lot[T], bin int) {
	acc, touched := *k.acc, k.p.touched
	product := k.p.spec.Reduce == algorithms.Prod
	for _, l := range lots {
		from, to := l.starts[bin], l.starts[bin+1]
		for i, v := range l.to[from:to] {
			if touched[v/64] |= 1 << (v % 64); product {
				acc[v] *= l.values[int(from)+i]
			} else {
				acc[v] += l.values[int(from)+i]
			}
		}
	}
}
