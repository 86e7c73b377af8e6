package ort_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

// BenchmarkRun is what a run costs beside the work, and what threads bring where there is work.
func BenchmarkRun(b *testing.B) {
	r := orttest.Runtime(b)
	for _, n := range []int64{1, 1024} {
		for _, o := range []ort.Options{{Threads: 1}, {Threads: 2}, {Threads: 2, Spin: true}} {
			b.Run(fmt.Sprintf("n=%d/threads=%d/spin=%t", n, o.Threads, o.Spin), func(b *testing.B) {
				binding := bound(b, r, minPlus(n), o)
				bindMinPlus(b, binding, n)
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				b.ReportAllocs()
				for b.Loop() {
					must(b, binding.Run(ctx))
				}
			})
		}
	}
}

// BenchmarkBind is what it costs to bind an input again, as runs do that swap theirs.
func BenchmarkBind(b *testing.B) {
	binding := bound(b, orttest.Runtime(b), minPlus(64), ort.Options{})
	x := make([]float32, 64)
	b.ReportAllocs()
	for b.Loop() {
		must(b, binding.BindInput("x", onnx.Float32, []int64{64}, onnx.Bytes(x)))
	}
}

func bindMinPlus(b *testing.B, binding *ort.Binding, n int64) {
	must(b, binding.BindInput("w", onnx.Float32, []int64{n, n}, make([]byte, 4*n*n)))
	must(b, binding.BindInput("x", onnx.Float32, []int64{n}, make([]byte, 4*n)))
	must(b, binding.BindOutput("y", onnx.Float32, []int64{n}, make([]byte, 4*n)))
}
