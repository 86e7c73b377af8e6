package model

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
)

// labels is the form of one program whose messages are the states themselves, of which the least or the largest counts,
// as in components: there may be as many different ones as vertices. They are numbered in bytes, the best first, as
// many as a byte has numbers for; an edge lets a number pass, a pair without one has none. The others wait, as in
// bytes.go: by then there often are better ones. Where states are counted up there are few at a time: that is counting.
type labels struct{ plan *Plan }

// labels tells whether the program is such a one.
func (p *Plan) labels() bool {
	message := p.shape.Message
	return p.size.Lanes == 1 && (p.program.Reduce == algorithms.Min || p.program.Reduce == algorithms.Max) &&
		vector.Name(message, message.GetExpr()) == "src."+p.program.State[0].Name && p.shape.Weighting == shape.Unweighted
}

func (labels) name() string { return "Max and ReduceMin by uint8" }

func (f labels) bytes(s Size) uint64 {
	rows := blockwise.BlockRows(s.N, 1)
	return blockwise.MatrixBytes(s.N, rows, 1) + uint64(s.Threads)*uint64(rows)*uint64(s.N) + 24*uint64(s.N) +
		messageBytes(s)
}

// unlabeled is no number.
const unlabeled = 255

// labeller sends numbers of messages along the edges.
type labeller struct {
	order   order
	nothing vector.Scalar
	rows    *rowReduction[uint8]
}

func (f labels) build(b *building) (sender, error) {
	cells := blockwise.NewMatrix[uint8](b.n, blockwise.BlockRows(b.n, 1), unlabeled, b.size.Threads)
	for row := range b.edges {
		into := cells.Row(row.Target)
		for _, source := range row.Sources {
			into[source] = 0
		}
	}
	rows, err := newRowReduction(b, cells, "Max", "ReduceMin")
	return &labeller{order{b.program.Reduce}, vector.Identity(b.program.Reduce, b.accType), rows}, err
}

func (l *labeller) send(ctx context.Context, lanes []*sending) error {
	for _, lane := range lanes {
		if err := l.sendLane(ctx, lane); err != nil {
			return err
		}
	}
	return nil
}

func (l *labeller) sendLane(ctx context.Context, lane *sending) error {
	lane.Acc.Fill(l.nothing)
	keys := l.order.keys(lane.messages)
	for now := range slices.Chunk(distinct(keys), unlabeled) {
		l.enter(lane, keys, now)
		err := l.rows.run(ctx, lane.Lane, l.order, now[0], func(v int, label uint8) {
			if label < unlabeled && now[label] < l.order.keyOf(lane.Acc, v) {
				l.order.set(lane.Acc, v, now[label])
			}
		})
		if err != nil || lane.Left != nil {
			return err
		}
	}
	return nil
}

// enter numbers the messages of these keys, and leaves those that are worse.
func (l *labeller) enter(lane *sending, keys, now []int64) {
	for v, key := range keys {
		at, found := slices.BinarySearch(now, key)
		if !found {
			l.rows.in[v] = unlabeled
			if at == len(now) && key != worst && lane.Left != nil {
				lane.Left[v/64] |= 1 << (v % 64)
			}
			continue
		}
		l.rows.in[v] = uint8(at)
	}
}

func (l *labeller) close() { l.rows.blocks.Close() }
