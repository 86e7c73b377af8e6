package model

import (
	"context"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// careful sends messages that a matrix's own form does not get right, infinities as a rule, as an expression
// over the same matrix. It is made when it is needed first.
type careful[T onnx.Element] struct {
	b      *building
	matrix *matrix[T]
	made   *evaluator
}

func (c *careful[T]) send(ctx context.Context, lanes []*sending) error {
	if c.made == nil {
		if err := c.make(); err != nil {
			return err
		}
	}
	return c.made.send(ctx, lanes)
}

// make lets blocks be those of the matrix: what comes on the way is larger than usual.
func (c *careful[T]) make() error {
	rows, n := c.matrix.rows, c.matrix.n
	if err := c.b.take(uint64(c.b.size.Threads) * liveTensors * 8 * uint64(rows) * uint64(n)); err != nil {
		return err
	}
	e := newEvaluator(c.b.Plan, n, rows)
	name := "edge." + c.b.program.EdgeColumns[0]
	err := e.add(c.b, func(t *translation) string { return c.there(t, name) }, c.matrix.operand("cells"))
	if err != nil {
		return err
	}
	c.made = e
	return nil
}

// there writes which cells are edges, and gives their weights the property's name.
func (c *careful[T]) there(t *translation, name string) string {
	in := t.Input("cells", onnx.TypeFor[T](), int64(c.matrix.rows), int64(c.matrix.n))
	t.As(name, "Cast", []string{in}, onnx.Int("to", int64(onnx.Float64)))
	return t.node("Not", t.node("Equal", in, t.Initializer(onnx.Scalar("", c.matrix.absent))))
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
