package model

import (
	"context"

	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// product is the form of sums of message · weight: MatMul in double precision, all lanes at once. Weights
// of parallel edges are added up where infinite messages, and those of 0, come to the same then: if they are
// of one sign, and their sum is finite. A pair without an edge weighs 0, and so may no edge.
type product struct{ plan *Plan }

func (product) name() string { return "MatMul by float64" }

// rows is how many a block has: some for each thread, so that none waits long for another. Nothing but
// results comes of a block, so it may be larger than a cache.
func (f product) rows(n int) int { return max(1, blockwise.Ceil(n, 4*f.plan.size.Threads)) }

func (f product) bytes(s Size) uint64 {
	rows := f.rows(s.N)
	return blockwise.MatrixBytes(s.N, rows, 8) + 8*uint64(s.Lanes)*uint64(s.N+blockwise.Padded(s.N, rows)) +
		messageBytes(s)
}

// multiplier multiplies the matrix by the messages.
type multiplier struct {
	plan    *Plan
	careful careful[float64]
	lanes   int
	blocks  *blockwise.Blocks
	in, out []float64 // a row for each vertex, a column for each lane
}

func (f product) build(b *building) (sender, error) {
	s := b.survey()
	rows := f.rows(b.n)
	m := &multiplier{plan: b.Plan, lanes: b.size.Lanes, in: make([]float64, b.n*b.size.Lanes),
		out: make([]float64, blockwise.Padded(b.n, rows)*b.size.Lanes)}
	weights := blockwise.NewMatrix(b.n, rows, 0.0, b.size.Threads)
	if !s.numbers || !weigh(weights, b.edges, joined) {
		return b.unusual()
	}
	m.careful = careful[float64]{b: b, matrices: []*blockwise.Matrix[float64]{weights}}
	var err error
	m.blocks, err = blockwise.New(b.setting(), m.graph(int64(rows), int64(b.n)), blockwise.Ceil(b.n, rows), []blockwise.Operand{weights.Operand("weights"),
		{Name: "messages", Kind: onnx.Float64, Shape: []int64{int64(b.n), int64(m.lanes)}, Memory: onnx.Bytes(m.in)},
		blockwise.OutputOperand(blockwise.RowsOperand("acc", m.out, rows, int64(m.lanes)))})
	return m, err
}

// joined is the weight of two edges, and whether there is one.
func joined(a, w float64) (float64, bool) {
	sum := a + w
	return sum, a > 0 == (w > 0) && w != 0 && sum-sum == 0
}

func (m *multiplier) graph(rows, n int64) *onnx.Graph {
	g := &onnx.Graph{Name: "product"}
	lanes := int64(m.lanes)
	g.As("acc", "MatMul", []string{g.Input("weights", onnx.Float64, rows, n), g.Input("messages", onnx.Float64, n, lanes)})
	g.Output("acc", onnx.Float64, rows, lanes)
	return g
}

func (m *multiplier) send(ctx context.Context, lanes []*sending) error {
	clear(m.in)
	for i, l := range lanes {
		for v, x := range l.messages.Floats {
			if x-x != 0 { // 0 · x is NaN then
				return m.careful.send(ctx, lanes)
			}
			m.in[v*m.lanes+i] = x
		}
	}
	if err := m.blocks.Run(ctx, nil); err != nil {
		return err
	}
	for i, l := range lanes {
		for v := range l.Acc.Floats {
			l.Acc.Floats[v] = 0 + m.out[v*m.lanes+i] // never -0
		}
	}
	return nil
}

func (m *multiplier) close() {
	m.blocks.Close()
	m.careful.close()
}
