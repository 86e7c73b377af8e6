package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"strings"

	"github.com/penstock-db/penstock/internal/gosource"
)

// A mutant is one mistake.
type mutant struct {
	id   int
	name string // path FUNCTION: before → after, unique
	text string // takes the place of its site, when it is on
	site *site
}

// A site is a piece of a file, with the mistakes that can be made there.
type site struct {
	file       *gosource.File
	start, end int    // in the file
	typ        string // of an expression; empty: a statement
	mutants    []*mutant
}

// operators lead from an operator to those that are mistakes for it.
var operators = map[token.Token][]token.Token{
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.AND}, token.AND_NOT: {token.AND},
	token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN}, token.MUL_ASSIGN: {token.QUO_ASSIGN},
	token.QUO_ASSIGN: {token.MUL_ASSIGN}, token.OR_ASSIGN: {token.AND_ASSIGN}, token.AND_ASSIGN: {token.OR_ASSIGN},
	token.XOR_ASSIGN: {token.AND_ASSIGN}, token.SHL_ASSIGN: {token.SHR_ASSIGN}, token.SHR_ASSIGN: {token.SHL_ASSIGN},
	token.AND_NOT_ASSIGN: {token.AND_ASSIGN},
	token.INC:            {token.DEC}, token.DEC: {token.INC},
}

// A finder looks for sites in one file.
type finder struct {
	module   *gosource.Module
	pkg      *gosource.Package
	file     *gosource.File
	source   string
	function string
	names    map[string]int
	sites    []*site
	mutants  []*mutant
}

// find finds the mistakes that can be made in a package, in the order of its files.
func find(module *gosource.Module, pkg *gosource.Package) []*mutant {
	f := &finder{module: module, pkg: pkg, names: map[string]int{}}
	for _, file := range pkg.Files {
		source, err := os.ReadFile(file.Path)
		if err != nil || file.Generated {
			continue
		}
		f.file, f.source = file, string(source)
		for _, d := range file.Syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				f.function = functionName(d)
				f.block(d.Body)
			}
		}
	}
	return f.mutants
}

// functionName is a function's name, behind its receiver's type.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	receiver := d.Recv.List[0].Type
	for {
		switch t := receiver.(type) {
		case *ast.StarExpr:
			receiver = t.X
		case *ast.IndexExpr:
			receiver = t.X
		case *ast.Ident:
			return t.Name + "." + d.Name.Name
		default:
			return d.Name.Name
		}
	}
}

// block looks at all that is in a function's body.
func (f *finder) block(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			f.statements(n.List)
		case *ast.CaseClause:
			f.statements(n.Body)
		case *ast.CommClause:
			f.statements(n.Body)
		case *ast.GenDecl:
			return n.Tok != token.CONST
		case *ast.ArrayType:
			return false
		case *ast.IfStmt:
			f.condition(n.Cond)
		case ast.Expr:
			return f.expression(n)
		}
		return true
	})
}

// statements may be left out, and their operators be others.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		if labeled, ok := s.(*ast.LabeledStmt); ok {
			s = labeled.Stmt
		}
		switch s := s.(type) {
		case *ast.ExprStmt:
			if !f.panics(s.X) {
				f.remove(s)
			}
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || blank(s.Lhs) {
				continue
			}
			site := f.remove(s)
			if !f.isString(s.Lhs[0]) {
				f.operator(site, s.Tok, s.TokPos)
			}
		case *ast.IncDecStmt:
			f.operator(f.remove(s), s.Tok, s.TokPos)
		case *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt:
			f.remove(s)
		case *ast.BranchStmt:
			if s.Tok == token.BREAK || s.Tok == token.CONTINUE {
				f.remove(s)
			}
		}
	}
}

func blank(left []ast.Expr) bool {
	for _, e := range left {
		if name, ok := e.(*ast.Ident); !ok || name.Name != "_" {
			return false
		}
	}
	return true
}

func (f *finder) panics(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, ok := call.Fun.(*ast.Ident)
	return ok && name.Name == "panic"
}

func (f *finder) remove(s ast.Stmt) *site {
	site := f.site(s, "")
	f.add(site, f.text(s)+" → nothing", "")
	return site
}

// condition may be its opposite, where no operator of it is mistaken.
func (f *finder) condition(e ast.Expr) {
	switch e.(type) {
	case *ast.CallExpr, *ast.Ident, *ast.SelectorExpr:
		if typ, ok := f.typeText(e); ok && f.pkg.Info.Types[e].Value == nil {
			text := f.text(e)
			f.add(f.site(e, typ), "if "+text+" → if !"+text, "!("+text+")")
		}
	}
}

