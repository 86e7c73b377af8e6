package algorithm

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
)

// TestSum: by however many goroutines, numbers are added in the same order.
func TestSum(t *testing.T) {
	value := func(v int) float64 { return 1 / float64(v+1) }
	for _, n := range []int{0, 1, 255, 256, 257, 100_000} {
		want := 0.0
		for from := 0; from < n; from += block {
			part := 0.0
			for v := from; v < min(from+block, n); v++ {
				part += value(v)
			}
			want += part
		}
		for threads := 1; threads <= 8; threads++ {
			g := &Graph{Size: Size{Vertices: uint64(n)}, threads: threads}
			got, err := g.Sum(t.Context(), value)
			if err != nil || math.Float64bits(got) != math.Float64bits(want) {
				t.Errorf("%d numbers by %d goroutines: %v, %v; expected %v", n, threads, got, err, want)
			}
		}
	}
}

// TestSum_Late: the numbers that come last are added where they stand. 1 + 1e16 - 1e16 is 0; in other orders it is 1.
func TestSum_Late(t *testing.T) {
	numbers := map[int]float64{0: 1, block: 1e16, 2 * block: -1e16}
	var others sync.WaitGroup
	others.Add(2)
	g := &Graph{Size: Size{Vertices: 3 * block}, threads: 2}
	sum, err := g.Sum(t.Context(), func(v int) float64 {
		switch v {
		case 0:
			others.Wait()
		case 2*block - 1, 3*block - 1: // the last of its block
			others.Done()
		}
		return numbers[v]
	})
	if err != nil || sum != 0 {
		t.Errorf("the sum is %v, %v; expected 0", sum, err)
	}
}

// TestForEach_Canceled: a loop ends soon after its context, by the context's error.
func TestForEach_Canceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	g, done := &Graph{Size: Size{Vertices: 1 << 20}, threads: 1}, 0
	err := g.ForEach(ctx, func(int) {
		if done++; done == 1000 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || done > 1000+block {
		t.Errorf("%v after %d vertices", err, done)
	}
}
