package kit_test

import (
	"testing"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// What does not fit is refused and charges nothing; what is given back can be taken again; the peak stays.
func TestBudget(t *testing.T) {
	b := kit.Budget{Limit: 100}
	if err := b.Take(80, "columns"); err != nil {
		t.Fatal(err)
	}
	if err := b.Take(21, "a chunk"); plugins.KindOf(err) != plugins.KindBudget {
		t.Fatalf("21 of 20 left: got %v, want an error of kind budget", err)
	}
	b.Give(50)
	if b.Left() != 70 || b.Peak != 80 {
		t.Fatalf("after giving 50 of 80 back: left %d, peak %d; want 70 and 80", b.Left(), b.Peak)
	}
}

// A limit of 0 is no bound.
func TestBudget_NoLimit(t *testing.T) {
	b := kit.Budget{}
	if err := b.Take(1<<62, "everything"); err != nil {
		t.Fatal(err)
	}
}

// What cannot be added up is refused, also without a limit.
func TestBudget_Overflows(t *testing.T) {
	for _, limit := range []uint64{0, 100} {
		b := kit.Budget{Limit: limit, Used: 1}
		for name, err := range map[string]error{"a task": b.TakeTask(^uint64(0) - 1), "a chunk": b.Take(^uint64(0), "a chunk")} {
			if plugins.KindOf(err) != plugins.KindInternal || b.Used != 1 {
				t.Errorf("%s, of a limit of %d: %v, %d in use", name, limit, err, b.Used)
			}
		}
	}
}