// expression makes the mistakes of one expression; false: what is in it has none.
func (f *finder) expression(e ast.Expr) bool {
	tv := f.pkg.Info.Types[e]
	if tv.IsType() {
		return false
	}
	if tv.Value != nil {
		f.constant(e, tv)
		return false
	}
	typ, ok := f.typeText(e)
	if !ok {
		return true
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if !f.isString(e) || e.Op != token.ADD {
			f.operator(f.site(e, typ), e.Op, e.OpPos)
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT || e.Op == token.SUB {
			text := f.text(e)
			f.add(f.site(e, typ), text+" → "+text[1:], text[1:])
		}
	}
	return true
}

// constant may be one more or less, or the opposite; names of constants stay.
func (f *finder) constant(e ast.Expr, tv types.TypeAndValue) {
	text := f.text(e)
	typ, ok := f.typeText(e)
	if !ok {
		return
	}
	basic, ok := tv.Type.Underlying().(*types.Basic)
	if !ok {
		return
	}
	switch {
	case text == "true" || text == "false":
		opposite := map[string]string{"true": "false", "false": "true"}[text]
		f.add(f.site(e, typ), text+" → "+opposite, opposite)
	case basic.Info()&types.IsInteger != 0 && literal(e):
		site := f.site(e, typ)
		f.add(site, text+" → "+text+" + 1", "func() "+typ+" { v := "+typ+"("+text+"); v++; return v }()")
		if constant.Sign(tv.Value) > 0 {
			f.add(site, text+" → "+text+" - 1", "func() "+typ+" { v := "+typ+"("+text+"); v--; return v }()")
		}
	}
}

// literal tells whether a constant expression is more than the name of a constant.
func literal(e ast.Expr) bool {
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr:
		return false
	}
	return true
}

// operator adds the mistakes for an operator at pos.
func (f *finder) operator(s *site, op token.Token, pos token.Pos) {
	at := f.offset(pos) - s.start
	text := f.source[s.start:s.end]
	for _, other := range operators[op] {
		mistaken := text[:at] + other.String() + text[at+len(op.String()):]
		f.add(s, text+" → "+other.String(), mistaken)
	}
}

func (f *finder) isString(e ast.Expr) bool {
	t := f.pkg.Info.TypeOf(e)
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// typeText is the type of an expression as this file can write it; false: it cannot.
func (f *finder) typeText(e ast.Expr) (string, bool) {
	t := f.pkg.Info.TypeOf(e)
	if t == nil {
		return "", false
	}
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() != 1 {
		return "", false
	}
	ok := true
	text := types.TypeString(types.Default(t), func(pkg *types.Package) string {
		if pkg == f.pkg.Types {
			return ""
		}
		for _, i := range f.file.Syntax.Imports {
			if strings.Trim(i.Path.Value, `"`) == pkg.Path() {
				if i.Name != nil {
					return i.Name.Name
				}
				return pkg.Name()
			}
		}
		ok = false
		return pkg.Name()
	})
	return text, ok
}

func (f *finder) offset(pos token.Pos) int { return f.module.Fset.Position(pos).Offset }

func (f *finder) text(n ast.Node) string { return f.source[f.offset(n.Pos()):f.offset(n.End())] }

func (f *finder) site(n ast.Node, typ string) *site {
	s := &site{file: f.file, start: f.offset(n.Pos()), end: f.offset(n.End()), typ: typ}
	f.sites = append(f.sites, s)
	return s
}

// add gives a site a mistake, with a name of its own: the second of the same text in a function ends with #2.
func (f *finder) add(s *site, what, text string) {
	name := strings.TrimPrefix(strings.TrimPrefix(f.file.Path, f.module.Dir), "/") + " " + f.function + ": " + short(what)
	f.names[name]++
	if n := f.names[name]; n > 1 {
		name += fmt.Sprintf(" #%d", n)
	}
	m := &mutant{id: len(f.mutants) + 1, name: name, text: text, site: s}
	s.mutants = append(s.mutants, m)
	f.mutants = append(f.mutants, m)
}

// short is text on one line, without its middle where it is long.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 110 {
		return string(runes[:60]) + "…" + string(runes[len(runes)-45:])
	}
	return text
}
