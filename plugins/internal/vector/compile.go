package vector

import (
	"fmt"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
)

// Scope says what names mean: inputs vary from value to value, but for the uniform ones,
// which have one value for all from one Settle to the next; constants never vary.
type Scope struct {
	Inputs    map[string]algorithms.Type
	Uniform   map[string]bool
	Constants map[string]Scalar
}

// UnsupportedError is something in an expression that no loop exists for.
type UnsupportedError struct{ What string }

func (e *UnsupportedError) Error() string {
	return e.What + " is not among the operators of this device"
}

// Input is a name that a Program reads.
type Input struct {
	Name    string
	Type    algorithms.Type
	Uniform bool
}

// Program computes several expressions over the same inputs. Equal parts of them are
// computed once, uniform parts once a Settle, constant parts not at all.
type Program struct {
	Inputs  []Input
	Outputs []Output
	nodes   []node
	inputs  []int // the node of each input
}

// Output is where a Program's expression ends up.
type Output struct {
	Type algorithms.Type
	node int
}

// node is a vertex of the DAG; its arguments come before it.
type node struct {
	kind     algorithms.Type
	input    int // position in Inputs, or -1
	constant *Scalar
	op       operator // of a node that is neither
	args     []int
	uniform  bool // one value for all, from one Settle to the next
}

// Compile makes one Program of several checked expressions. What it cannot compute is
// an *UnsupportedError.
func Compile(scope Scope, exprs ...*exprpb.CheckedExpr) (*Program, error) {
	c := compiler{scope: scope, program: &Program{}, known: map[string]int{}}
	for _, checked := range exprs {
		c.checked = checked
		root, err := c.visit(checked.GetExpr())
		if err != nil {
			return nil, err
		}
		c.output(root)
	}
	return c.program, nil
}

// output makes root the next output. An input is copied first, so that a caller may
// overwrite its inputs with the outputs in any order.
func (c *compiler) output(root int) {
	kind := c.program.nodes[root].kind
	if c.program.nodes[root].input >= 0 {
		op, arg := copies[kind], root
		root = c.share(fmt.Sprint("copy", arg), func() node {
			return node{kind: kind, input: -1, op: op, args: []int{arg}}
		})
	}
	c.program.Outputs = append(c.program.Outputs, Output{Type: kind, node: root})
}

type compiler struct {
	scope   Scope
	checked *exprpb.CheckedExpr
	program *Program
	known   map[string]int // a node's spelling → the node, to share equal parts
}

// visit returns the node that computes e.
func (c *compiler) visit(e *exprpb.Expr) (int, error) {
	if ref := c.checked.GetReferenceMap()[e.GetId()]; ref.GetValue() != nil {
		return c.literal(ref.GetValue())
	}
	if name := Name(c.checked, e); name != "" {
		return c.name(name)
	}
	switch e.GetExprKind().(type) {
	case *exprpb.Expr_ConstExpr:
		return c.literal(e.GetConstExpr())
	case *exprpb.Expr_CallExpr:
		return c.call(e.GetCallExpr())
	}
	return 0, &UnsupportedError{What: fmt.Sprintf("%T", e.GetExprKind())}
}

// Name is the variable that e stands for: x, or a qualified one as src.x; or "".
func Name(checked *exprpb.CheckedExpr, e *exprpb.Expr) string {
	if e.GetIdentExpr() == nil && e.GetSelectExpr() == nil {
		return ""
	}
	if name := checked.GetReferenceMap()[e.GetId()].GetName(); name != "" {
		return name
	}
	return e.GetIdentExpr().GetName()
}

