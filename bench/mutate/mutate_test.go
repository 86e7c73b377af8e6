package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/gosource"
)

func house(t *testing.T) (*gosource.Module, *gosource.Package) {
	t.Helper()
	module, err := gosource.Load("testdata/house", ".")
	if err != nil {
		t.Fatal(err)
	}
	return module, module.Packages[0]
}

func TestTest(t *testing.T) {
	module, pkg := house(t)
	mutants := find(module, pkg)
	var out strings.Builder
	// Without total++ the loop has no end, which takes ten seconds to find out.
	mutants = slices.DeleteFunc(mutants, func(m *mutant) bool { return strings.Contains(m.name, "total++") })
	score, err := test(t.Context(), &out, pkg, mutants, map[string]bool{"house.go Large: 5 → 5 + 1": true}, choice{})
	if err != nil {
		t.Fatal(err)
	}
	want := `survived  house.go Large: rooms > 5 → >=
survived  house.go Large: 5 → 5 - 1
unseen    house.go Paint: walls[i] = "white" → nothing
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
	if score != (Score{Killed: 5, Survived: 3, Unseen: 1}) {
		t.Errorf("got %s", score)
	}
}

// A private room without tests is tested by those of the package whose room it is.
func TestTestsOf(t *testing.T) {
	house := t.TempDir()
	own, bare := filepath.Join(house, "internal", "own"), filepath.Join(house, "internal", "bare")
	for _, dir := range []string{own, bare} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(own, "a_test.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{house: house, own: own, bare: house} {
		if got := testsOf(dir); got != want {
			t.Errorf("the tests of %s are in %s; expected %s", dir, got, want)
		}
	}
}

// Every mistake of the fixture has a name, and an effect on one place.
func TestFind(t *testing.T) {
	module, pkg := house(t)
	var names []string
	for _, m := range find(module, pkg) {
		names = append(names, strings.TrimPrefix(m.name, "house.go "))
	}
	want := []string{
		"Rooms: floors * each → /",
		"Large: rooms > 5 → >=", "Large: rooms > 5 → <=", "Large: 5 → 5 + 1", "Large: 5 → 5 - 1",
		`Paint: walls[i] = "white" → nothing`,
		"Count: total++ → nothing", "Count: total++ → --",
		"Count: 0 → 0 + 1",
		"Count: total < n → <=", "Count: total < n → >=",
	}
	slices.Sort(names)
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("got  %q\nwant %q", names, want)
	}
}

func TestWeave(t *testing.T) {
	module, pkg := house(t)
	mutants := slices.DeleteFunc(find(module, pkg), func(m *mutant) bool { return !strings.Contains(m.name, "Large") })
	got, err := weave(pkg.Files[0], mutants[:3])
	if err != nil {
		t.Fatal(err)
	}
	want := "func Large(rooms int) bool { return func() bool { if mutant(2) { return rooms >= 5 }; if mutant(3) { return rooms <= 5 }; " +
		"return rooms > func() int { if mutant(4) { return func() int { v := int(5); v++; return v }() }; return 5 }() }() }"
	if !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestReadEquivalent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "equivalent.txt")
	for text, ok := range map[string]bool{"# comment\n\na f: x → y  # because\n": true, "a f: x → y\n": false,
		"a f: x → y  #\n": false} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		names, err := readEquivalent(path)
		if (err == nil) != ok || ok && !names["a f: x → y"] {
			t.Errorf("%q: %v, %v", text, names, err)
		}
	}
}
