package arena_test

import (
	"testing"

	"github.com/penstock-db/penstock/plugins/arena"
)

// Populating changes nothing, discarding at most the range that it is asked for.
func TestArena_PopulateAndDiscardKeepToTheRange(t *testing.T) {
	const size = 1 << 16
	a := create(t, size)
	all, _ := a.Bytes(arena.Range{Length: size})
	for _, r := range []arena.Range{{}, {Offset: 64, Length: 64}, {Offset: 4000, Length: 20000},
		{Offset: 4096, Length: 8192}, {Offset: 60000, Length: 5536}, {Offset: size, Length: 4096}} {
		for i := range all {
			all[i] = byte(i%251) + 1
		}
		a.Populate(r)
		for i, b := range all {
			if b != byte(i%251)+1 {
				t.Fatalf("Populate(%v): byte %d is %d", r, i, b)
			}
		}
		a.Discard(r)
		for i, b := range all {
			within := uint64(i) >= r.Offset && uint64(i) < r.End()
			if b != byte(i%251)+1 && (!within || b != 0) {
				t.Fatalf("Discard(%v): byte %d is %d", r, i, b)
			}
		}
	}
}

func TestArena_Is(t *testing.T) {
	a, b := create(t, 1<<12), create(t, 1<<12)
	opened, err := arena.Open(a.Ref())
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if !opened.Is(a.Ref()) || opened.Is(b.Ref()) || opened.Is(arena.Ref{Path: a.Ref().Path, Size: 1}) ||
		opened.Is(arena.Ref{Path: "/nowhere", Size: 1 << 12}) {
		t.Error("an arena is taken for another")
	}
}
