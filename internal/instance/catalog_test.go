package instance

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/registry"
)

// TestCatalogFor: statements know the algorithms of installed plugins, of those that they may run on; and what is built
// in, whatever the lock file.
func TestCatalogFor(t *testing.T) {
	dir := t.TempDir()
	installed := func(lock string) *registry.Registry {
		if err := os.WriteFile(filepath.Join(dir, registry.LockFile), []byte(lock), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := registry.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := installed(`{"version": 1, "plugins": {"turbine": {"version": "1", "algorithms": [
		{"name": "spin", "summary": "turns", "edges": "both", "result": [{"name": "turns", "type": "int"}]}]}}}`)
	for _, c := range []struct {
		devices []string
		known   bool
	}{{nil, true}, {[]string{"cpu"}, false}, {[]string{"cpu", "turbine"}, true}} {
		catalog := catalogFor(r, Options{Devices: c.devices})
		if _, err := catalog.Lookup("spin"); (err == nil) != c.known {
			t.Errorf("on %v: %v", c.devices, err)
		}
	}
	var log strings.Builder
	catalog := catalogFor(installed("{"), Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if _, err := catalog.Lookup("pagerank"); err != nil || !strings.Contains(log.String(), registry.LockFile) {
		t.Errorf("%v; the log says %q", err, log.String())
	}
}
