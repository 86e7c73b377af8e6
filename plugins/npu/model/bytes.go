package model

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
)

// Of bytes that are added up. Who does not send has the message nobody, a pair without an edge the weight
// nowhere, and what comes of either is at least nobody; nothing overflows.
const (
	nobody  = 127
	nowhere = 128
	// heaviest is the largest weight, so that at a time those may send whose messages differ by less than
	// nobody - heaviest.
	heaviest = 100
)

// small tells whether weights are whole numbers that bytes hold with room for messages.
func small(s survey) bool { return s.whole && s.numbers && s.least >= 0 && s.largest <= heaviest }

// windows is tropical in bytes, for sums of whole numbers of which the least counts: messages are sent as
// their distance from the least, as far as it and the heaviest weight fit in a byte. Others wait, as in Dial's
// algorithm ("Shortest-path forest with topological ordering", 1969): by then there often are better ones.
type windows struct {
	width   float64
	least   float64 // weight
	careful careful[uint8]
	rows    *rowReduction[uint8]
}

func buildBytes(b *building, s survey) (sender, error) {
	weights := newMatrix[uint8](b.n, blockRows(b.n, 1), nowhere, b.size.Threads)
	weigh(weights, b.edges, func(a, w uint8) (uint8, bool) { return min(a, w), true })
	w := &windows{width: nobody - 1 - max(s.largest, 0), least: s.least, careful: careful[uint8]{b: b, matrix: weights}}
	var err error
	w.rows, err = newRowReduction(b, weights, "Add", "ReduceMin")
	return w, err
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
	l.Acc.Fill(identity(algorithms.Min, algorithms.Float))
	from := math.Inf(-1)
	for {
		first, fits := next(l.messages.Floats, from)
		switch {
		case !fits:
			return w.careful.send(ctx, []*sending{l})
		case math.IsInf(first, 1):
			return nil
		}
		from = first + w.width
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
	for v, x := range l.messages.Floats {
		distance := x - first
		switch {
		case distance >= 0 && distance <= w.width:
			w.rows.in[v] = uint8(distance)
			continue
		case distance > 0 && distance < math.Inf(1) && l.Left != nil:
			l.Left[v/64] |= 1 << (v % 64)
		}
		w.rows.in[v] = nobody
	}
	return w.rows.run(ctx, l.Lane, order{algorithms.Min}, first+w.least, func(v int, sum uint8) {
		if sum < nobody {
			l.Acc.Floats[v] = min(l.Acc.Floats[v], first+float64(sum))
		}
	})
}

func (w *windows) close() {
	w.rows.blocks.close()
	w.careful.close()
}
