// Package gosource reads the packages of a Go module as syntax and types, without building anything: `go list` names
// the packages and all that they import, go/parser reads their files, and go/types checks them in the order of their
// imports. Function bodies are checked for the listed packages only. Test files are left out.
package gosource

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Package is one listed package, checked.
type Package struct {
	Path  string // import path
	Dir   string // folder, absolute
	Files []*File
	Types *types.Package
	Info  *types.Info
}

// A File is one source file of a package.
type File struct {
	Name      string // base name
	Path      string // absolute
	Syntax    *ast.File
	Generated bool // says "Code generated … DO NOT EDIT."
}

// A Module is what Load reads.
type Module struct {
	Path     string // module path
	Dir      string // folder of its go.mod
	Fset     *token.FileSet
	Packages []*Package // in the order of their imports: a package comes after those that it imports
}

// listed is what `go list -json` says of a package.
type listed struct {
	Dir        string
	ImportPath string
	GoFiles    []string
	CgoFiles   []string
	ImportMap  map[string]string
	DepOnly    bool
	Module     *struct{ Path, Dir string }
	Error      *struct{ Err string }
}

// Load reads the packages that match patterns in the module at dir. A package that cannot be parsed or checked is an
// error.
func Load(dir string, patterns ...string) (*Module, error) { return load(dir, "0", patterns) }

// LoadCgo is Load with files that need cgo. They are checked as they are written, without a C compiler: what they
// name in C has no type, and errors of types are not reported in a module that has such files: some would follow.
func LoadCgo(dir string, patterns ...string) (*Module, error) { return load(dir, "1", patterns) }

func load(dir, cgo string, patterns []string) (*Module, error) {
	packages, err := list(dir, cgo, patterns)
	if err != nil {
		return nil, err
	}
	module := &Module{Fset: token.NewFileSet()}
	checked := imports{"unsafe": types.Unsafe}
	lenient := slices.ContainsFunc(packages, func(p *listed) bool { return !p.DepOnly && len(p.CgoFiles) > 0 })
	for _, p := range packages {
		if p.ImportPath == "unsafe" {
			continue
		}
		pkg, err := check(module.Fset, p, checked, lenient || p.DepOnly)
		if err != nil {
			return nil, err
		}
		checked[p.ImportPath] = pkg.Types
		if p.DepOnly {
			continue
		}
		if module.Path == "" && p.Module != nil {
			module.Path, module.Dir = p.Module.Path, p.Module.Dir
		}
		module.Packages = append(module.Packages, pkg)
	}
	if len(module.Packages) == 0 {
		return nil, fmt.Errorf("%s: no package matches %s", dir, strings.Join(patterns, " "))
	}
	return module, nil
}

// list asks the go command for the packages and their imports. Without cgo, "0", every package is plain Go.
func list(dir, cgo string, patterns []string) ([]*listed, error) {
	args := []string{"list", "-deps", "-json=Dir,ImportPath,GoFiles,CgoFiles,ImportMap,DepOnly,Module,Error", "--"}
	command := exec.Command("go", append(args, patterns...)...)
	command.Dir = dir
	command.Env = append(os.Environ(), "CGO_ENABLED="+cgo, "GOWORK=off")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list in %s: %w\n%s", dir, err, stderr.Bytes())
	}
	var all []*listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := decoder.Decode(p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list in %s: %w", dir, err)
		}
		if p.Error != nil && !p.DepOnly {
			return nil, fmt.Errorf("%s: %s", p.ImportPath, p.Error.Err)
		}
		all = append(all, p)
	}
}

// imports are the packages that are checked so far, by import path.
type imports map[string]*types.Package

// within resolves the imports of one package.
type within struct {
	imports
	names map[string]string // import path as written → as listed (vendored packages)
}

func (w within) Import(path string) (*types.Package, error) {
	if name, ok := w.names[path]; ok {
		path = name
	}
	if pkg := w.imports[path]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("%s is not listed", path)
}

// check parses and type-checks one package; lenient: with errors of types. Errors in packages that are only imported
// do not matter.
func check(fset *token.FileSet, p *listed, checked imports, lenient bool) (*Package, error) {
	pkg := &Package{Path: p.ImportPath, Dir: p.Dir, Info: &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	var syntax []*ast.File
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		path := filepath.Join(p.Dir, name)
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil && !p.DepOnly {
			return nil, err
		}
		if f == nil {
			continue
		}
		syntax = append(syntax, f)
		pkg.Files = append(pkg.Files, &File{Name: name, Path: path, Syntax: f, Generated: ast.IsGenerated(f)})
	}
	config := types.Config{
		Importer:         within{checked, p.ImportMap},
		Sizes:            types.SizesFor("gc", "amd64"),
		IgnoreFuncBodies: p.DepOnly,
		FakeImportC:      true,
	}
	info := pkg.Info
	if p.DepOnly {
		info = nil
	}
	if lenient {
		config.Error = func(error) {}
	}
	var err error
	pkg.Types, err = config.Check(p.ImportPath, fset, syntax, info)
	if err != nil && !lenient {
		return nil, err
	}
	return pkg, nil
}
