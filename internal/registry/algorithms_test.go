package registry

import (
	"errors"
	"os"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// spin is an algorithm of a plugin.
func spin(name string, aliases ...string) algorithms.Definition {
	return algorithms.Definition{Name: name, Aliases: aliases, Summary: "turns", Edges: "forward",
		Result: []algorithms.ResultColumn{{Name: "turns", Type: "float"}}}
}

// bringing is a package of a plugin with algorithms.
func bringing(t *testing.T, version string, all ...algorithms.Definition) string {
	t.Helper()
	return packaged(t, version, 0, func(m *Manifest) { m.Algorithms = all })
}

func TestAlgorithms(t *testing.T) {
	r := fresh(t)
	if all, err := r.Algorithms(); err != nil || len(all) > 0 {
		t.Errorf("nothing is installed: %v, %v", all, err)
	}
	opts := InstallOptions{AllowUnsigned: []string{"turbine"}}
	p, err := r.Install(t.Context(), bringing(t, "1.0.0", spin("spin", "whirl"), spin("turn")), opts)
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.Algorithms()
	if err != nil || len(all) != 2 || all[0].Plugin != "turbine" || all[0].Algorithm.Name != "spin" {
		t.Fatalf("it brings %+v, %v", all, err)
	}
	// Its next version may have the same, and others.
	if _, err := r.Install(t.Context(), bringing(t, "1.1.0", spin("spin"), spin("twist")), opts); err != nil {
		t.Fatal(err)
	}
	if all, _ := r.Algorithms(); len(all) != 2 || all[1].Algorithm.Name != "twist" {
		t.Errorf("version 1.1.0 brings %+v", all)
	}
	for _, described := range [][]algorithms.Definition{{spin("spin")}, {spin("spin", "whirl"), spin("other")}, nil} {
		if err := p.bringsWhatItSays(plugins.Description{Algorithms: described}); err == nil {
			t.Errorf("it describes %q, and that is well", called(described))
		}
	}
	if err := p.bringsWhatItSays(plugins.Description{Algorithms: p.Algorithms}); err != nil {
		t.Error(err)
	}
}

// TestInstall_Taken: an algorithm has one meaning, whatever is installed.
func TestInstall_Taken(t *testing.T) {
	opts := InstallOptions{AllowUnsigned: []string{"turbine"}}
	for _, name := range []string{"pagerank", "core-number"} { // a name, and an alias
		r := fresh(t)
		_, err := r.Install(t.Context(), bringing(t, "1.0.0", spin("spin", name)), opts)
		var taken *TakenError
		if !errors.As(err, &taken) || taken.Algorithm != name || taken.By != "" {
			t.Errorf("%s: %v", name, err)
		}
		if all, _ := r.List(); len(all) > 0 {
			t.Errorf("%s: %+v is installed", name, all)
		}
	}
	lock := &Lock{Plugins: map[string]Locked{"other": {Algorithms: []algorithms.Definition{spin("spin", "whirl")}}}}
	var taken *TakenError
	err := lock.free("turbine", []algorithms.Definition{spin("turn", "whirl")})
	if !errors.As(err, &taken) || taken.Algorithm != "whirl" || taken.By != "other" {
		t.Errorf("%v; expected that other has whirl", err)
	}
	if err := lock.free("other", []algorithms.Definition{spin("spin")}); err != nil {
		t.Errorf("its own: %v", err)
	}
}

// TestAlgorithms_BuiltIn: when this program has come to have an algorithm of that name, that is what the name means.
func TestAlgorithms_BuiltIn(t *testing.T) {
	r := fresh(t)
	if err := os.MkdirAll(r.Dir(), 0o755); err != nil {
		t.Fatal(err)
	}
	text := `{"version": 1, "plugins": {"turbine": {"version": "1", "algorithms": [
		{"name": "pagerank", "summary": "y", "edges": "both", "result": [{"name": "z", "type": "int"}]},
		{"name": "spin", "summary": "y", "edges": "both", "result": [{"name": "z", "type": "int"}]}]}}}`
	if err := os.WriteFile(r.lockPath(), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if all, err := r.Algorithms(); err != nil || len(all) != 1 || all[0].Algorithm.Name != "spin" {
		t.Errorf("%+v, %v; expected spin alone", all, err)
	}
}

// TestReadLock_Algorithms: a lock file that was tampered with defines nothing.
func TestReadLock_Algorithms(t *testing.T) {
	r := fresh(t)
	if err := os.MkdirAll(r.Dir(), 0o755); err != nil {
		t.Fatal(err)
	}
	text := `{"version": 1, "plugins": {"turbine": {"version": "1", "algorithms": [{"name": "../x", "summary": "y",
		"edges": "both", "result": [{"name": "z", "type": "int"}]}]}}}`
	if err := os.WriteFile(r.lockPath(), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := r.Algorithms()
	var wrong *algorithms.DefinitionError
	if !errors.As(err, &wrong) || wrong.Field != "name" {
		t.Errorf("%v; expected a wrong name", err)
	}
}
