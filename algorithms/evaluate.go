package algorithms

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types/ref"
)

// lookup gives the value of a variable; cel-go asks it while it evaluates.
type lookup func(name string) ref.Val

// ResolveName and Parent make a lookup a cel.Activation.
func (l lookup) ResolveName(name string) (any, bool) { return l(name), true }
func (l lookup) Parent() cel.Activation              { return nil }

// expression is a checked expression that can be evaluated.
type expression struct {
	program cel.Program
	result  Type
}

func newExpression(e Expr) (*expression, error) {
	env, err := operatorEnv()
	if err != nil {
		return nil, err
	}
	tree := cel.CheckedExprToAst(e.Checked)
	program, err := env.Program(tree)
	if err != nil {
		return nil, err
	}
	return &expression{program, typeOf(tree.OutputType())}, nil
}

func (e *expression) evaluate(variables lookup) (ref.Val, error) {
	value, _, err := e.program.Eval(variables)
	return value, err
}
