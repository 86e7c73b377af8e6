package arena_test

import (
	"os"
	"syscall"
	"testing"

	"github.com/penstock-db/penstock/plugins/arena"
)

// What is discarded takes no memory any more, whoever else has it mapped.
func TestArena_DiscardGivesMemoryBack(t *testing.T) {
	const size = 1 << 20
	a := create(t, size)
	opened, err := arena.Open(a.Ref())
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	a.Populate(arena.Range{Length: size})
	opened.Populate(arena.Range{Length: size})
	if got := blocks(t, a); got != size {
		t.Errorf("%d bytes are there after Populate of %d", got, size)
	}
	a.Discard(arena.Range{Offset: size / 4, Length: size / 2})
	if got := blocks(t, a); got != size/2 {
		t.Errorf("%d bytes are there after Discard of half of %d", got, size)
	}
}

// blocks is the bytes of memory that an arena takes.
func blocks(t *testing.T, a *arena.Arena) int64 {
	t.Helper()
	info, err := os.Stat(a.Ref().Path)
	if err != nil {
		t.Fatal(err)
	}
	return 512 * info.Sys().(*syscall.Stat_t).Blocks
}
