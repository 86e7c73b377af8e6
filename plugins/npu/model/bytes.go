package model

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/translation"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// Of bytes that are added up. Who does not send has the message nobody, a pair without an edge the weight
// nowhere, and what comes of either is at least nobody; nothing overflows.
const (
	nobody  = 127
	nowhere = 128
	// span is how many weights a matrix has: heavier edges are in others, by how much they weigh more than a multiple
	// of span. So many matrices take no more than one of doubles.
	span       = 64
	mostSpans  = 8
	windowSize = nobody - span // messages from the least on that may be sent together
)

// small tells whether weights are whole numbers that bytes hold.
func small(s survey) bool { return finite(s) && s.whole && s.least >= 0 && s.largest < span*mostSpans }

// windows is tropical in bytes, for sums of whole numbers of which the least counts: messages are sent as
// their distance from the least, as far as it and any weight fit in a byte. Others wait, as in Dial's
// algorithm ("Shortest-path forest with topological ordering", 1969): by then there often are better ones.
type windows struct {
	careful careful[uint8]
	layers  []*rowReduction[uint8] // of each matrix
	offsets []float64              // of its weights
}

func buildBytes(b *building) (sender, error) {
	w := &windows{}
	matrices := w.fill(b)
	weight := func(t *translation.Translation, k int, cells string) string {
		return t.Apply("Add", t.Cast(cells, onnx.Float64), t.Float(w.offsets[k]))
	}
	w.careful = careful[uint8]{b: b, matrices: matrices, weight: weight}
	for _, m := range matrices {
		layer, err := newRowReduction(b, m, "Add", "ReduceMin")
		if err != nil {
			w.close()
			return nil, err
		}
		w.layers = append(w.layers, layer)
	}
	return w, nil
}

// fill makes a matrix for each span of weights that there are, and the first in any case.
func (w *windows) fill(b *building) (matrices []*blockwise.Matrix[uint8]) {
	var of [mostSpans]*blockwise.Matrix[uint8]
	for r := range b.edges {
		for k, source := range r.Sources {
			weight := int(r.Weights[0][k])
			m := of[weight/span]
			if m == nil {
				m = blockwise.NewMatrix[uint8](b.n, blockwise.BlockRows(b.n, 1), nowhere, b.size.Threads)
				of[weight/span] = m
			}
			cell := &m.Row(r.Target)[source]
			*cell = min(*cell, uint8(weight%span))
		}
	}
	for k, m := range of {
		if k == 0 && m == nil {
			m = blockwise.NewMatrix[uint8](b.n, blockwise.BlockRows(b.n, 1), nowhere, b.size.Threads)
		}
		if m != nil {
			matrices, w.offsets = append(matrices, m), append(w.offsets, float64(k*span))
		}
	}
	return matrices
}

func (w *windows) send(ctx context.Context, lanes []*sending) error {
	for _, l := range lanes {
		if err := w.sendLane(ctx, l); err != nil {
			return err
		}
	}
	return nil
}

func (w *windows) sendLane(ctx context.Context, l *sending) error {
	l.Acc.Fill(vector.Identity(algorithms.Min, algorithms.Float))
	from := math.Inf(-1)
	for {
		first, fits := next(l.messages.Floats, from)
		switch {
		case !fits:
			return w.careful.send(ctx, []*sending{l})
		case math.IsInf(first, 1):
			return nil
		}
		from = first + windowSize - 1
		if err := w.window(ctx, l, first); err != nil || l.Left != nil {
			return err
		}
	}
}

// next is the least message above from. It fits if every message is a whole number, and small enough
// that sums of such are exact.
func next(messages []float64, from float64) (first float64, fits bool) {
	first = math.Inf(1)
	for _, x := range messages {
		if x != math.Inf(1) && (x != math.Trunc(x) || math.Abs(x) > 1<<52) {
			return 0, false
		}
		if x > from {
			first = min(first, x)
		}
	}
	return first, true
}

// window sends the messages from first on that are in its window.
func (w *windows) window(ctx context.Context, l *sending, first float64) error {
	in := w.enter(l, first)
	for k, layer := range w.layers {
		least := first + w.offsets[k]
		copy(layer.in, in)
		o := order{algorithms.Min}
		err := layer.run(ctx, l.Lane, o, o.float(least), func(v int, sum uint8) {
			if sum < nobody {
				l.Acc.Floats[v] = min(l.Acc.Floats[v], least+float64(sum))
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// enter enters the messages of a window, and leaves those after it.
func (w *windows) enter(l *sending, first float64) []uint8 {
	in := w.layers[0].in
	for v, x := range l.messages.Floats {
		distance := x - first
		switch {
		case distance >= 0 && distance < windowSize:
			in[v] = uint8(distance)
			continue
		case distance > 0 && distance < math.Inf(1) && l.Left != nil:
			l.Left[v/64] |= 1 << (v % 64)
		}
		in[v] = nobody
	}
	return in
}

func (w *windows) close() {
	for _, layer := range w.layers {
		layer.blocks.Close()
	}
	w.careful.close()
}
