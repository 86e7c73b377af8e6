package pack

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/distribution/archive"
	"github.com/penstock-db/penstock/internal/distribution/archive/archivetest"
	"github.com/penstock-db/penstock/internal/distribution/manifest"
)

const source = `# as its maker writes it
name: turbine
version: 1.2.0
protocol: {min: 1, max: 1}
platforms:
  linux/amd64: {file: build/amd64/turbine, include: [build/amd64/lib]}
  linux/arm64: {file: build/arm64/turbine}
include: [LICENSE, "docs/*"]
`

var files = map[string]string{
	"plugin.yaml": source, "LICENSE": "do as you please", "docs/a.md": "A", "docs/b.md": "B", "docs/more/c.md": "C",
	"build/amd64/turbine": "a program for amd64", "build/amd64/lib/libx.so.1": "a library", "build/arm64/turbine": "one for arm64",
	"secret.key": "nobody's business",
}

// folder is that of a plugin, as its maker has it.
func folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func packed(t testing.TB, dir string, platforms ...string) []Made {
	t.Helper()
	m, err := manifest.ReadSource(dir)
	if err != nil {
		t.Fatal(err)
	}
	made, err := Pack(dir, t.TempDir(), m, platforms)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func open(t testing.TB, path string) io.Reader {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(text)
}

// A package is unpacked to what its platform needs, and no more.
func TestPack_Unpack(t *testing.T) {
	dir := folder(t)
	made := packed(t, dir, "linux/amd64", "linux/arm64")
	for i, want := range [][]string{
		{"LICENSE", "build/amd64/lib/libx.so.1", "build/amd64/turbine", "docs/a.md", "docs/b.md", "docs/more/c.md", "plugin.yaml"},
		{"LICENSE", "build/arm64/turbine", "docs/a.md", "docs/b.md", "docs/more/c.md", "plugin.yaml"},
	} {
		if name := filepath.Base(made[i].Path); name != "turbine_1.2.0_"+strings.ReplaceAll(made[i].Platform, "/", "_")+".tar.zst" {
			t.Errorf("it is called %s", name)
		}
		text, _ := os.ReadFile(made[i].Path)
		digest := sha256.Sum256(text)
		if hex.EncodeToString(digest[:]) != made[i].SHA256 || int64(len(text)) != made[i].Bytes {
			t.Errorf("%+v", made[i])
		}
		into := t.TempDir()
		unpacked, err := Unpack(context.Background(), open(t, made[i].Path), into, archive.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		if got := list(into); !slices.Equal(got, want) {
			t.Errorf("unpacked %q, not %q", got, want)
		}
		for _, name := range want[:len(want)-1] {
			text, err := os.ReadFile(filepath.Join(into, name))
			info, _ := os.Stat(filepath.Join(into, name))
			program := name == unpacked.Manifest.Platforms[made[i].Platform].File
			if err != nil || string(text) != files[name] || (info.Mode()&0o100 != 0) != program {
				t.Errorf("%s: %q %v, %v", name, text, info.Mode(), err)
			}
		}
		again, err := Read(into, unpacked.SHA256)
		if err != nil || Names(into, again) != nil {
			t.Errorf("%v, %v", err, Names(into, again))
		}
		for _, platform := range []string{"linux/amd64", "linux/arm64"} { // all platforms' programs are known
			digest := sha256.Sum256([]byte(files[unpacked.Manifest.Platforms[platform].File]))
			if unpacked.Manifest.Platforms[platform].SHA256 != hex.EncodeToString(digest[:]) {
				t.Errorf("%+v", unpacked.Manifest.Platforms)
			}
		}
		if seen, err := Inspect(context.Background(), open(t, made[i].Path)); err != nil || seen.SHA256 != unpacked.SHA256 {
			t.Errorf("%+v, %v", seen, err)
		}
	}
}

func list(dir string) (names []string) {
	filepath.WalkDir(dir, func(path string, entry os.DirEntry, _ error) error {
		if name, _ := filepath.Rel(dir, path); !entry.IsDir() {
			names = append(names, name)
		}
		return nil
	})
	return names
}

// Times, owners' modes and places of files do not count.
func TestPack_SameBytes(t *testing.T) {
	once, again := folder(t), folder(t)
	for name := range files {
		path := filepath.Join(again, name)
		if err := errors.Join(os.Chtimes(path, time.Now(), time.Unix(12345, 678)), os.Chmod(path, 0o640)); err != nil {
			t.Fatal(err)
		}
	}
	a, b := packed(t, once, "linux/amd64")[0], packed(t, again, "linux/amd64")[0]
	if a.SHA256 != b.SHA256 {
		t.Errorf("%+v and %+v", a, b)
	}
	if err := os.WriteFile(filepath.Join(again, "LICENSE"), []byte("do as we please"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c := packed(t, again, "linux/amd64")[0]; c.SHA256 == b.SHA256 {
		t.Error("another license makes no other package")
	}
}

// pipe makes one, which nobody writes to.
func pipe(path string) {
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		panic(err)
	}
}

func TestPack_Refuses(t *testing.T) {
	for says, edit := range map[string]func(dir string, m *manifest.Manifest){
		"no such file or directory": func(dir string, _ *manifest.Manifest) { os.Remove(filepath.Join(dir, "build/arm64/turbine")) },
		"there is no such file":     func(_ string, m *manifest.Manifest) { m.Include = []string{"NOTICE"} },
		"no semantic version":       func(_ string, m *manifest.Manifest) { m.Version = "1.2" },
		"it is no file": func(dir string, _ *manifest.Manifest) {
			os.Remove(filepath.Join(dir, "build/amd64/turbine"))
			os.Mkdir(filepath.Join(dir, "build/amd64/turbine"), 0o700)
		},
		"but the manifest says": func(_ string, m *manifest.Manifest) {
			m.Platforms["linux/amd64"] = manifest.Program{File: "build/amd64/turbine", SHA256: strings.Repeat("0", 64)}
		},
		"docs/keys: it leads out of the plugin's folder": func(dir string, _ *manifest.Manifest) {
			os.Symlink("/etc/passwd", filepath.Join(dir, "docs/keys"))
		},
		"docs/pipe: it is no file": func(dir string, _ *manifest.Manifest) { pipe(filepath.Join(dir, "docs/pipe")) },
		"more than 4294967296 bytes": func(dir string, _ *manifest.Manifest) {
			os.WriteFile(filepath.Join(dir, "docs/long"), nil, 0o600)
			os.Truncate(filepath.Join(dir, "docs/long"), archive.DefaultLimits.Bytes+1)
		},
		`has "ß.md"`: func(dir string, _ *manifest.Manifest) {
			os.WriteFile(filepath.Join(dir, "docs/ß.md"), nil, 0o600)
		},
	} {
		dir, out := folder(t), t.TempDir()
		m, err := manifest.ReadSource(dir)
		if err != nil {
			t.Fatal(err)
		}
		edit(dir, m)
		if _, err := Pack(dir, out, m, []string{"linux/amd64"}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
		if left := list(out); len(left) > 0 {
			t.Errorf("%s: %q are left", says, left)
		}
	}
}

// forged is a package with any manifest, and any files.
func forged(t testing.TB, first string, others map[string]string) []byte {
	t.Helper()
	as := func(name, text string) archive.File {
		return archive.File{Name: name, Size: int64(len(text)), Executable: name == "turbine",
			Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
	}
	var all []archive.File
	for name, text := range others {
		all = append(all, as(name, text))
	}
	var b bytes.Buffer
	name, text, _ := strings.Cut(first, "\n")
	if err := archive.Write(&b, as(name, text), all); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func contents(files map[string]string) string {
	text := "plugin.yaml\nname: turbine\nversion: 1.0.0\nprotocol: {min: 1, max: 1}\n" +
		fmt.Sprintf("platforms: {linux/amd64: {file: turbine, sha256: %x}}\n", sha256.Sum256([]byte(files["turbine"]))) +
		"package:\n  platform: linux/amd64\n  contents:\n"
	for name, content := range files {
		text += fmt.Sprintf("    %s: {size: %d, sha256: %x, executable: %v}\n", name, len(content), sha256.Sum256([]byte(content)), name == "turbine")
	}
	return text
}

func TestUnpack_Refuses(t *testing.T) {
	good := map[string]string{"turbine": "a program", "a/license": "yes"}
	unpacked := func(packed []byte) error {
		_, err := Unpack(context.Background(), bytes.NewReader(packed), t.TempDir(), archive.DefaultLimits)
		return err
	}
	if err := unpacked(forged(t, contents(good), good)); err != nil {
		t.Fatal(err)
	}
	for says, packed := range map[string][]byte{
		"its first file is": forged(t, "other.yaml\n", good),
		`"package": is missing`: forged(t,
			"plugin.yaml\nname: turbine\nversion: 1.0.0\nprotocol: {min: 1, max: 1}\nplatforms: {linux/amd64: {file: turbine}}\n", good),
		"the package does not have it":  forged(t, contents(good), map[string]string{"turbine": "a program"}),
		"the manifest does not name it": forged(t, contents(good), map[string]string{"turbine": "a program", "a/license": "yes", "more": ""}),
		"it has SHA-256":                forged(t, contents(good), map[string]string{"turbine": "b program", "a/license": "yes"}),
		"it has 10 bytes":               forged(t, contents(good), map[string]string{"turbine": "a program!", "a/license": "yes"}),
		"a sha256 must be":              forged(t, strings.Replace(contents(good), "sha256: ", "sha256: a ", 1), good),
	} {
		err := unpacked(packed)
		if err == nil || !strings.Contains(err.Error(), strings.TrimPrefix(says, "a ")) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// Names finds what somebody has put beside the files of a package, or in their place.
func TestNames(t *testing.T) {
	for says, change := range map[string]func(dir string) error{
		"somebody has put it there": func(dir string) error { return os.WriteFile(filepath.Join(dir, "libc.so.6"), nil, 0o600) },
		"it is gone":                func(dir string) error { return os.Remove(filepath.Join(dir, "LICENSE")) },
		"it is no file any more": func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "LICENSE")), os.Symlink("/etc/passwd", filepath.Join(dir, "LICENSE")))
		},
	} {
		into := t.TempDir()
		unpacked, err := Unpack(context.Background(), open(t, packed(t, folder(t), "linux/amd64")[0].Path), into, archive.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		if err := change(into); err != nil {
			t.Fatal(err)
		}
		var wrong *ContentError
		if err := Names(into, unpacked.Manifest); !errors.As(err, &wrong) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// Whatever a package is, nothing is written outside of its folder, and what is there is what its manifest says.
func FuzzUnpack(f *testing.F) {
	good := map[string]string{"turbine": "a program", "a/license": "yes"}
	f.Add([]byte(contents(good)), "turbine", "a program", "a/license", "yes")
	f.Add([]byte(contents(map[string]string{"a": "", "turbine": ""})), "turbine", "", "a", "")
	f.Add([]byte(contents(map[string]string{"../x": "", "turbine": ""})), "turbine", "", "../x", "")
	f.Fuzz(func(t *testing.T, text []byte, name1, content1, name2, content2 string) {
		outside := t.TempDir()
		into := filepath.Join(outside, "a", "b")
		if err := os.MkdirAll(into, 0o700); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, f := range [][2]string{{"plugin.yaml", strings.TrimPrefix(string(text), "plugin.yaml\n")}, {name1, content1}, {name2, content2}} {
			if w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: f[0], Size: int64(len(f[1]))}) != nil {
				return
			}
			if _, err := w.Write([]byte(f[1])); err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
		packed := bytes.NewReader(archivetest.Stored(b.Bytes()))
		unpacked, err := Unpack(context.Background(), packed, into, archive.Limits{Files: 10, Bytes: 1 << 20})
		if err == nil && Names(into, unpacked.Manifest) != nil {
			t.Errorf("unpacked %q", list(into))
		}
		for _, name := range list(outside) {
			if !strings.HasPrefix(name, "a/b/") {
				t.Errorf("written outside: %s", name)
			}
		}
	})
}
