package algorithms

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// scope is what the names of one expression mean: variables, and constants that the
// program or the language fixes.
type scope struct {
	variables map[string]Type
	constants []Constant
	hasEdges  bool // edge.* are properties of the graph
}

// vertexInputs are the columns that every vertex has besides the program's state.
var vertexInputs = []string{"id", "out_degree", "in_degree"}

func (s *scope) declare(name string, t Type) *scope {
	s.variables[name] = t
	return s
}

// vertex declares what is known of one vertex, each name after qualifier ("src."): what it has of itself, and states.
func (s *scope) vertex(qualifier string, p *Program, states []State) *scope {
	for _, name := range vertexInputs {
		s.declare(qualifier+name, Int)
	}
	for _, property := range p.Properties {
		s.declare(qualifier+property.Name, property.Type)
	}
	for _, state := range states {
		s.declare(qualifier+state.Name, state.Type)
	}
	return s
}

func newScope(p *Program) *scope {
	return &scope{variables: map[string]Type{}, constants: p.Constants}
}

func initScope(p *Program) *scope { return newScope(p).vertex("", p, nil).declare("n", Int) }

func processScope(p *Program, edgeColumns []string) *scope {
	s := newScope(p).vertex("src.", p, p.State).vertex("dst.", p, p.State)
	for _, column := range edgeColumns {
		s.declare("edge."+column, Float)
	}
	s.hasEdges = true
	return s
}

func aggregateScope(p *Program) *scope {
	return newScope(p).vertex("self.", p, p.State).declare("n", Int)
}

func applyScope(p *Program, acc Type) *scope {
	s := aggregateScope(p).declare("acc", acc)
	for _, a := range p.Aggregates {
		s.declare("agg."+a.Name, Float)
	}
	return s
}

// names lists everything that the scope knows, sorted.
func (s *scope) names() []string {
	names := slices.Collect(maps.Keys(s.variables))
	for _, c := range s.constants {
		names = append(names, c.Name)
	}
	names = append(names, "inf", "unreached")
	slices.Sort(names)
	return names
}

// edgeNames lists the edge properties of the scope, sorted.
func (s *scope) edgeNames() []string {
	var names []string
	for name := range s.variables {
		if column, ok := strings.CutPrefix(name, "edge."); ok {
			names = append(names, column)
		}
	}
	slices.Sort(names)
	return names
}

// env is the CEL environment of the scope.
func (s *scope) env() (*cel.Env, error) {
	base, err := operatorEnv()
	if err != nil {
		return nil, err
	}
	var options []cel.EnvOption
	for name, t := range s.variables {
		options = append(options, cel.Variable(name, t.cel()))
	}
	for _, c := range s.constants {
		options = append(options, cel.Constant(c.Name, c.Type.cel(), c.value()))
	}
	return base.Extend(options...)
}

// operatorEnv knows the Operators, inf and unreached, and nothing else of CEL: no
// standard library, no macros.
var operatorEnv = sync.OnceValues(func() (*cel.Env, error) {
	options := []cel.EnvOption{
		cel.EnableIdentifierEscapeSyntax(),
		cel.Constant("inf", cel.DoubleType, types.Double(Min.FloatIdentity())),
		cel.Constant("unreached", cel.IntType, types.Int(Unreached)),
	}
	for _, op := range Operators {
		options = append(options, cel.Function(op.Function, op.overload()))
	}
	return cel.NewCustomEnv(options...)
})

func (op Operator) overload() cel.FunctionOpt {
	args := make([]*cel.Type, len(op.Args))
	for i, t := range op.Args {
		args[i] = t.cel()
	}
	var binding []cel.OverloadOpt
	switch {
	case op.eval == nil:
	case len(args) == 1:
		binding = append(binding, cel.UnaryBinding(func(a ref.Val) ref.Val { return op.eval(a) }))
	case len(args) == 2:
		binding = append(binding, cel.BinaryBinding(func(a, b ref.Val) ref.Val { return op.eval(a, b) }))
	default:
		binding = append(binding, cel.FunctionBinding(functions.FunctionOp(op.eval)))
	}
	return cel.Overload(op.Overload, args, op.Result.cel(), binding...)
}

var typeNames = [...]string{Float: "double", Int: "int", Bool: "bool", VertexID: "vertex id"}

// String is the name of t in messages: CEL's, where CEL has the type.
func (t Type) String() string { return typeNames[t] }

// article is the name of t with its article.
func (t Type) article() string {
	if t == Int {
		return "an int"
	}
	return "a " + t.String()
}

func (t Type) cel() *cel.Type {
	switch t {
	case Float:
		return cel.DoubleType
	case Bool:
		return cel.BoolType
	}
	return cel.IntType
}

// value is the constant as CEL has it.
func (c Constant) value() ref.Val {
	switch c.Type {
	case Float:
		return types.Double(c.Float)
	case Bool:
		return types.Bool(c.Int != 0)
	}
	return types.Int(c.Int)
}