func (c *compiler) name(name string) (int, error) {
	if s, ok := c.scope.Constants[name]; ok {
		return c.constant(s), nil
	}
	t, ok := c.scope.Inputs[name]
	if !ok {
		return 0, &UnsupportedError{What: fmt.Sprintf("the variable %q", name)}
	}
	return c.share("input "+name, func() node {
		uniform := c.scope.Uniform[name]
		c.program.Inputs = append(c.program.Inputs, Input{Name: name, Type: t, Uniform: uniform})
		c.program.inputs = append(c.program.inputs, len(c.program.nodes))
		return node{kind: plain(t), input: len(c.program.Inputs) - 1, uniform: uniform}
	}), nil
}

func (c *compiler) literal(v *exprpb.Constant) (int, error) {
	switch v.GetConstantKind().(type) {
	case *exprpb.Constant_DoubleValue:
		return c.constant(Scalar{Type: algorithms.Float, Float: v.GetDoubleValue()}), nil
	case *exprpb.Constant_Int64Value:
		return c.constant(Scalar{Type: algorithms.Int, Int: v.GetInt64Value()}), nil
	case *exprpb.Constant_BoolValue:
		return c.constant(Scalar{Type: algorithms.Bool, Bool: v.GetBoolValue()}), nil
	}
	return 0, &UnsupportedError{What: fmt.Sprintf("the literal %v", v)}
}

func (c *compiler) constant(s Scalar) int {
	s.Type = plain(s.Type)
	key := fmt.Sprintf("constant %d %x %d %t", s.Type, math.Float64bits(s.Float), s.Int, s.Bool)
	return c.share(key, func() node { return node{kind: s.Type, input: -1, constant: &s, uniform: true} })
}

func (c *compiler) call(call *exprpb.Expr_Call) (int, error) {
	var args []int
	for _, arg := range call.GetArgs() {
		n, err := c.visit(arg)
		if err != nil {
			return 0, err
		}
		args = append(args, n)
	}
	op, err := c.operator(call, args)
	if err != nil {
		return 0, err
	}
	if s, ok := c.fold(op, args); ok {
		return c.constant(s), nil
	}
	key := fmt.Sprint(call.GetFunction(), args)
	return c.share(key, func() node {
		return node{kind: op.result, input: -1, op: op, args: args, uniform: c.uniform(args)}
	}), nil
}

func (c *compiler) uniform(args []int) bool {
	return !slices.ContainsFunc(args, func(arg int) bool { return !c.program.nodes[arg].uniform })
}

func (c *compiler) operator(call *exprpb.Expr_Call, args []int) (operator, error) {
	if len(args) == 0 || call.GetTarget() != nil {
		return operator{}, &UnsupportedError{What: fmt.Sprintf("the call of %q", call.GetFunction())}
	}
	last := c.program.nodes[args[len(args)-1]].kind
	op, ok := operators[signature{call.GetFunction(), last}]
	if !ok {
		return operator{}, &UnsupportedError{What: fmt.Sprintf("%q of %s", call.GetFunction(), typeNames[last])}
	}
	return op, nil
}

// fold computes op now when all its arguments are constants.
func (c *compiler) fold(op operator, args []int) (Scalar, bool) {
	columns := make([]*Column, len(args))
	for i, arg := range args {
		s := c.program.nodes[arg].constant
		if s == nil {
			return Scalar{}, false
		}
		column := Broadcast(*s, 1)
		columns[i] = &column
	}
	result := Make(op.result, 1)
	op.bind(&result, columns)(1)
	return result.first(op.result), true
}

// share returns the node spelled key, making it the first time.
func (c *compiler) share(key string, build func() node) int {
	if n, ok := c.known[key]; ok {
		return n
	}
	c.program.nodes = append(c.program.nodes, build())
	c.known[key] = len(c.program.nodes) - 1
	return c.known[key]
}

// plain is t without what only people see in it: a VertexID is an Int.
func plain(t algorithms.Type) algorithms.Type {
	if t == algorithms.VertexID {
		return algorithms.Int
	}
	return t
}

var typeNames = map[algorithms.Type]string{algorithms.Float: "double", algorithms.Int: "int", algorithms.Bool: "bool"}
