package model

import (
	"context"

	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/translation"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// careful sends messages that matrices' own form does not get right, infinities as a rule, as an expression
// over the same matrices. It is made when it is needed first.
type careful[T onnx.Element] struct {
	b        *building
	matrices []*blockwise.Matrix[T]
	made     *evaluator
	// weight is what cells of a matrix stand for; nil: they are weights
	weight func(t *translation.Translation, k int, cells string) string
}

func (c *careful[T]) send(ctx context.Context, lanes []*sending) error {
	if c.made == nil {
		if err := c.make(); err != nil {
			return err
		}
	}
	return c.made.send(ctx, lanes)
}

// make lets blocks be those of the matrices: what comes on the way is larger than usual.
func (c *careful[T]) make() error {
	rows, n := c.matrices[0].Rows, c.matrices[0].N
	if err := c.b.take(uint64(c.b.size.Threads) * liveTensors * 8 * uint64(rows) * uint64(n)); err != nil {
		return err
	}
	e := newEvaluator(c.b.Plan, n, rows)
	for k, m := range c.matrices {
		if err := e.add(c.b, func(t *translation.Translation) string { return c.there(t, k) }, m.Operand("cells")); err != nil {
			e.close()
			return err
		}
	}
	c.made = e
	return nil
}

// there writes which cells of a matrix are edges, and gives their weights the property's name.
func (c *careful[T]) there(t *translation.Translation, k int) string {
	m, name := c.matrices[k], "edge."+c.b.program.EdgeColumns[0]
	in := t.Input("cells", onnx.TypeFor[T](), int64(m.Rows), int64(m.N))
	weight := in
	if c.weight != nil {
		weight = c.weight(t, k, in)
	}
	t.As(name, "Identity", []string{weight})
	return t.Apply("Not", t.Apply("Equal", in, t.Initializer(onnx.Scalar("", m.Absent))))
}

func (c *careful[T]) close() {
	if c.made != nil {
		c.made.close()
	}
}

// unusual has an expression compute with weights that no form of its own is right for.
func (b *building) unusual() (sender, error) {
	f := expression{b.Plan}
	if err := b.take(f.bytes(Size{N: b.n, Lanes: b.size.Lanes, Threads: b.size.Threads})); err != nil {
		return nil, err
	}
	return f.build(b)
}
