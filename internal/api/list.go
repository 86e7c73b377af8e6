package main

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/gosource"
)

// list has a paragraph for each package: how many symbols it exports, which types of packages that are not public it
// hands out, and a line for each symbol, field and method. Those types are also returned, as PACKAGE: TYPE. A type that
// an alias of a public package names is as public as that: its fields and methods are listed there.
func list(module *gosource.Module) (text string, handedOut []string) {
	open, aliased := map[string]bool{}, map[*types.TypeName]bool{}
	for _, pkg := range module.Packages {
		open[pkg.Path] = true
		for _, name := range pkg.Types.Scope().Names() {
			if named := aliasOf(pkg.Types.Scope().Lookup(name)); named != nil {
				aliased[named.Obj()] = true
			}
		}
	}
	packages := slices.Clone(module.Packages)
	slices.SortFunc(packages, func(a, b *gosource.Package) int { return strings.Compare(a.Path, b.Path) })
	var all strings.Builder
	for i, pkg := range packages {
		if i > 0 {
			all.WriteString("\n")
		}
		l := &lister{pkg: pkg.Types, module: module.Path, open: open, aliased: aliased, handedOut: map[string]bool{}}
		l.list()
		fmt.Fprintf(&all, "package %s\n", pkg.Path)
		fmt.Fprintf(&all, "%d symbols\n", l.symbols)
		for _, name := range slices.Sorted(maps.Keys(l.handedOut)) {
			fmt.Fprintf(&all, "not public: %s\n", name)
			handedOut = append(handedOut, pkg.Path+": "+name)
		}
		for _, line := range l.lines {
			all.WriteString(line + "\n")
		}
	}
	return all.String(), handedOut
}

// aliasOf is the type that an exported alias names; nil: object is none.
func aliasOf(object types.Object) *types.Named {
	if name, ok := object.(*types.TypeName); ok && name.Exported() && name.IsAlias() {
		if named, ok := types.Unalias(name.Type()).(*types.Named); ok && named.Obj().Pkg() != nil {
			return named
		}
	}
	return nil
}

// A lister lists one package.
type lister struct {
	pkg       *types.Package
	module    string
	open      map[string]bool // paths of public packages
	aliased   map[*types.TypeName]bool
	symbols   int             // package-level names, and methods of exported types
	handedOut map[string]bool // types of this module's packages that are not public
	lines     []string
}

func (l *lister) list() {
	for _, name := range l.pkg.Scope().Names() {
		object := l.pkg.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		l.symbols++
		l.look(object.Type(), map[types.Type]bool{})
		switch object := object.(type) {
		case *types.Const:
			l.line("const %s %s = %s", name, l.text(object.Type()), object.Val().ExactString())
		case *types.TypeName:
			l.typeName(object)
		default:
			l.line("%s", types.ObjectString(object, l.qualify))
		}
	}
}

// typeName lists a type, its exported fields or its interface's methods, and its exported methods.
func (l *lister) typeName(object *types.TypeName) {
	named, name := aliasOf(object), object.Name()
	if object.IsAlias() {
		l.line("%s", types.ObjectString(object, l.qualify))
		if named == nil || l.open[named.Obj().Pkg().Path()] {
			return
		}
	} else {
		named = object.Type().(*types.Named)
	}
	switch under := named.Underlying().(type) {
	case *types.Struct:
		l.line("type %s struct", name)
		var fields []string
		for field := range under.Fields() {
			if field.Exported() {
				l.look(field.Type(), map[types.Type]bool{})
				fields = append(fields, fmt.Sprintf("type %s struct, %s", name, l.field(field)))
			}
		}
		slices.Sort(fields)
		l.lines = append(l.lines, fields...)
	case *types.Interface:
		l.line("type %s interface", name)
		for method := range under.Methods() {
			if method.Exported() {
				l.look(method.Type(), map[types.Type]bool{})
				l.line("type %s interface, %s%s", name, method.Name(), l.signature(method))
			} else {
				l.line("type %s interface, unexported methods", name)
			}
		}
	default:
		l.line("type %s %s", name, l.text(under))
	}
	var methods []string
	for method := range named.Methods() {
		if method.Exported() {
			l.symbols++
			l.look(method.Type(), map[types.Type]bool{})
			receiver := method.Signature().Recv().Type()
			methods = append(methods, fmt.Sprintf("method (%s) %s%s", l.text(receiver), method.Name(), l.signature(method)))
		}
	}
	slices.Sort(methods)
	l.lines = append(l.lines, methods...)
}

func (l *lister) line(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

func (l *lister) text(t types.Type) string { return types.TypeString(t, l.qualify) }

func (l *lister) field(field *types.Var) string {
	if field.Embedded() {
		return "embedded " + l.text(field.Type())
	}
	return field.Name() + " " + l.text(field.Type())
}

func (l *lister) signature(method *types.Func) string {
	return strings.TrimPrefix(l.text(method.Type()), "func")
}

// qualify names a package of this module by its path below the module's, others by their path.
func (l *lister) qualify(pkg *types.Package) string {
	switch {
	case pkg == l.pkg:
		return ""
	case pkg.Path() == l.module:
		return pkg.Name()
	}
	return strings.TrimPrefix(pkg.Path(), l.module+"/")
}

// look notes the types of packages of this module that are not public.
func (l *lister) look(t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		pkg := t.Obj().Pkg()
		if pkg != nil && strings.HasPrefix(pkg.Path()+"/", l.module+"/") && !l.open[pkg.Path()] && !l.aliased[t.Obj()] {
			l.handedOut[l.qualify(pkg)+"."+t.Obj().Name()] = true
		}
		for argument := range t.TypeArgs().Types() {
			l.look(argument, seen)
		}
	case *types.Alias:
		l.look(types.Unalias(t), seen)
	case *types.Pointer:
		l.look(t.Elem(), seen)
	case *types.Slice:
		l.look(t.Elem(), seen)
	case *types.Array:
		l.look(t.Elem(), seen)
	case *types.Chan:
		l.look(t.Elem(), seen)
	case *types.Map:
		l.look(t.Key(), seen)
		l.look(t.Elem(), seen)
	case *types.Signature:
		for parameter := range t.Params().Variables() {
			l.look(parameter.Type(), seen)
		}
		for result := range t.Results().Variables() {
			l.look(result.Type(), seen)
		}
	case *types.Struct:
		for field := range t.Fields() {
			l.look(field.Type(), seen)
		}
	}
}
