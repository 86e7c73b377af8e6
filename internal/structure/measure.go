package main

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/gosource"
)

// A Measure is what a module looks like. Generated files are left out.
type Measure struct {
	Module    string
	Packages  []Package // by name
	Types     []Type    // most methods first, then most fields
	Names     []Name    // most declarations first
	Functions int       // functions and methods
	Params    int       // median of their parameters
	Lines     int       // median of their lines
}

// A Package has files and exports symbols.
type Package struct {
	Name     string // import path below the root module's; "." is the root
	Internal bool   // cannot be imported from outside the module
	Command  bool   // package main
	Files    int
	Knot     int // files of the largest knot; see knot
	Exported int // package-level names, and methods of exported types
}

// A Type is declared at package level. Embedded fields count as one, promoted methods do not count.
type Type struct {
	Package string
	Name    string
	Methods int
	Fields  int
	Files   int // that declare its methods
}

// A Name is declared by several functions or methods.
type Name struct {
	Name     string
	Declared int
}

// with adds the packages and types of another module.
func (m Measure) with(other Measure) Measure {
	m.Packages = slices.Concat(m.Packages, other.Packages)
	m.Types = slices.Concat(m.Types, other.Types)
	return m
}

// measure looks at all packages of a module. Their names are import paths below root's.
func measure(module *gosource.Module, root string) Measure {
	m := Measure{Module: module.Path}
	var params, lines []int
	declared := map[string]int{}
	for _, pkg := range module.Packages {
		files := written(pkg)
		name := below(root, pkg.Path)
		m.Packages = append(m.Packages, Package{
			Name:     name,
			Internal: slices.Contains(strings.Split(name, "/"), "internal"),
			Command:  pkg.Types.Name() == "main",
			Files:    len(files),
			Knot:     knot(dependencies(module.Fset, pkg, files)),
			Exported: len(exported(module, pkg, files)),
		})
		m.Types = append(m.Types, typesOf(module, pkg, name, files)...)
		for _, f := range functions(files) {
			declared[f.Name.Name]++
			params = append(params, f.Type.Params.NumFields())
			from, to := module.Fset.Position(f.Pos()), module.Fset.Position(f.End())
			lines = append(lines, to.Line-from.Line+1)
		}
	}
	for name, n := range declared {
		if n > 1 {
			m.Names = append(m.Names, Name{name, n})
		}
	}
	m.Functions, m.Params, m.Lines = len(params), median(params), median(lines)
	slices.SortFunc(m.Packages, func(a, b Package) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(m.Names, func(a, b Name) int {
		return cmp.Or(cmp.Compare(b.Declared, a.Declared), cmp.Compare(a.Name, b.Name))
	})
	slices.SortFunc(m.Types, func(a, b Type) int {
		return cmp.Or(cmp.Compare(b.Methods, a.Methods), cmp.Compare(b.Fields, a.Fields),
			cmp.Compare(a.Package, b.Package), cmp.Compare(a.Name, b.Name))
	})
	return m
}

// written are the files of a package that no program generated.
func written(pkg *gosource.Package) []*gosource.File {
	return slices.DeleteFunc(slices.Clone(pkg.Files), func(f *gosource.File) bool { return f.Generated })
}

// below is an import path without the module's.
func below(module, path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}

// functions are all functions and methods that files declare.
func functions(files []*gosource.File) []*ast.FuncDecl {
	var all []*ast.FuncDecl
	for _, f := range files {
		for _, d := range f.Syntax.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				all = append(all, f)
			}
		}
	}
	return all
}

// objects are the package-level declarations of files.
func objects(module *gosource.Module, pkg *gosource.Package, files []*gosource.File) []types.Object {
	in := map[string]bool{}
	for _, f := range files {
		in[f.Path] = true
	}
	var all []types.Object
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		object := scope.Lookup(name)
		if in[module.Fset.Position(object.Pos()).Filename] {
			all = append(all, object)
		}
	}
	return all
}

// exported are the exported declarations of a package, and the exported methods of exported types.
func exported(module *gosource.Module, pkg *gosource.Package, files []*gosource.File) []types.Object {
	var all []types.Object
	for _, object := range objects(module, pkg, files) {
		if !object.Exported() {
			continue
		}
		all = append(all, object)
		named, ok := declaredType(object)
		if !ok {
			continue
		}
		for method := range named.Methods() {
			if method.Exported() {
				all = append(all, method)
			}
		}
	}
	return all
}

// declaredType is the type that an object declares; an alias declares none.
func declaredType(object types.Object) (*types.Named, bool) {
	if name, ok := object.(*types.TypeName); !ok || name.IsAlias() {
		return nil, false
	}
	named, ok := object.Type().(*types.Named)
	return named, ok
}

// typesOf measures the types that a package declares.
func typesOf(module *gosource.Module, pkg *gosource.Package, name string, files []*gosource.File) []Type {
	var all []Type
	for _, object := range objects(module, pkg, files) {
		named, ok := declaredType(object)
		if !ok {
			continue
		}
		t := Type{Package: name, Name: object.Name(), Methods: named.NumMethods()}
		in := map[string]bool{}
		for method := range named.Methods() {
			in[module.Fset.Position(method.Pos()).Filename] = true
		}
		t.Files = len(in)
		switch under := named.Underlying().(type) {
		case *types.Struct:
			t.Fields = under.NumFields()
		case *types.Interface:
			t.Methods = under.NumExplicitMethods()
		}
		all = append(all, t)
	}
	return all
}

func median(numbers []int) int {
	if len(numbers) == 0 {
		return 0
	}
	slices.Sort(numbers)
	return numbers[len(numbers)/2]
}
