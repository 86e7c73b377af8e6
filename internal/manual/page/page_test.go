package page_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/manual/page"
)

// docs/catalog.md says what the code does.
func TestPage_IsCurrent(t *testing.T) {
	definitions, err := page.Definitions("../../../algorithms")
	if err != nil {
		t.Fatal(err)
	}
	want, err := page.Of(catalog.All(), definitions)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../docs/catalog.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/catalog.md is not what the code says: go run ./internal/manual/write")
	}
	if !strings.Contains(want, "`gds.pageRank.stream`") || !strings.Contains(want, "\tPR₀(v) = 1/n") {
		t.Error("it lacks statements, or definitions")
	}
}

// Each algorithm of the catalog says above it what it is.
func TestDefinitions_OfAll(t *testing.T) {
	definitions, err := page.Definitions("../../../algorithms")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range catalog.All() {
		if len(definitions[a.Name].Text) < 40 {
			t.Errorf("%s: nothing above its variable says what it is", a.Name)
		}
	}
}

func TestPage_NeedsDefinitions(t *testing.T) {
	if _, err := page.Of(catalog.All(), nil); err == nil || err.Error() != "no variable defines pagerank" {
		t.Error(err)
	}
	if _, err := page.Definitions(t.TempDir()); err == nil {
		t.Error("an empty folder has definitions")
	}
	broken := t.TempDir()
	if err := os.Mkdir(filepath.Join(broken, "family"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(broken, "family", "a.go"), []byte("package"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := page.Definitions(broken); err == nil {
		t.Error("a file that is no Go has definitions")
	}
}
