package scaffold

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// penstock is the module that a plugin needs.
const penstock = "github.com/penstock-db/penstock"

// modules are go.mod and go.sum. With a source they name all that Penstock itself needs, so that nothing has to be
// looked up; with a released version, the go command does that.
func (p Plugin) modules() (mod, sum string, err error) {
	if p.Source == "" {
		return fmt.Sprintf("module %s\n\ngo %s\n\nrequire %s %s\n", p.Module, goVersion(), penstock, p.Version), "", nil
	}
	theirs, err := readModule(p.Source)
	if err != nil {
		return "", "", err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "module %s\n\ngo %s\n\nrequire %s v0.0.0\n\n// Its own source, as long as no version is released.\nreplace %s => %s\n\nrequire (\n",
		p.Module, theirs.Go.Version, penstock, penstock, modfile.AutoQuote(p.Source))
	for _, r := range theirs.Require {
		fmt.Fprintf(&text, "\t%s %s // indirect\n", r.Mod.Path, r.Mod.Version)
	}
	text.WriteString(")\n")
	bytes, err := os.ReadFile(filepath.Join(p.Source, "go.sum"))
	return text.String(), string(bytes), err
}

// readModule reads the go.mod of Penstock's source.
func readModule(folder string) (*modfile.File, error) {
	file := filepath.Join(folder, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &SourceError{Dir: folder, Err: err}
	}
	mod, err := modfile.ParseLax(file, text, nil)
	switch {
	case err != nil:
		return nil, &SourceError{Dir: folder, Err: err}
	case mod.Module == nil || mod.Module.Mod.Path != penstock || mod.Go == nil:
		return nil, &SourceError{Dir: folder, Err: fmt.Errorf("its go.mod is not that of %s", penstock)}
	}
	return mod, nil
}

// goVersion is that of the language which this program was built with.
func goVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "1.26"
	}
	return strings.TrimPrefix(info.GoVersion, "go")
}

// Released is the version of this program, if it is one that everybody can get; empty: it is not.
func Released() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || !semver.IsValid(info.Main.Version) || semver.Build(info.Main.Version) != "" ||
		strings.Contains(info.Main.Version, "-0.") { // a commit, which need not be published
		return ""
	}
	return info.Main.Version
}

// FindSource looks for Penstock's source in a folder, and in those above it. Empty: it is not there.
func FindSource(folder string) string {
	for {
		if isSource(filepath.Join(folder, "go.mod")) {
			return folder
		}
		above := filepath.Dir(folder)
		if above == folder {
			return ""
		}
		folder = above
	}
}

// isSource tells Penstock's go.mod, by its first line.
func isSource(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	return lines.Scan() && strings.TrimSpace(lines.Text()) == "module "+penstock
}
