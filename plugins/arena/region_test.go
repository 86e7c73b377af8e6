package arena_test

import (
	"errors"
	"math"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/plugins/arena"
)

// Against the plainest model, one flag for each Align bytes: ranges never overlap, Alloc
// fails only when no gap fits, and once all is freed the whole region is one piece again.
func TestRegion_AgainstFlags(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.IntRange(1, 64).Draw(t, "cells")
		region := arena.NewRegion(uint64(cells*arena.Align + rapid.IntRange(0, arena.Align-1).Draw(t, "rest")))
		model := make(flags, cells)
		var held []arena.Range
		t.Repeat(map[string]func(*rapid.T){
			"alloc": func(t *rapid.T) {
				n := rapid.Uint64Range(1, uint64(cells*arena.Align)+1).Draw(t, "bytes")
				held = append(held, model.alloc(t, region, n)...)
			},
			"free": func(t *rapid.T) {
				if len(held) == 0 {
					t.Skip("no range is held that could be freed: rapid draws another action")
				}
				i := rapid.IntRange(0, len(held)-1).Draw(t, "which")
				model.free(t, region, held[i])
				held = append(held[:i], held[i+1:]...)
			},
		})
		for _, r := range held {
			model.free(t, region, r)
		}
		if all, err := region.Alloc(uint64(cells * arena.Align)); err != nil || all.Offset != 0 {
			t.Fatalf("all was freed, but Alloc of everything gives %v, %v", all, err)
		}
	})
}

// flags tells which Align-byte cells of a region are taken.
type flags []bool

func (f flags) alloc(t *rapid.T, region *arena.Region, n uint64) []arena.Range {
	r, err := region.Alloc(n)
	var full *arena.FullError
	if errors.As(err, &full) {
		if full.Wanted != n || full.Largest != f.largest() || full.Largest >= n {
			t.Fatalf("%v; the largest gap has %d bytes", err, f.largest())
		}
		return nil
	}
	if err != nil || r.Length != n || r.Offset%arena.Align != 0 {
		t.Fatalf("Alloc(%d) = %v, %v", n, r, err)
	}
	f.set(t, r, true)
	return []arena.Range{r}
}

func (f flags) free(t *rapid.T, region *arena.Region, r arena.Range) {
	if err := region.Free(r); err != nil {
		t.Fatal(err)
	}
	if region.Free(r) == nil {
		t.Fatalf("%v was freed twice", r)
	}
	f.set(t, r, false)
}

func (f flags) set(t *rapid.T, r arena.Range, taken bool) {
	for at := r.Offset; at < r.End(); at += arena.Align {
		if cell := at / arena.Align; f[cell] == taken {
			t.Fatalf("byte %d of %v is already taken=%v", at, r, taken)
		} else {
			f[cell] = taken
		}
	}
}

func (f flags) largest() uint64 {
	var largest, run uint64
	for _, taken := range f {
		if run += arena.Align; taken {
			run = 0
		}
		largest = max(largest, run)
	}
	return largest
}

func TestRegion_Edges(t *testing.T) {
	region := arena.NewRegion(1 << 10)
	if r, err := region.Alloc(0); err != nil || r != (arena.Range{}) || region.Free(r) != nil {
		t.Errorf("Alloc(0) = %v, %v", r, err)
	}
	var full *arena.FullError
	if _, err := region.Alloc(math.MaxUint64); !errors.As(err, &full) || full.Largest != 1<<10 || full.Free != 1<<10 {
		t.Errorf("Alloc of 2^64-1 bytes: %v", err)
	}
	if _, err := arena.NewRegion(arena.Align - 1).Alloc(1); !errors.As(err, &full) || full.Largest != 0 {
		t.Errorf("Alloc in a region smaller than one cell: %v", err)
	}
	if region.Free(arena.Range{Offset: 64, Length: 64}) == nil {
		t.Error("a range that was never allocated was freed")
	}
}

func TestRegion_FromManyGoroutines(t *testing.T) {
	const workers, size = 8, 1 << 12
	region := arena.NewRegion(workers * size)
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			for range 200 {
				r, err := region.Alloc(size)
				if err != nil {
					t.Error(err)
					return
				}
				if err := region.Free(r); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if _, err := region.Alloc(workers * size); err != nil {
		t.Error(err)
	}
}
