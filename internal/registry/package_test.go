package registry

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/distribution/archive"
	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/distribution/pack"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/testseed"
)

// packaged makes a package of a plugin "turbine", of this many files beside the program.
func packaged(t *testing.T, version string, files int, edit func(*Manifest)) string {
	t.Helper()
	dir := t.TempDir()
	m := &Manifest{Name: "turbine", Version: version, Kind: manifest.KindDevice, Protocol: manifest.Protocol{Min: 1, Max: 1},
		Platforms: map[string]manifest.Program{Platform: {File: "bin/turbine"}}}
	if edit != nil {
		edit(m)
	}
	err := errors.Join(os.Mkdir(filepath.Join(dir, "bin"), 0o700),
		os.WriteFile(filepath.Join(dir, "bin/turbine"), []byte("the program of "+version), 0o700))
	for i := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, fmt.Sprint("file-", i)), []byte(version), 0o600))
		m.Include = []string{"file-*"}
	}
	if err != nil {
		t.Fatal(err)
	}
	platform := Platform
	if _, ok := m.Platforms[platform]; !ok {
		platform = "plan9/mips"
	}
	made, err := pack.Pack(dir, t.TempDir(), m, []string{platform})
	if err != nil {
		t.Fatal(err)
	}
	return made[0].Path
}

var unsigned = InstallOptions{AllowUnsigned: []string{"turbine"}}

func TestInstall_Package(t *testing.T) {
	r := fresh(t)
	path := packaged(t, "1.2.0", 2, func(m *Manifest) { m.Permissions.Hardware = []string{"nvidia"} })
	var refused *UnsignedError
	if _, err := r.Install(t.Context(), path, InstallOptions{AllowUnsigned: []string{"other"}}); !errors.As(err, &refused) {
		t.Errorf("error %v", err)
	}
	p, err := r.Install(t.Context(), path, unsigned)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(p.Path); string(text) != "the program of 1.2.0" {
		t.Errorf("installed program: %q, %v", text, err)
	}
	spec, err := r.Resolve("turbine")
	if err != nil || spec.Path != p.Path || len(spec.Contents) != 2 || spec.Package != p.Package || spec.Version != "1.2.0" ||
		len(spec.Grants.Hardware) != 1 || spec.Grants.Hardware[0] != "nvidia" || spec.Folder != filepath.Dir(filepath.Dir(p.Path)) {
		t.Errorf("%+v, %v", spec, err)
	}
	if err := r.Verify(); err != nil {
		t.Error(err)
	}
}

// The kept package is compared as well, so that one cannot be taken for another when it is asked for again.
func TestVerify_KeptPackage(t *testing.T) {
	r := fresh(t)
	p, err := r.Install(t.Context(), packaged(t, "1.2.0", 0, nil), unsigned)
	if err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(filepath.Dir(p.Path), "../..", packageFile)
	os.WriteFile(kept, []byte("another"), 0o600)
	var wrong *launch.ChecksumError
	if err := r.Verify(); !errors.As(err, &wrong) || filepath.Base(wrong.File) != packageFile {
		t.Error(err)
	}
}

// A package comes after what is installed, or is asked to take its place.
func TestInstall_Succession(t *testing.T) {
	replace := func(o InstallOptions) InstallOptions { o.Replace = true; return o }
	downgrade := func(o InstallOptions) InstallOptions { o.Downgrade = true; return o }
	for _, c := range []struct {
		from, to string
		opts     InstallOptions
		fails    any
	}{
		{"1.2.0", "1.10.0", unsigned, nil},
		{"1.2.0", "1.2.0", unsigned, new(*InstalledError)},
		{"1.2.0", "1.2.0", replace(unsigned), nil},
		{"1.2.0", "1.1.9", unsigned, new(*DowngradeError)},
		{"1.2.0", "1.2.0-rc.1", replace(unsigned), new(*DowngradeError)},
		{"1.2.0", "1.1.9", downgrade(unsigned), nil},
		{"a folder", "1.2.0", unsigned, new(*InstalledError)},
		{"a folder", "1.2.0", replace(unsigned), nil},
		{"1.2.0", "a folder", unsigned, new(*InstalledError)},
		{"1.2.0", "a folder", replace(unsigned), nil},
	} {
		source := func(version string) string {
			if version == "a folder" {
				return published(t, "0.5", "a program")
			}
			return packaged(t, version, 0, nil)
		}
		r := fresh(t)
		before, err := r.Install(t.Context(), source(c.from), unsigned)
		if err != nil {
			t.Fatal(err)
		}
		after, err := r.Install(t.Context(), source(c.to), c.opts)
		switch {
		case c.fails == nil && err != nil, c.fails != nil && !errors.As(err, c.fails):
			t.Errorf("%s after %s: %v", c.to, c.from, err)
		case err != nil:
			if now, _ := r.Info("turbine"); !reflect.DeepEqual(now, before) {
				t.Errorf("%s after %s: it is %+v", c.to, c.from, now)
			}
		default:
			if _, err := os.Stat(before.Path); err != nil && before.Path != after.Path {
				t.Errorf("%s after %s: a run may have been using what is gone: %v", c.to, c.from, err)
			}
		}
		if err := r.Verify(); err != nil {
			t.Errorf("%s after %s: %v", c.to, c.from, err)
		}
		if err := r.Remove("turbine"); err != nil {
			t.Error(err)
		}
		if left := entries(t, r); left != ".lock "+LockFile {
			t.Errorf("%s after %s: there are %s", c.to, c.from, left)
		}
	}
}

