package manifest

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/confine"
)

var digest = strings.Repeat("0a", 32)

// packed is a manifest as there is in a package.
func packed() *Manifest {
	return &Manifest{
		Format: Format, Name: "turbine", Version: "1.2.0", Kind: KindDevice, Summary: "a device: \"mine\"", Protocol: Protocol{1, 1},
		Platforms: map[string]Program{"linux/amd64": {File: "bin/turbine", SHA256: digest}, "plan9/mips": {File: "other",
			SHA256: strings.ToUpper(digest)}},
		Permissions: confine.Grants{Hardware: []string{"nvidia"}, Read: []string{"/etc/turbine"}},
		Include:     []string{"LICENSE", "lib/*.so"},
		Package: &Package{Platform: "linux/amd64", Contents: map[string]Content{"bin/turbine": {Size: 7, SHA256: digest, Executable: true},
			"LICENSE": {Size: 0, SHA256: digest}}},
	}
}

// What is written is read again, as the same.
func TestText(t *testing.T) {
	m := packed()
	text, err := m.Text()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse(text, File, true)
	if err != nil || !reflect.DeepEqual(again, m) {
		t.Fatalf("%v\n%s", err, text)
	}
	if !strings.HasPrefix(string(text), "manifest: 1\nname: turbine\nversion: 1.2.0\n") {
		t.Errorf("it does not look like YAML:\n%s", text)
	}
}

func TestParse_NamesTheWrongField(t *testing.T) {
	for field, spoil := range map[string]func(*Manifest){
		"manifest":  func(m *Manifest) { m.Format = 2 },
		"name":      func(m *Manifest) { m.Name = "../turbine" },
		"version":   func(m *Manifest) { m.Version = "" },
		"summary":   func(m *Manifest) { m.Summary = "\x1b[2J" },
		"license":   func(m *Manifest) { m.License = "yours\nand mine" },
		"kind":      func(m *Manifest) { m.Kind = "toaster" },
		"protocol":  func(m *Manifest) { m.Protocol = Protocol{2, 1} },
		"platforms": func(m *Manifest) { m.Platforms = nil },
		"platforms/linux/amd64": func(m *Manifest) {
			m.Platforms["linux/amd64"] = Program{File: "../../bin/sh", SHA256: digest}
		},
		"platforms/plan9/mips":         func(m *Manifest) { m.Platforms["plan9/mips"] = Program{File: "other", SHA256: "0a"} },
		"platforms/../x":               func(m *Manifest) { m.Platforms["../x"] = Program{File: "other", SHA256: digest} },
		"include":                      func(m *Manifest) { m.Include = []string{"../*"} },
		"permissions":                  func(m *Manifest) { m.Permissions.Hardware = []string{"abacus"} },
		"package/platform":             func(m *Manifest) { m.Package.Platform = "linux/arm64" },
		"package/contents/../x":        func(m *Manifest) { m.Package.Contents["../x"] = Content{SHA256: digest} },
		"package/contents/plugin.yaml": func(m *Manifest) { m.Package.Contents[File] = Content{SHA256: digest} },
		"package/contents/LICENSE":     func(m *Manifest) { m.Package.Contents["LICENSE"] = Content{Size: -1, SHA256: digest} },
		"package/contents/bin/turbine": func(m *Manifest) { delete(m.Package.Contents, "bin/turbine") },
	} {
		m := packed()
		spoil(m)
		text, err := m.Text()
		if err != nil {
			t.Fatal(err)
		}
		var wrong *Error
		if _, err := Parse(text, "a/file", false); !errors.As(err, &wrong) || wrong.Field != field || wrong.File != "a/file" {
			t.Errorf("%s: error %v", field, err)
		}
	}
	if _, err := Parse([]byte("version: 1.2\n"), File, false); err == nil || !strings.Contains(err.Error(), "put it in quotes") {
		t.Errorf("a version that is a number: %v", err)
	}
}

