package algorithms

import (
	"fmt"
	"slices"
	"strings"

	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
)

// complaint is what is wrong with the node of an expression.
type complaint struct {
	node    int64
	message string
}

// resolve finds the first node of e, in reading order, that is not available in vertex
// programs or whose name s does not know; nil when there is none. Types are CEL's to check.
func (s *scope) resolve(e celast.Expr) *complaint {
	switch e.Kind() {
	case celast.LiteralKind:
		return resolveLiteral(e)
	case celast.IdentKind, celast.SelectKind:
		return s.resolveName(e)
	case celast.CallKind:
		return s.resolveCall(e)
	}
	return &complaint{e.ID(), "lists, maps and messages are not available in vertex programs"}
}

func resolveLiteral(e celast.Expr) *complaint {
	switch e.AsLiteral().(type) {
	case types.Double, types.Int, types.Bool:
		return nil
	}
	return &complaint{e.ID(), fmt.Sprintf(
		"a value of type %s is not available in vertex programs; use double, int or bool",
		e.AsLiteral().Type().TypeName())}
}

func (s *scope) resolveName(e celast.Expr) *complaint {
	name, root := qualifiedName(e)
	if name == "" {
		return &complaint{e.ID(), "selecting a field of a value is not available in vertex programs"}
	}
	names := s.names()
	if slices.Contains(names, name) {
		return nil
	}
	if column, ok := strings.CutPrefix(name, "edge."); ok && s.hasEdges {
		return &complaint{root, s.unknownProperty(column)}
	}
	hint := didYouMean(name, names)
	if hint == "" {
		hint = "; known here: " + strings.Join(names, ", ")
	}
	return &complaint{root, "unknown name " + name + hint}
}

// qualifiedName spells a.b.c; root is the node of a. Empty when e selects from something
// that is no name.
func qualifiedName(e celast.Expr) (name string, root int64) {
	if e.Kind() == celast.IdentKind {
		return e.AsIdent(), e.ID()
	}
	if e.Kind() != celast.SelectKind {
		return "", 0
	}
	prefix, root := qualifiedName(e.AsSelect().Operand())
	if prefix == "" {
		return "", 0
	}
	return prefix + "." + e.AsSelect().FieldName(), root
}

func (s *scope) unknownProperty(column string) string {
	known := s.edgeNames()
	if len(known) == 0 {
		return fmt.Sprintf("no edge property %s: the edges of this graph have no numeric properties", column)
	}
	return fmt.Sprintf("no edge property %s; the graph has %s%s", column, strings.Join(known, ", "),
		didYouMean(column, known))
}

func (s *scope) resolveCall(e celast.Expr) *complaint {
	call := e.AsCall()
	switch name := call.FunctionName(); {
	case !available(name):
		return &complaint{e.ID(), unavailable(name)}
	case call.IsMemberFunction():
		return &complaint{e.ID(), fmt.Sprintf("write %s(x), not x.%s()", name, name)}
	}
	for _, arg := range call.Args() {
		if c := s.resolve(arg); c != nil {
			return c
		}
	}
	return nil
}

func available(function string) bool {
	return slices.ContainsFunc(Operators, func(op Operator) bool { return op.Function == function })
}

func unavailable(function string) string {
	if symbol, ok := operators.FindReverse(function); ok && symbol != "" {
		return fmt.Sprintf("operator %s is not available in vertex programs", symbol)
	}
	if strings.ContainsAny(function, "_@[") && !isName(function) {
		return "indexing is not available in vertex programs"
	}
	var functions []string
	for _, op := range Operators {
		if isName(op.Function) {
			functions = append(functions, op.Function)
		}
	}
	functions = slices.Compact(functions)
	hint := didYouMean(function, functions)
	if hint == "" {
		hint = "; there are " + strings.Join(functions, ", ")
	}
	return fmt.Sprintf("function %s is not available in vertex programs%s", function, hint)
}

// isName says whether s can stand in an expression as a plain name.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c == '_' || (c|0x20 >= 'a' && c|0x20 <= 'z')
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// EdgeProperty is the CEL expression for the edge property name.
func EdgeProperty(name string) string {
	for _, part := range strings.Split(name, ".") {
		if !isName(part) {
			return "edge.`" + name + "`"
		}
	}
	return "edge." + name
}
