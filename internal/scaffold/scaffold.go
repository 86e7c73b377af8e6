// Package scaffold makes the module of a new plugin: a copy of an example that is tested here, under names of its own.
//
//	examples.Files ──names replaced──▶ DIR/main.go, main_test.go …
//	penstock's go.mod, go.sum ────────▶ DIR/go.mod, go.sum: builds without asking a network
//	name, platform ───────────────────▶ DIR/plugin.yaml, README.md, .gitignore
//
// What is there is never written over.
package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/examples"
)

// Kind is what a plugin is to be.
type Kind string

// The kinds.
const (
	Algorithm Kind = "algorithm"
	Device    Kind = "device"
)

// Plugin is what is to be made.
type Plugin struct {
	Kind   Kind
	Table  bool   // the result of its algorithm has rows that are no vertices
	Name   string // of the plugin, and of its algorithm
	Dir    string // a folder that is not there yet, or empty
	Module string // path of the module; empty: Name
	// Source is the folder of Penstock's own source, which the module is built with. Empty: Version is.
	Source  string
	Version string // a released one, such as v1.2.0
}

// validName is what plugins and algorithms may both be called.
var validName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// Make writes the module: all of it, or nothing.
//
// Errors: *NameError, *ExistsError, *SourceError, those of writing.
func Make(p Plugin) error {
	if err := p.check(); err != nil {
		return err
	}
	if p.Module == "" {
		p.Module = p.Name
	}
	files, err := p.sources()
	if err != nil {
		return err
	}
	if files["go.mod"], files["go.sum"], err = p.modules(); err != nil {
		return err
	}
	files["plugin.yaml"] = fmt.Sprintf(manifestText, p.Name, runtime.GOOS, runtime.GOARCH, p.Name)
	files["README.md"] = p.readme()
	files[".gitignore"] = fmt.Sprintf("/%s\n/*.tar.zst\n", p.Name)
	return p.write(files)
}

func (p Plugin) check() error {
	if p.Kind != Algorithm && p.Kind != Device {
		return &NameError{What: "kind", Name: string(p.Kind), Reason: "expected algorithm or device"}
	}
	if len(p.Name) > 64 || !validName.MatchString(p.Name) {
		return &NameError{What: "name", Name: p.Name, Reason: "use lower-case letters, digits and single hyphens, 64 at most"}
	}
	if p.Table && p.Kind != Algorithm {
		return &NameError{What: "kind", Name: string(p.Kind), Reason: "tables are what algorithms give"}
	}
	if p.Name == "cpu" || p.Name == "npu" || p.Name == "auto" {
		return &NameError{What: "name", Name: p.Name, Reason: "that device is built in"}
	}
	if _, err := catalog.Lookup(p.Name); err == nil && p.Kind == Algorithm {
		return &NameError{What: "name", Name: p.Name, Reason: "that algorithm is built in"}
	}
	return nil
}

// write writes the files beside the folder, and then renames: it has all of them or is not there.
func (p Plugin) write(files map[string]string) error {
	entries, err := os.ReadDir(p.Dir)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case len(entries) > 0:
		return &ExistsError{Dir: p.Dir}
	}
	above := filepath.Dir(filepath.Clean(p.Dir))
	if err := os.MkdirAll(above, 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(above, ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	for name, text := range files {
		file := filepath.Join(temp, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			return err
		}
	}
	if err := os.Chmod(temp, 0o755); err != nil {
		return err
	}
	_ = os.Remove(p.Dir) // an empty folder is in the way; where it stays, Rename says so
	return os.Rename(temp, p.Dir)
}

// sources are those of the example, with other names.
func (p Plugin) sources() (map[string]string, error) {
	const here = "github.com/penstock-db/penstock/examples/plugin/reference"
	folder, names := "algorithm", []string{`"neighbors"`, `"` + p.Name + `"`, `"neighbor-degree"`, `"` + p.Name + `"`}
	switch {
	case p.Table:
		folder, names = "ties", []string{`"ties"`, `"` + p.Name + `"`, `"tie-overlap"`, `"` + p.Name + `"`}
	case p.Kind == Device:
		folder, names = "plugin", []string{here, p.Module + "/reference", `name = "reference"`, `name = "` + p.Name + `"`}
	}
	files, replace := map[string]string{}, strings.NewReplacer(names...)
	err := fs.WalkDir(examples.Files, folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := examples.Files.ReadFile(file)
		name, _ := strings.CutPrefix(file, folder+"/")
		files[name] = replace.Replace(string(text))
		if name == "main.go" {
			_, after, _ := strings.Cut(files[name], "\npackage main\n")
			files[name] = p.comment() + "package main\n" + after
		}
		return err
	})
	return files, err
}

// comment is that of package main.
func (p Plugin) comment() string {
	what := "brings an algorithm"
	if p.Kind == Device {
		what = "is a device"
	}
	return fmt.Sprintf("// %s is a plugin of Penstock that %s: see README.md.\n", path.Base(p.Module), what)
}

const manifestText = `name: %s
version: 1.0.0                  # as main.go says
protocol: {min: 1, max: 1}      # versions of the contract
platforms:
  %s/%s: {file: %s}
`

func (p Plugin) readme() string {
	run, docs := p.Name, "algorithms.md"
	if p.Kind == Device {
		run, docs = "pagerank --device "+p.Name, "../plugins.md"
	}
	return fmt.Sprintf(`# %s

A plugin of Penstock. What it computes is an example: replace it, and the oracle in the test.

    go test ./...                                        # against the oracle, on random graphs
    go build -o %[1]s .
    penstock plugin install ./%[1]s
    penstock run --db DIR --graph GRAPH %[2]s
    penstock plugin pack                                 # for others

See docs/plugins/%[3]s of Penstock.
`, p.Name, run, docs)
}