func entries(t *testing.T, r *Registry) string {
	t.Helper()
	all, err := os.ReadDir(r.Dir())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range all {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestInstall_PackageIsRefused(t *testing.T) {
	cut := packaged(t, "1.2.0", 0, nil)
	os.Truncate(cut, 200)
	for path, fails := range map[string]any{
		cut: new(*archive.FormatError),
		packaged(t, "1.2.0", 0, func(m *Manifest) {
			m.Platforms = map[string]manifest.Program{"plan9/mips": m.Platforms[Platform]}
		}): new(*PlatformError),
		packaged(t, "1.2.0", 0, func(m *Manifest) { m.Protocol = manifest.Protocol{Min: 7, Max: 9} }): new(*manifest.ProtocolError),
		packaged(t, "1.2.0", 0, func(m *Manifest) { m.Name = "auto" }):                                new(*ManifestError),
	} {
		r := fresh(t)
		before, err := r.Install(t.Context(), published(t, "1", "a program"), InstallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Install(t.Context(), path, InstallOptions{Replace: true, AllowUnsigned: []string{"turbine", "auto"}}); !errors.As(err, fails) {
			t.Errorf("%T: %v", fails, err)
		}
		if now, err := r.Info("turbine"); err != nil || !reflect.DeepEqual(now, before) || r.Verify() != nil {
			t.Errorf("%T: %+v, %v, %v", fails, now, err, r.Verify())
		}
		if left := entries(t, r); left != ".lock "+LockFile+" turbine" {
			t.Errorf("%T: there are %s", fails, left)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := fresh(t)
	if _, err := r.Install(ctx, packaged(t, "1.2.0", 0, nil), unsigned); !errors.Is(err, context.Canceled) || entries(t, r) != ".lock" {
		t.Errorf("%v, there are %s", err, entries(t, r))
	}
}

// installing is the variable by which this test program installs two packages by turns, until it is killed: a plugin
// directory, and the packages.
const installing = "PENSTOCK_TEST_INSTALLING"

func installByTurns() {
	places := filepath.SplitList(os.Getenv(installing))
	r, err := Open(places[0])
	for i := 1; err == nil; i = 3 - i {
		_, err = r.Install(context.Background(), places[i], InstallOptions{AllowUnsigned: []string{"turbine"}, Downgrade: true, Replace: true})
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// Whenever an installation is killed, what was there before is whole, or what was to be; the next one clears away the
// rest.
func TestInstall_Killed(t *testing.T) {
	rng := testseed.Rand(t)
	old, next := packaged(t, "1.2.0", 20, nil), packaged(t, "1.3.0", 20, nil)
	r := fresh(t)
	if _, err := r.Install(t.Context(), old, unsigned); err != nil {
		t.Fatal(err)
	}
	unfinishedOnes, versions := 0, map[string]int{}
	for i := 0; i < 40 || i < 400 && (unfinishedOnes == 0 || len(versions) < 2); i++ { // a slow machine needs more
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), installing+"="+strings.Join([]string{r.Dir(), next, old}, string(filepath.ListSeparator)))
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10*time.Millisecond + time.Duration(rng.IntN(100_000+i*2000))*time.Microsecond)
		c.Process.Kill()
		c.Wait()
		p, err := r.Info("turbine")
		if err != nil || r.Verify() != nil {
			t.Fatalf("%+v, %v, %v; there are %s", p, err, r.Verify(), entries(t, r))
		}
		versions[p.Version]++
		if strings.Contains(entries(t, r), unfinished) {
			unfinishedOnes++
		}
	}
	if unfinishedOnes == 0 || len(versions) != 2 {
		t.Errorf("%d installations were cut off, and left %v", unfinishedOnes, versions)
	}
	if _, err := r.Install(t.Context(), next, InstallOptions{AllowUnsigned: []string{"turbine"}, Replace: true}); err != nil {
		t.Fatal(err)
	}
	if err := r.Remove("turbine"); err != nil || entries(t, r) != ".lock "+LockFile {
		t.Errorf("%v, there are %s", err, entries(t, r))
	}
}
