package ort_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

// counting adds 1 to x as many times as trips says, in a Loop.
func counting() *onnx.Graph {
	body := &onnx.Graph{Name: "body"}
	body.Input("i", onnx.Int64)
	going, x := body.Input("going", onnx.Bool), body.Input("before", onnx.Int64)
	one := body.Initializer(onnx.Scalar[int64]("", 1))
	body.As("still", "Identity", []string{going})
	body.As("after", "Add", []string{x, one})
	body.Output("still", onnx.Bool)
	body.Output("after", onnx.Int64)

	g := &onnx.Graph{Name: "counting"}
	trips, start := g.Input("trips", onnx.Int64), g.Input("x", onnx.Int64)
	g.As("y", "Loop", []string{trips, "", start}, onnx.Body("body", body))
	g.Output("y", onnx.Int64)
	return g
}

// The run's context ends a model that would go on for years, and leaves the binding usable.
func TestRun_EndsWithItsContext(t *testing.T) {
	b := bound(t, orttest.Runtime(t), counting(), ort.Options{})
	trips, x, y := []int64{1 << 60}, []int64{5}, []int64{0}
	must(t, b.BindInput("trips", onnx.Int64, nil, onnx.Bytes(trips)))
	must(t, b.BindInput("x", onnx.Int64, nil, onnx.Bytes(x)))
	must(t, b.BindOutput("y", onnx.Int64, nil, onnx.Bytes(y)))
	reason := errors.New("enough")
	for range 3 {
		ctx, cancel := context.WithCancelCause(t.Context())
		go cancel(reason)
		trips[0] = 1 << 60
		if err := b.Run(ctx); !errors.Is(err, reason) {
			t.Fatalf("got %v", err)
		}
		if err := b.Run(ctx); !errors.Is(err, reason) {
			t.Fatalf("a context that has ended: got %v", err)
		}
		trips[0] = 1000
		again, release := context.WithCancel(t.Context())
		must(t, b.Run(again))
		release()
		if y[0] != 1005 {
			t.Fatalf("got %d", y[0])
		}
	}
}

// A cancel that comes at the very end of a run must not reach into the next.
func TestRun_LateCancels(t *testing.T) {
	b := bound(t, orttest.Runtime(t), counting(), ort.Options{})
	trips, x, y := []int64{3}, []int64{5}, []int64{0}
	must(t, b.BindInput("trips", onnx.Int64, nil, onnx.Bytes(trips)))
	must(t, b.BindInput("x", onnx.Int64, nil, onnx.Bytes(x)))
	must(t, b.BindOutput("y", onnx.Int64, nil, onnx.Bytes(y)))
	for range 300 {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		if err := b.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		must(t, b.Run(context.Background()))
	}
}

func TestRun_ManyBindingsOfOneSession(t *testing.T) {
	session, err := orttest.Runtime(t).NewSession(minPlus(64).Model(), ort.Options{})
	must(t, err)
	defer session.Close()
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			if err := steps(session, float32(i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// steps runs min-plus with all weights 1 from x = start, which adds 1 a step.
func steps(session *ort.Session, start float32) error {
	b, err := session.Bind()
	if err != nil {
		return err
	}
	defer b.Close()
	w, x, y := slices.Repeat([]float32{1}, 64*64), slices.Repeat([]float32{start}, 64), make([]float32, 64)
	if err := b.BindInput("w", onnx.Float32, []int64{64, 64}, onnx.Bytes(w)); err != nil {
		return err
	}
	for i := range 50 {
		if err := errors.Join(
			b.BindInput("x", onnx.Float32, []int64{64}, onnx.Bytes(x)),
			b.BindOutput("y", onnx.Float32, []int64{64}, onnx.Bytes(y)),
			b.Run(context.Background())); err != nil {
			return err
		}
		x, y = y, x
		if x[63] != start+float32(i+1) {
			return fmt.Errorf("after %d steps from %v: %v", i+1, start, x[63])
		}
	}
	return nil
}

// Sums come out with the same bits whatever the number of threads.
func TestRun_ThreadsDoNotShowInSums(t *testing.T) {
	const n = 700
	random := testseed.Rand(t)
	r := orttest.Runtime(t)
	p := numbers(random, n*n)
	for _, lanes := range []int64{1, 5, 64} {
		x := numbers(random, n*lanes)
		one := product(t, r, ort.Options{}, n, lanes, p, x)
		for threads := 2; threads < 5; threads++ {
			if y := product(t, r, ort.Options{Threads: threads, Spin: threads == 3}, n, lanes, p, x); !slices.Equal(one, y) {
				t.Fatalf("%d lanes: %d threads bring other bits than one", lanes, threads)
			}
		}
	}
}

func numbers(random *rand.Rand, n int64) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = random.Float64()
	}
	return all
}

// product is y = p·x, also summed over the rows of p·x by ReduceSum.
func product(t *testing.T, r *ort.Runtime, o ort.Options, n, lanes int64, p, x []float64) []float64 {
	g := &onnx.Graph{Name: "product"}
	g.Input("p", onnx.Float64, n, n)
	g.Input("x", onnx.Float64, n, lanes)
	g.As("y", "MatMul", []string{"p", "x"})
	g.As("sum", "ReduceSum", []string{"p", g.Initializer(onnx.Vector[int64]("", 1))}, onnx.Int("keepdims", 0))
	g.Output("y", onnx.Float64, n, lanes)
	g.Output("sum", onnx.Float64, n)
	b := bound(t, r, g, o)
	y, sum := make([]float64, n*lanes), make([]float64, n)
	must(t, b.BindInput("p", onnx.Float64, []int64{n, n}, onnx.Bytes(p)))
	must(t, b.BindInput("x", onnx.Float64, []int64{n, lanes}, onnx.Bytes(x)))
	must(t, b.BindOutput("y", onnx.Float64, []int64{n, lanes}, onnx.Bytes(y)))
	must(t, b.BindOutput("sum", onnx.Float64, []int64{n}, onnx.Bytes(sum)))
	must(t, b.Run(context.Background()))
	return slices.Concat(y, sum)
}
