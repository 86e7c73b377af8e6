// Drawing names the tests that have more to do without the race detector: those that draw their cases, or leave out
// much, by package long or package plugintest, and those that ask whether the detector is there.
//
//	go run ./internal/long/drawing PATTERN ...             a line for each package with such tests: what `go test` takes
//	go run ./internal/long/drawing -unraced PATTERN ...    only those that leave something out under the detector
//
// A test draws if it does so by itself or through what its package's test files declare. It is read as syntax: a method
// counts by its name alone, so that a test too many may be named, but none is missed that its own package's files show.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	unraced := flag.Bool("unraced", false, "only tests that are left out under the race detector")
	flag.Parse()
	if err := run(os.Stdout, *unraced, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "drawing:", err)
		os.Exit(1)
	}
}

// listed is what `go list -json` says of a package.
type listed struct {
	Dir          string
	ImportPath   string
	TestGoFiles  []string
	XTestGoFiles []string
}

// run writes, for each package that has such tests, `-run=^(…)$` and its import path.
func run(w io.Writer, unraced bool, patterns []string) error {
	args := append([]string{"list", "-json=Dir,ImportPath,TestGoFiles,XTestGoFiles", "--"}, patterns...)
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		var files []*ast.File
		for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			files = append(files, file)
		}
		if tests := drawing(files, unraced); len(tests) > 0 {
			fmt.Fprintf(w, "-run=^(%s)$ %s\n", strings.Join(tests, "|"), p.ImportPath)
		}
	}
}

// drawing are the tests in a package's test files that draw, sorted.
func drawing(files []*ast.File, unraced bool) []string {
	uses := map[string]map[string]bool{} // by what is declared: the names it uses
	for _, file := range files {
		for _, d := range file.Decls {
			for name, part := range declared(d) {
				if uses[name] == nil {
					uses[name] = map[string]bool{}
				}
				used(part, uses[name])
			}
		}
	}
	draws := map[string]bool{}
	for changed := true; changed; {
		changed = false
		for name, used := range uses {
			for use := range used {
				if !draws[name] && (draws[use] || marks(use, unraced)) {
					draws[name], changed = true, true
				}
			}
		}
	}
	var tests []string
	for name := range draws {
		if strings.HasPrefix(name, "Test") && name != "TestMain" {
			tests = append(tests, name)
		}
	}
	slices.Sort(tests)
	return tests
}

// declared are the functions, methods, variables and constants of a declaration, by name; types use nothing.
func declared(d ast.Decl) map[string]ast.Node {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return map[string]ast.Node{d.Name.Name: d}
	case *ast.GenDecl:
		parts := map[string]ast.Node{}
		for _, spec := range d.Specs {
			if values, ok := spec.(*ast.ValueSpec); ok {
				for _, name := range values.Names {
					parts[name.Name] = values
				}
			}
		}
		return parts
	}
	return nil
}

// used adds the names that are used in a part: of functions and variables, of methods, and qualified by a package.
func used(part ast.Node, names map[string]bool) {
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			names[n.Sel.Name] = true
			if of, ok := n.X.(*ast.Ident); ok {
				names[of.Name+"."+n.Sel.Name] = true
			}
		case *ast.FuncDecl:
			if n.Body != nil {
				used(n.Body, names)
			}
			return false
		case *ast.Ident:
			names[n.Name] = true
		}
		return true
	})
}

// marks says whether whoever uses a name has more to do without the race detector.
func marks(name string, unraced bool) bool {
	return name == "long.Unraced" || name == "long.Raced" || name == "race" ||
		!unraced && (strings.HasPrefix(name, "long.") || strings.HasPrefix(name, "plugintest.Run"))
}
