package neural

import (
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common"
	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"

	"github.com/penstock-db/penstock/algorithms"
)

// node is a part of an expression: a name ("src.h"), a number, or a call of a function or operator ("_+_").
type node struct {
	name   string
	number float64
	args   []*node
	call   bool
	at     common.Location
}

// place is where in a model an expression stands, for errors.
type place struct {
	model  string
	where  string // "edge of layer 2"
	source string
}

// wrong is an error that marks where n begins.
func (p place) wrong(n *node, message string) error {
	return p.at(n.at, message)
}

func (p place) at(l common.Location, message string) error {
	return &algorithms.ExprError{Program: p.model, Where: p.where, Source: p.source, Line: l.Line(),
		Column: l.Column() + 1, Message: message}
}

// grammar parses CEL. Types are not CEL's to check here, for its types have no widths.
var grammar = sync.OnceValues(func() (*cel.Env, error) { return cel.NewCustomEnv() })

// parse reads one expression.
func parse(p place) (*node, error) {
	env, err := grammar()
	if err != nil {
		return nil, err
	}
	parsed, issues := env.Parse(p.source)
	if issues.Err() != nil {
		first := issues.Errors()[0]
		return nil, p.at(first.Location, first.Message)
	}
	tree := parsed.NativeRep()
	return convert(p, tree.SourceInfo(), tree.Expr())
}

func convert(p place, info *celast.SourceInfo, e celast.Expr) (*node, error) {
	n := &node{at: info.GetStartLocation(e.ID())}
	switch e.Kind() {
	case celast.LiteralKind:
		switch x := e.AsLiteral().(type) {
		case types.Double:
			n.number = float64(x)
			return n, nil
		case types.Int:
			n.number = float64(x)
			return n, nil
		}
	case celast.IdentKind:
		n.name = e.AsIdent()
		return n, nil
	case celast.SelectKind:
		return convertSelect(p, info, e, n)
	case celast.CallKind:
		return convertCall(p, info, e, n)
	}
	return nil, p.wrong(n, "only numbers, names, operators and functions are available in models")
}

func convertSelect(p place, info *celast.SourceInfo, e celast.Expr, n *node) (*node, error) {
	operand := e.AsSelect().Operand()
	if operand.Kind() != celast.IdentKind {
		return nil, p.wrong(n, "selecting a field of a value is not available in models")
	}
	n.at = info.GetStartLocation(operand.ID())
	n.name = operand.AsIdent() + "." + e.AsSelect().FieldName()
	return n, nil
}

func convertCall(p place, info *celast.SourceInfo, e celast.Expr, n *node) (*node, error) {
	call := e.AsCall()
	n.name, n.call = call.FunctionName(), true
	if n.name[0] >= 'A' && n.name[0] <= 'z' && n.name[0] != '_' {
		n.at = common.NewLocation(n.at.Line(), max(n.at.Column()-len(n.name), 0)) // CEL says where the ( is
	}
	if call.IsMemberFunction() {
		return nil, p.wrong(n, "write "+n.name+"(x), not x."+n.name+"()")
	}
	for _, a := range call.Args() {
		arg, err := convert(p, info, a)
		if err != nil {
			return nil, err
		}
		n.args = append(n.args, arg)
	}
	return n, nil
}
