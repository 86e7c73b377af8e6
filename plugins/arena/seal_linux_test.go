package arena_test

import (
	"os"
	"testing"

	"github.com/penstock-db/penstock/plugins/arena"
)

// A process that holds the arena cannot make it shorter, which would kill the others.
func TestCreate_CannotShrink(t *testing.T) {
	a := create(t, 1<<16)
	if err := os.Truncate(a.Ref().Path, 4096); err == nil {
		t.Fatal("the arena was cut short")
	}
	if _, err := a.Bytes(arena.Range{Length: 1 << 16}); err != nil {
		t.Fatal(err)
	}
}
