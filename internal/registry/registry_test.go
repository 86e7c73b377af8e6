package registry

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/launch"
)

func fresh(t *testing.T) *Registry {
	t.Helper()
	r, err := Open(filepath.Join(t.TempDir(), "plugins"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// published makes a plugin folder as its maker would: manifest and program.
func published(t *testing.T, version, content string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "turbine")
	if err := os.WriteFile(file, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
	digest, err := launch.Digest(file)
	if err != nil {
		t.Fatal(err)
	}
	writeJSON(t, filepath.Join(dir, manifest.JSONFile), Manifest{
		Name: "turbine", Version: version, Kind: manifest.KindDevice, Protocol: manifest.Protocol{Min: 1, Max: 1},
		Platforms: map[string]manifest.Program{
			Platform:     {File: "turbine", SHA256: digest},
			"plan9/mips": {File: "turbine-plan9", SHA256: digest},
		},
	})
	return dir
}

func writeJSON(t *testing.T, path string, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err == nil {
		err = os.WriteFile(path, text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func mustInstall(t *testing.T, r *Registry, path string) Plugin {
	t.Helper()
	p, err := r.Install(context.Background(), path, InstallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestInstall_FolderWithManifest(t *testing.T) {
	r := fresh(t)
	source := published(t, "1.0.0", "a program")
	p := mustInstall(t, r, source)
	if p.Name != "turbine" || p.Version != "1.0.0" || p.Source != source {
		t.Errorf("%+v", p)
	}
	if text, err := os.ReadFile(p.Path); string(text) != "a program" {
		t.Errorf("installed program: %q, %v", text, err)
	}
	if info, err := os.Stat(p.Path); err != nil || info.Mode()&0o111 == 0 {
		t.Errorf("it is not executable: %v, %v", info.Mode(), err)
	}
	if all, err := r.List(); err != nil || len(all) != 1 || !reflect.DeepEqual(all[0], p) {
		t.Errorf("list %+v, %v", all, err)
	}
	if err := r.Verify(); err != nil {
		t.Error(err)
	}
	spec, err := r.Resolve("turbine")
	if err != nil || spec.Path != p.Path || spec.SHA256 != p.SHA256 {
		t.Errorf("%+v, %v", spec, err)
	}
}

func TestInstall_SingleProgramDescribesItself(t *testing.T) {
	r := fresh(t)
	p := mustInstall(t, r, program(t, filepath.Join(t.TempDir(), "any-name")))
	if p.Name != "stub" || p.Version != "0.3.0" {
		t.Errorf("%+v", p)
	}
	health, err := r.Doctor(context.Background()) // the built-in device comes first
	if err != nil || len(health) != 2 || health[1].Err != nil || health[1].Description.Hardware != "none" ||
		health[1].Protocol != 1 {
		t.Errorf("%+v, %v", health, err)
	}
	t.Setenv(broken, "yes")
	health, err = r.Doctor(context.Background())
	if err != nil || health[1].Err == nil || !strings.Contains(health[1].Err.Error(), "libturbine.so.1") {
		t.Errorf("%+v, %v", health, err)
	}
}

func TestInstall_TwiceOnlyWhenAsked(t *testing.T) {
	r := fresh(t)
	mustInstall(t, r, published(t, "1.0.0", "old"))
	next := published(t, "2.0.0", "new")
	var installed *InstalledError
	if _, err := r.Install(context.Background(), next, InstallOptions{}); !errors.As(err, &installed) ||
		!strings.Contains(err.Error(), "--replace") {
		t.Errorf("error %v", err)
	}
	p, err := r.Install(context.Background(), next, InstallOptions{Replace: true})
	if err != nil || p.Version != "2.0.0" {
		t.Errorf("%+v, %v", p, err)
	}
	if text, _ := os.ReadFile(p.Path); string(text) != "new" {
		t.Errorf("installed program: %q", text)
	}
}

// What cannot be installed leaves the directory as it was.
func TestInstall_RefusesAndLeavesNothing(t *testing.T) {
	damaged := published(t, "1.0.0", "a program")
	os.WriteFile(filepath.Join(damaged, "turbine"), []byte("another"), 0o755)
	lost := published(t, "1.0.0", "a program")
	os.Remove(filepath.Join(lost, "turbine"))
	script := filepath.Join(t.TempDir(), "script")
	os.WriteFile(script, []byte("#!/bin/sh\necho hello\n"), 0o755)
	piped, long, endless := published(t, "1.0.0", "a program"), published(t, "1.0.0", "a program"), t.TempDir()
	os.Remove(filepath.Join(piped, "turbine"))
	err := errors.Join(syscall.Mkfifo(filepath.Join(piped, "turbine"), 0o755),
		os.Truncate(filepath.Join(long, "turbine"), maxProgram+1),
		os.Symlink("/dev/zero", filepath.Join(endless, manifest.File)))
	if err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"no such path": "/nonexistent/plugin", "no manifest": t.TempDir(),
		"damaged": damaged, "lost program": lost, "no plugin": script, "a pipe": filepath.Join(piped, "turbine"),
		"a pipe for a program": piped, "a device": "/dev/zero", "a device for a manifest": endless, "too long a program": long,
	} {
		t.Run(name, func(t *testing.T) {
			r := fresh(t)
			if _, err := r.Install(context.Background(), path, InstallOptions{}); err == nil {
				t.Fatal("it was installed")
			}
			if all, err := r.List(); err != nil || len(all) > 0 {
				t.Errorf("installed are %+v, %v", all, err)
			}
			left, _ := filepath.Glob(filepath.Join(r.Dir(), "[a-z.]*"))
			for _, path := range left {
				if filepath.Base(path) != ".lock" {
					t.Errorf("left behind: %s", path)
				}
			}
		})
	}
}

func TestVerify_FindsAChangedProgram(t *testing.T) {
	r := fresh(t)
	p := mustInstall(t, r, published(t, "1.0.0", "a program"))
	if err := os.WriteFile(p.Path, []byte("b program"), 0o755); err != nil {
		t.Fatal(err)
	}
	var wrong *launch.ChecksumError
	if err := r.Verify("turbine"); !errors.As(err, &wrong) || wrong.File != p.Path || wrong.Expected != p.SHA256 {
		t.Fatalf("error %v", err)
	}
	spec, err := r.Resolve("turbine")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := launch.Start(context.Background(), spec, launch.Options{}); !errors.As(err, &wrong) {
		t.Errorf("start: error %v", err)
	}
	if err := r.Lock("turbine"); err != nil {
		t.Fatal(err)
	}
	if err := r.Verify(); err != nil {
		t.Errorf("after lock: %v", err)
	}
}

func TestVerify_FindsALostProgram(t *testing.T) {
	r := fresh(t)
	p := mustInstall(t, r, published(t, "1.0.0", "a program"))
	os.Remove(p.Path)
	var lost *LostError
	if err := r.Verify(); !errors.Is(err, os.ErrNotExist) || !errors.As(err, &lost) || lost.Plugin != "turbine" ||
		lost.File != p.Path {
		t.Errorf("error %v", err)
	}
}

func TestRemove_ForgetsAndDeletes(t *testing.T) {
	r := fresh(t)
	p := mustInstall(t, r, published(t, "1.0.0", "a program"))
	if err := r.Remove("turbine"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(p.Path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder: %v", err)
	}
	var unknown *UnknownPluginError
	for _, err := range []error{r.Remove("turbine"), r.Lock("turbine"), r.Verify("turbine")} {
		if !errors.As(err, &unknown) {
			t.Errorf("error %v", err)
		}
	}
}

func TestResolve_SuggestsTheNearestName(t *testing.T) {
	r := fresh(t)
	mustInstall(t, r, published(t, "1.0.0", "a program"))
	for name, says := range map[string]string{"turbin": `did you mean "turbine"?`, "gpu": "installed are turbine"} {
		if _, err := r.Resolve(name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, expected %q in it", name, err, says)
		}
	}
}

// A lock file made by somebody else must not lead to a program outside the directory.
func TestList_RefusesAForgedLock(t *testing.T) {
	r := fresh(t)
	os.MkdirAll(r.Dir(), 0o755)
	for _, lock := range []Lock{
		{Version: 2},
		{Version: 1, Plugins: map[string]Locked{"../x": {}}},
		{Version: 1, Plugins: map[string]Locked{"cpu": {}}},
		{Version: 1, Plugins: map[string]Locked{"x": {Platforms: map[string]File{Platform: {File: "../sh",
			SHA256: strings.Repeat("00", 32)}}}}},
	} {
		writeJSON(t, r.lockPath(), lock)
		var wrong *ManifestError
		if _, err := r.List(); !errors.As(err, &wrong) {
			t.Errorf("%+v: error %v", lock, err)
		}
	}
}

func TestOpen_FindsItsDirectory(t *testing.T) {
	t.Setenv(DirVariable, "/somewhere/else")
	if r, err := Open(""); err != nil || r.Dir() != "/somewhere/else" {
		t.Errorf("%v, %v", r, err)
	}
	t.Setenv(DirVariable, "")
	t.Setenv("XDG_CONFIG_HOME", "/home/somebody/.config")
	t.Setenv("HOME", "/home/somebody")
	if r, err := Open(""); err != nil || !strings.HasSuffix(r.Dir(), filepath.Join("penstock", "plugins")) {
		t.Errorf("%v, %v", r, err)
	}
}

func FuzzLock(f *testing.F) {
	f.Add(
		[]byte(
			`{"version":1,"plugins":{"turbine":{"version":"1","source":"/x","platforms":{"linux/amd64":{"file":"turbine","sha256":"00"}}}}}`))
	f.Add([]byte(`{"version":1,"plugins":{"..":{}}}`))
	f.Add([]byte(`{"version":1,"plugins":{"x":{"folder":"x@0123abcd"}},"stale":["../x"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		lock, err := parseLock(text, "dir/plugins.lock.json")
		if err != nil {
			return
		}
		r := &Registry{dir: "dir"}
		for name, locked := range lock.Plugins {
			if p := r.plugin(name, locked); p.Path != "" && !strings.HasPrefix(p.Path, "dir/"+name) {
				t.Errorf("accepted %+v", p)
			}
		}
	})
}
