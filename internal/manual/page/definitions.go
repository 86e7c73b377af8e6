package page

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// Definition is what stands above an algorithm in its source.
type Definition struct {
	Text string // a Go comment
	File string // its path below the folder, with slashes
}

// Definitions are those in the source files of a folder's packages, one a family, by the algorithms' names: of each
// variable that is a literal of algorithms.Algorithm.
//
// Errors: of parsing and reading.
func Definitions(folder string) (map[string]Definition, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.go"))
	if err != nil {
		return nil, err
	}
	all := map[string]Definition{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if name, text := defined(d); name != "" {
				family := filepath.Base(filepath.Dir(path))
				all[name] = Definition{text, family + "/" + filepath.Base(path)}
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no algorithm is defined in a variable", folder)
	}
	return all, nil
}

// defined is the name of the algorithm that a declaration defines, and its comment; empty: it does not.
func defined(d ast.Decl) (name, text string) {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR || len(g.Specs) != 1 {
		return "", ""
	}
	spec := g.Specs[0].(*ast.ValueSpec)
	if len(spec.Values) != 1 {
		return "", ""
	}
	address, ok := spec.Values[0].(*ast.UnaryExpr)
	if !ok {
		return "", ""
	}
	literal, ok := address.X.(*ast.CompositeLit)
	if !ok {
		return "", ""
	}
	if of, ok := literal.Type.(*ast.SelectorExpr); !ok || of.Sel.Name != "Algorithm" {
		return "", ""
	}
	for _, e := range literal.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if !ok || field.Key.(*ast.Ident).Name != "Name" {
			continue
		}
		if value, ok := field.Value.(*ast.BasicLit); ok {
			name, _ = strconv.Unquote(value.Value)
		}
	}
	return name, g.Doc.Text()
}
