package plugins

import (
	"testing"

	"github.com/penstock-db/penstock/plugins/arena"
)

// A session on the same arena gets the same mapping; one on another gets its own, and
// then only arenas that are in use stay mapped.
func TestMappings_OneIdleArenaStaysMapped(t *testing.T) {
	var m mappings
	open := func(a *arena.Arena) *mapping {
		t.Helper()
		opened, err := m.open(a.Ref())
		if err != nil {
			t.Fatal(err)
		}
		return opened
	}
	shut := func(opened *mapping) {
		t.Helper()
		if err := m.close(opened); err != nil {
			t.Fatal(err)
		}
	}
	a, b := newArena(t), newArena(t)
	first := open(a)
	if again := open(a); again != first {
		t.Error("the same arena is mapped twice")
	}
	shut(first)
	shut(first)
	if again := open(a); again != first {
		t.Error("the last arena did not stay mapped")
	}
	other := open(b)
	if len(m.all) != 2 {
		t.Errorf("%d arenas are mapped for two sessions", len(m.all))
	}
	shut(first)
	shut(other)
	if len(m.all) != 1 || m.all[0] != other {
		t.Errorf("%d arenas stay mapped", len(m.all))
	}
	open(a)
	if len(m.all) != 1 || m.all[0].Arena == other.Arena {
		t.Error("an arena that nobody uses stays mapped beside another")
	}
	if _, err := m.open(arena.Ref{Path: "/nowhere", Size: 64}); err == nil || len(m.all) != 1 {
		t.Errorf("error %v, %d arenas", err, len(m.all))
	}
}
