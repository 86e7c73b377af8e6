package ort

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
)

// Try multiplies a small matrix by itself with a provider. That a library was built with one does not
// tell whether the vendor's libraries, the driver and the hardware are there, and take the settings.
func (r *Runtime) Try(ctx context.Context, o Options) error {
	t := o.provider().Facts().Float
	g := &onnx.Graph{Name: "try"}
	x := g.Input("x", t, 2, 2)
	g.As("y", "MatMul", []string{x, x})
	g.Output("y", t, 2, 2)
	session, err := r.NewSession(g.Model(), o)
	if err != nil {
		return err
	}
	defer session.Close()
	return session.try(ctx, t)
}

// try has a matrix of ones multiplied, which gives one of twos.
func (s *Session) try(ctx context.Context, t onnx.Type) error {
	b, err := s.Bind()
	if err != nil {
		return err
	}
	defer b.Close()
	shape, y := []int64{2, 2}, make([]byte, 4*t.Size())
	if err := b.BindInput("x", t, shape, fourTimes(1, t)); err != nil {
		return err
	}
	if err := b.BindOutput("y", t, shape, y); err != nil {
		return err
	}
	if err := b.Run(ctx); err != nil {
		return err
	}
	if !bytes.Equal(y, fourTimes(2, t)) {
		return &Error{s.runtime.path, "trying the provider " + string(s.provider), ProviderFailed,
			fmt.Sprintf("1·1 + 1·1 is not 2 there (%v, bytes %x)", t, y), "it takes " + s.provider.Needs()}
	}
	return nil
}

// fourTimes is a matrix of four equal numbers.
func fourTimes(v float64, t onnx.Type) []byte {
	switch t {
	case onnx.Float16:
		return onnx.Bytes(slices.Repeat([]onnx.Half{onnx.HalfOf(float32(v))}, 4))
	case onnx.Float32:
		return onnx.Bytes(slices.Repeat([]float32{float32(v)}, 4))
	default:
		return onnx.Bytes(slices.Repeat([]float64{v}, 4))
	}
}
