package topological

import (
	"context"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// Forward goes through vertices in topological order, on one worker: each comes once all have that lead to it (Kahn,
// "Topological sorting of large networks", 1962).
type Forward struct {
	// waits is, of each vertex, for how many edges it waits, from vertices that have yet to come. Of one that waits for
	// none and has yet to come itself, it is 1 + the next such one. All are 0 between two goes.
	waits []uint32
	ready uint32 // 1 + the first such one; 0: none
	count int    // of those that have become ready
}

// MostForward is more vertices than it can number.
const MostForward = 1<<32 - 1

// lookedApart is after how many vertices it looks whether it is to stop.
const lookedApart = 256

// Scratch is what it takes of n vertices.
func (f *Forward) Scratch(n int) uint64 { return 4 * uint64(n) }

// Allocate takes it.
func (f *Forward) Allocate(n int) { f.waits = make([]uint32, n) }

// Go calls visit for each vertex of a set, along lists, and tells whether it came to all: those to which a cycle of the
// set leads wait for ever.
func (f *Forward) Go(ctx context.Context, lists csr.BlockIndex, set []uint64, visit func(v uint32)) (all bool,
	err error) {
	if err = f.start(ctx, lists, set); err == nil {
		err = f.pass(ctx, lists, set, visit)
	}
	if all = uint64(f.count) == bitmap.Count(set); !all || err != nil {
		clear(f.waits)
	}
	return all, err
}

// Reach adds to reached what of a set it leads to.
func (f *Forward) Reach(ctx context.Context, lists csr.BlockIndex, set, reached []uint64) error {
	f.ready = 0
	for v := range bitmap.Members(reached) {
		f.put(uint32(v))
	}
	err := f.follow(ctx, func(v uint32) {
		lists.Neighbors(v, func(u uint32) {
			if bitmap.Has(set, int(u)) && !bitmap.Has(reached, int(u)) {
				reached[u/64] |= 1 << (u % 64)
				f.put(u)
			}
		})
	})
	if err != nil {
		clear(f.waits)
	}
	return err
}

// start counts for what each vertex waits.
func (f *Forward) start(ctx context.Context, lists csr.BlockIndex, set []uint64) error {
	for v := range bitmap.Members(set) {
		lists.Neighbors(uint32(v), func(u uint32) { f.waits[u]++ })
		if v%lookedApart == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	f.ready, f.count = 0, 0
	for v := range bitmap.Members(set) {
		if f.waits[v] == 0 {
			f.put(uint32(v))
		}
	}
	return nil
}

// put has v, which waits for nothing, be the first that is ready.
func (f *Forward) put(v uint32) {
	f.waits[v], f.ready = f.ready, v+1
	f.count++
}

// pass visits one after the other that is ready.
func (f *Forward) pass(ctx context.Context, lists csr.BlockIndex, set []uint64, visit func(v uint32)) error {
	return f.follow(ctx, func(v uint32) {
		visit(v)
		lists.Neighbors(v, func(u uint32) {
			if f.waits[u]--; f.waits[u] == 0 && bitmap.Has(set, int(u)) {
				f.put(u)
			}
		})
	})
}

// follow calls visit for one after the other that is ready, until none is.
func (f *Forward) follow(ctx context.Context, visit func(v uint32)) error {
	for visited := 1; f.ready != 0; visited++ {
		v := f.ready - 1
		f.ready, f.waits[v] = f.waits[v], 0
		if visit(v); visited%lookedApart == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}
