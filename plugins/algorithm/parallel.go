package algorithm

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// threads is how many goroutines work at once, where the host wants so many; 0: as the machine has.
func threads(wanted int) int {
	if wanted > 0 {
		return wanted
	}
	return runtime.GOMAXPROCS(0)
}

// block is how many vertices a goroutine takes at once: lists differ in length, and a counter is shared.
const block = 256

// ForEach calls do for each vertex, by several goroutines. It ends early, with its error, when ctx ends. What do writes
// must be the vertex' own.
func (g *Graph) ForEach(ctx context.Context, do func(v int)) error {
	return blocks(ctx, g.threads, g.N(), func(from, to int) {
		for v := from; v < to; v++ {
			do(v)
		}
	})
}

// Sum adds up what value says of each vertex, by several goroutines. It adds in the same order however many there are:
// the sum has the same bits.
func (g *Graph) Sum(ctx context.Context, value func(v int) float64) (sum float64, err error) {
	parts := make([]float64, (g.N()+block-1)/block)
	err = blocks(ctx, g.threads, g.N(), func(from, to int) {
		part := 0.0
		for v := from; v < to; v++ {
			part += value(v)
		}
		parts[from/block] = part
	})
	for _, part := range parts {
		sum += part
	}
	return sum, err
}

// blocks calls do for the blocks of 0 … n-1, by several goroutines, until ctx ends.
func blocks(ctx context.Context, threads, n int, do func(from, to int)) error {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(threads, (n+block-1)/block) {
		all.Go(func() {
			for ctx.Err() == nil {
				from := int(next.Add(block)) - block
				if from >= n {
					return
				}
				do(from, min(from+block, n))
			}
		})
	}
	all.Wait()
	return ctx.Err()
}
