package kernels

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// pushSums pushes sums from the rows of active sources. Each task owns a range of targets,
// goes through all rows, and takes of each list, which ascends, what lies in its range:
//
//	targets    0        │          n
//	row 0      1 7 9    │  12 40
//	row 3      2        │  33 41 43     in this order
//
// Nobody else then writes a target, its messages are added in the order of the edges, however
// many tasks there are, and nothing is kept but the sums. To bring the messages together by
// target first, as Beamer, Asanović and Patterson do ("Reducing Pagerank Communication via
// Propagation Blocking", IPDPS'17), touches each of them twice more, and takes memory that
// a small device would rather have chunks in.
type pushSums[T number] struct {
	title     string
	pool      parallel.Pool
	frontier  *Frontier
	acc       *Accumulators
	weighting shape.Weighting
	weights   int  // among the program's edge columns; -1: none
	messages  *[]T // of sources
	sums      *[]T // of targets
	samples   []uint32
	bounds    []int // of divide
}

// samplesTask is how many targets are looked at, for each task, to find ranges to which
// equally many edges lead.
const samplesTask = 128

// leastTask is how many edges a task should have: with fewer it is done before another
// worker is awake.
const leastTask = 8 << 10

func newPushSums[T number](in Input, messages, sums *[]T) *pushSums[T] {
	tasks := max(in.Pool.Threads, 1)
	return &pushSums[T]{title: in.title, pool: in.Pool, frontier: in.Frontier, acc: in.Acc,
		weighting: in.Code.Process.Weighting, weights: in.weights, messages: messages, sums: sums,
		samples: make([]uint32, 0, samplesTask*tasks), bounds: make([]int, tasks+1)}
}

func (k *pushSums[T]) Name() string { return k.title + " by ranges of targets" }

func (k *pushSums[T]) Size() uint64 { return uint64(4*cap(k.samples) + 8*len(k.bounds)) }

// step and combine are not called: carry is.
func (k *pushSums[T]) step(int, *csr.Chunk, int) uint64 { return 0 }
func (k *pushSums[T]) combine(*csr.Chunk)               {}

func (k *pushSums[T]) Carry(ctx context.Context, w csr.Batch) (uint64, error) {
	bounds := k.divide(w)
	var edges atomic.Uint64
	err := k.pool.Run(ctx, len(bounds)-1, func(_, i int) {
		edges.Add(k.receive(ctx, w, bounds[i], bounds[i+1]))
	})
	return edges.Load(), err
}

// divide cuts the targets into ranges, by where a sample of the edges leads: i is from
// bounds[i] on. No word of touched is in two of them.
func (k *pushSums[T]) divide(w csr.Batch) (bounds []int) {
	edges := 0
	for _, r := range w.Chunks {
		edges += len(r.Neighbors)
	}
	tasks := min(len(k.bounds)-1, 1+edges/leastTask)
	bounds = k.bounds[:tasks+1]
	if bounds[tasks] = k.acc.N; tasks == 1 {
		return bounds
	}
	k.sample(w, edges/cap(k.samples)+1)
	for i := 1; i < tasks; i++ {
		bounds[i] = int(k.samples[i*len(k.samples)/tasks]) &^ 63
	}
	return bounds
}

// sample takes the target of one in so many edges, and sorts them.
func (k *pushSums[T]) sample(w csr.Batch, every int) {
	k.samples = k.samples[:0]
	for _, r := range w.Chunks {
		for i := every / 2; i < len(r.Neighbors) && len(k.samples) < cap(k.samples); i += every {
			k.samples = append(k.samples, uint32(r.Cols.Base)+r.Neighbors[i])
		}
	}
	slices.Sort(k.samples)
}

// receive adds to the targets [from, to) what the active rows of a wave send them.
func (k *pushSums[T]) receive(ctx context.Context, w csr.Batch, from, to int) (edges uint64) {
	for task := 0; task < w.Segments() && ctx.Err() == nil; task++ {
		r, s := w.At(task)
		base := int(r.Cols.Base)
		first, end := max(from-base, 0), to-base
		if first >= end || first >= int(r.Cols.Count) {
			continue
		}
		messages, weights := (*k.messages)[r.Rows.Base:r.Rows.End()], r.WeightsOf(k.weights)
		k.frontier.Rows(r, s, func(row, from, to int) {
			list := r.Neighbors[from:to]
			skipped := csr.CountBelow(list, first)
			list = list[skipped:]
			list = list[:csr.CountBelow(list, end)]
			from += skipped
			k.add(uint32(base), list, messages[r.Local(row)], part(weights, from, from+len(list)))
			edges += uint64(len(list))
		})
	}
	return edges
}

// add adds a message to some targets, and marks the words that they are in.
func (k *pushSums[T]) add(base uint32, targets []uint32, message T, weights []float64) {
	acc, touched := *k.sums, k.acc.Touched
	if weights == nil && k.acc.Reduce == algorithms.Sum {
		for _, u := range targets {
			v := base + u
			acc[v] += message
			touched[v/64] = math.MaxUint64
		}
		return
	}
	for i, u := range targets {
		value, v := message, base+u
		if weights != nil {
			value = k.weigh(message, weights[i])
		}
		if touched[v/64] = math.MaxUint64; k.acc.Reduce == algorithms.Prod {
			acc[v] *= value
		} else {
			acc[v] += value
		}
	}
}

// weigh is what an edge makes of a message; only doubles are weighed.
func (k *pushSums[T]) weigh(message T, weight float64) T {
	switch k.weighting {
	case shape.Plus:
		return message + T(weight)
	case shape.Times:
		return message * T(weight)
	case shape.Least:
		return T(min(float64(message), weight))
	default:
		return T(max(float64(message), weight))
	}
}
