package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/internal/gosource"
)

// A binary holds a package's tests and all mistakes that compile.
type binary struct {
	path    string
	dir     string // where the tests run
	mutants []*mutant
	rapid   bool // its tests use pgregory.net/rapid, which would leave a file beside them for each failure
}

// usesRapid looks for rapid in the tests of a package.
func usesRapid(dir string) bool {
	tests, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	return slices.ContainsFunc(tests, func(path string) bool {
		text, _ := os.ReadFile(path)
		return bytes.Contains(text, []byte(`"pgregory.net/rapid"`))
	})
}

// testsOf is where the tests of a package are: beside it, or, for a room without any, with the package whose room it
// is.
func testsOf(dir string) string {
	door, _, room := strings.Cut(dir, string(filepath.Separator)+"internal"+string(filepath.Separator))
	if own, _ := filepath.Glob(filepath.Join(dir, "*_test.go")); room && len(own) == 0 {
		return door
	}
	return dir
}

// build compiles the mistakes in dir. Those that do not compile are left out: the compiler says where they are.
func build(ctx context.Context, dir string, pkg *gosource.Package, mutants []*mutant) (*binary, error) {
	tests := testsOf(pkg.Dir)
	b := &binary{path: filepath.Join(dir, "tests"), dir: tests, mutants: mutants, rapid: usesRapid(tests)}
	for {
		woven, err := overlay(dir, pkg, b.mutants)
		if err != nil {
			return nil, err
		}
		command := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-gcflags=-e", "-overlay",
			filepath.Join(dir, "overlay"),
			"-o", b.path, ".")
		command.Dir = tests
		out, err := command.CombinedOutput()
		if err == nil {
			return b, nil
		}
		wrong := misfits(woven, out)
		if len(wrong) == 0 || ctx.Err() != nil {
			return nil, fmt.Errorf("go test -c %s: %w\n%s", pkg.Path, err, out)
		}
		b.mutants = slices.DeleteFunc(slices.Clone(b.mutants), func(m *mutant) bool { return wrong[m.id] })
	}
}

// overlay writes the woven files, and what leads the go command to them. It returns them by their names in the package.
func overlay(dir string, pkg *gosource.Package, mutants []*mutant) (map[string]string, error) {
	replace, woven := map[string]string{}, map[string]string{}
	write := func(name, text string) error {
		path := filepath.Join(dir, name)
		replace[filepath.Join(pkg.Dir, name)], woven[name] = path, text
		return os.WriteFile(path, []byte(text), 0o600)
	}
	if err := write("mutant_switches.go", fmt.Sprintf(switches, pkg.Types.Name())); err != nil {
		return nil, err
	}
	for _, f := range pkg.Files {
		text, err := weave(f, mutants)
		if err != nil {
			return nil, err
		}
		if err := write(f.Name, text); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	return woven, os.WriteFile(filepath.Join(dir, "overlay"), text, 0o600)
}

var (
	compileError = regexp.MustCompile(`(?m)^(?:\./)?([^\s:]+\.go):(\d+):(\d+): `)
	switchCall   = regexp.MustCompile(`mutant\((\d+)\)`)
)

// misfits are the mistakes that the compiler complains of: the last switch before each error.
func misfits(woven map[string]string, output []byte) map[int]bool {
	wrong := map[int]bool{}
	for _, e := range compileError.FindAllSubmatch(bytes.TrimSpace(output), -1) {
		text, ok := woven[filepath.Base(string(e[1]))]
		if !ok {
			continue
		}
		line, _ := strconv.Atoi(string(e[2]))
		column, _ := strconv.Atoi(string(e[3]))
		lines := strings.SplitAfter(text, "\n")
		if line > len(lines) || column > len(lines[line-1])+1 {
			continue
		}
		before := strings.Join(lines[:line-1], "") + lines[line-1][:column-1]
		if calls := switchCall.FindAllStringSubmatch(before, -1); len(calls) > 0 {
			id, _ := strconv.Atoi(calls[len(calls)-1][1])
			wrong[id] = true
		}
	}
	return wrong
}