func TestParse_RefusesWhatIsNoManifest(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "a list": "- 1", "two keys": "name: a\nname: b\n", "broken": "name: [", "binary": "\x7fELF\x00",
		"aliases": "name: &a x\nversion: *a\n", "merged": "<<: {name: x}\n", "deep": strings.Repeat("[", 100) + strings.Repeat("]", 100),
	} {
		var wrong *Error
		if _, err := Parse([]byte(text), File, false); !errors.As(err, &wrong) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A maker is told of fields that nobody knows; whoever installs what is newer goes without.
func TestParse_UnknownFields(t *testing.T) {
	text := "name: x\nversion: '1'\nprotocol: {min: 1, max: 1}\nplatforms: {linux/amd64: {file: x}}\npermission: {network: true}\n"
	if _, err := Parse([]byte(text), File, false); err != nil {
		t.Error(err)
	}
	var wrong *Error
	if _, err := Parse([]byte(text), File, true); !errors.As(err, &wrong) || !strings.Contains(err.Error(), `"permission"`) {
		t.Error(err)
	}
}

func TestReadFolder(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadFolder(dir); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), JSONFile) {
		t.Errorf("an empty folder: %v", err)
	}
	json := "{\n\t\"name\": \"x\", \"version\": \"1\", \"kind\": \"device\", \"protocol\": {\"min\": 1, \"max\": 1},\n\t\"platforms\": {\"linux/amd64\": {\"file\": \"x\"}}}"
	os.WriteFile(filepath.Join(dir, JSONFile), []byte(json), 0o600)
	if m, err := ReadFolder(dir); err != nil || m.Name != "x" {
		t.Errorf("JSON, with tabs: %v", err)
	}
	os.WriteFile(filepath.Join(dir, File), []byte(strings.Replace(json, `"x"`, `"y"`, 1)), 0o600)
	if m, err := ReadFolder(dir); err != nil || m.Name != "y" {
		t.Errorf("YAML goes first: %v", err)
	}
	os.Truncate(filepath.Join(dir, File), MaxBytes+1)
	var wrong *Error
	if _, err := ReadFolder(dir); !errors.As(err, &wrong) {
		t.Errorf("a huge one: %v", err)
	}
}

func TestSpeaks(t *testing.T) {
	for _, p := range []Protocol{{2, 9}, {0, 0}} {
		m := &Manifest{Name: "x", Version: "1", Protocol: p}
		var wrong *ProtocolError
		if err := m.Speaks(); !errors.As(err, &wrong) || wrong.Protocol != p {
			t.Error(err)
		}
	}
	if err := (&Manifest{Protocol: Protocol{0, 2}}).Speaks(); err != nil {
		t.Error(err)
	}
}

// Whatever is accepted stays in the plugin's folder, and is read again as it was.
func FuzzParse(f *testing.F) {
	text, err := packed().Text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"name":"turbine","version":"1","kind":"device","protocol":{"min":1,"max":1},"platforms":{"linux/amd64":{"file":"turbine"}}}`))
	f.Add([]byte(`{"platforms":{"":{"file":"../x"}}}`))
	f.Add([]byte("a: &a [x]\nb: [*a, *a]\n<<: *a\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Parse(text, File, false)
		if err != nil {
			if !errors.As(err, new(*Error)) {
				t.Errorf("error %T: %v", err, err)
			}
			return
		}
		for _, program := range m.Platforms {
			if !filepath.IsLocal(program.File) {
				t.Errorf("accepted %+v", program)
			}
		}
		if m.Package != nil {
			for name := range m.Package.Contents {
				if !filepath.IsLocal(name) {
					t.Errorf("accepted %q", name)
				}
			}
		}
		again, err := m.Text()
		if err != nil {
			t.Fatal(err)
		}
		if n, err := Parse(again, File, true); err != nil || n.Name != m.Name || n.Version != m.Version {
			t.Errorf("%v\n%s", err, again)
		}
	})
}
