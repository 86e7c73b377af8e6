package drawn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/plugins"
)

// Programs is how many programs the suite makes up.
const Programs = 40

// Generator draws well-typed programs. Their results do not depend on rounding, so that
// a device may be compared exactly wherever it may sum in any order: messages that are
// summed or multiplied are small whole numbers, and what is computed from fractions is
// never compared or cut.
type Generator struct {
	*rand.Rand
	properties []algorithms.Property // those of the graphs that programs may read
}

// NewGenerator draws programs that a device has what it takes for.
func NewGenerator(r *rand.Rand, d plugins.Description) Generator {
	if extension.Offers(d, plugins.ExtensionProperties) {
		return Generator{r, oracletest.Numbers()}
	}
	return Generator{Rand: r}
}

// inexact operators are tested one by one, in core/operators.go: devices may differ in the
// last bit, theirs or that of what they take, which a random program can blow up.
var inexact = []string{"exp", "log", "sqrt", "single"}

const RandomName = "random"

// Program draws a program for graphs with the usual edge columns.
func (r Generator) Program() *algorithms.Program {
	p := &algorithms.Program{
		Name:          RandomName,
		Edges:         algorithms.Edges(r.IntN(3)),
		Activity:      algorithms.Activity(r.IntN(2)),
		Norm:          algorithms.Norm(r.IntN(3)),
		Tolerance:     float64(r.IntN(2)),
		MaxIterations: 1 + r.IntN(4),
		Exactly:       r.IntN(2) == 0,
		Order:         algorithms.Synchronous,
		Properties:    r.properties,
		Constants: []algorithms.Constant{
			{Name: "half", Type: algorithms.Float, Float: 0.5},
			{Name: "seven", Type: algorithms.Int, Int: 7},
			{Name: "yes", Type: algorithms.Bool, Int: 1},
			{Name: "who", Type: algorithms.VertexID, Int: int64(r.IntN(100))},
		},
	}
	for i := range 1 + r.IntN(3) {
		p.State = append(p.State, algorithms.State{Name: fmt.Sprintf("s%d", i), Type: algorithms.Type(r.IntN(3))})
	}
	acc := p.State[0].Type
	if r.IntN(2) == 0 {
		acc = algorithms.Type(r.IntN(3))
	}
	p.Reduce = r.reduce(acc)
	r.fill(p, acc)
	return p
}

func (r Generator) reduce(acc algorithms.Type) algorithms.Reduce {
	if acc == algorithms.Bool {
		return algorithms.And + algorithms.Reduce(r.IntN(2))
	}
	return algorithms.Sum + algorithms.Reduce(r.IntN(4))
}

// fill draws the expressions.
func (r Generator) fill(p *algorithms.Program, acc algorithms.Type) {
	constants := []variable{{"half", algorithms.Float}, {"seven", algorithms.Int}, {"yes", algorithms.Bool},
		{"who", algorithms.Int}}
	global := append(slices.Clone(constants), variable{"n", algorithms.Int})
	init := append(inputs("", p), global...)
	process := slices.Concat(constants, vertex("src.", p), vertex("dst.", p),
		[]variable{{"edge." + Weight, algorithms.Float}, {"edge." + spare, algorithms.Float}})
	self := append(vertex("self.", p), global...)
	apply := append(slices.Clone(self), variable{"acc", acc})
	if r.IntN(2) == 0 {
		p.Aggregates = []algorithms.Aggregate{{Name: "total", Expr: r.small(self, 15)}}
		apply = append(apply, variable{"agg.total", algorithms.Float})
	}
	p.Process = r.message(p.Reduce, acc, process)
	for i := range p.State {
		s := &p.State[i]
		s.Init = r.expr(s.Type, init)
		if i > 0 && r.IntN(2) == 0 || i == 0 && acc == s.Type && r.IntN(2) == 0 {
			continue // the default
		}
		s.Apply = r.expr(s.Type, apply)
		for i == 0 && !strings.Contains(s.Apply.Source, "acc") {
			s.Apply = r.expr(s.Type, apply) // one that messages matter to
		}
	}
}

// message draws a Process whose reduction does not depend on the order.
func (r Generator) message(reduce algorithms.Reduce, t algorithms.Type, v []variable) algorithms.Expr {
	switch {
	case t == algorithms.Float && reduce == algorithms.Sum:
		return r.small(v, 16)
	case t == algorithms.Float && reduce == algorithms.Prod:
		return r.small(v, 3)
	}
	return r.expr(t, v)
}

// Number is e without NaN, of which there are many kinds.
func Number(e string) string { return fmt.Sprintf("(%s == %s ? %s : 0.0)", e, e, e) }

// small draws a whole Float below limit in size.
func (r Generator) small(v []variable, limit int) algorithms.Expr {
	return algorithms.Expr{Source: fmt.Sprintf("double(%s %% %d)", r.draw(algorithms.Int, v, 2), limit)}
}

// expr draws an expression that is never NaN.
func (r Generator) expr(t algorithms.Type, v []variable) algorithms.Expr {
	source := r.draw(t, v, 3)
	if t == algorithms.Float {
		source = Number(source)
	}
	return algorithms.Expr{Source: source}
}

type variable struct {
	name string
	kind algorithms.Type
}

func inputs(qualifier string, p *algorithms.Program) []variable {
	all := []variable{{qualifier + "id", algorithms.Int}, {qualifier + "out_degree", algorithms.Int},
		{qualifier + "in_degree", algorithms.Int}}
	for _, c := range p.Properties {
		all = append(all, variable{qualifier + c.Name, c.Type})
	}
	return all
}

func vertex(qualifier string, p *algorithms.Program) []variable {
	all := inputs(qualifier, p)
	for _, s := range p.State {
		all = append(all, variable{qualifier + s.Name, s.Type})
	}
	return all
}

// draw draws an expression of type t, at most depth operators deep.
func (r Generator) draw(t algorithms.Type, v []variable, depth int) string {
	if depth == 0 || r.IntN(4) == 0 {
		return r.leaf(t, v)
	}
	op := r.operator(t)
	var args []string
	for _, arg := range op.Args {
		args = append(args, r.draw(arg, v, depth-1))
	}
	return Apply(op, args)
}

func (r Generator) operator(t algorithms.Type) algorithms.Operator {
	for {
		op := algorithms.Operators[r.IntN(len(algorithms.Operators))]
		if op.Result == t && !slices.Contains(inexact, op.Function) {
			return op
		}
	}
}

func (r Generator) leaf(t algorithms.Type, v []variable) string {
	fitting := slices.DeleteFunc(slices.Clone(v), func(v variable) bool { return v.kind != t })
	if len(fitting) > 0 && r.IntN(3) > 0 {
		return fitting[r.IntN(len(fitting))].name
	}
	literals := map[algorithms.Type][]string{
		algorithms.Float: {"0.0", "1.0", "2.0", "0.25", "-3.0", "inf", "-inf"},
		algorithms.Int:   {"0", "1", "2", "-5", "1000000007", "unreached"},
		algorithms.Bool:  {"true", "false"},
	}[t]
	return literals[r.IntN(len(literals))]
}

// Apply writes op as CEL does.
func Apply(op algorithms.Operator, args []string) string {
	switch operator := strings.Trim(op.Function, "_"); {
	case operator == "?_:":
		return fmt.Sprintf("(%s ? %s : %s)", args[0], args[1], args[2])
	case operator == op.Function:
		return fmt.Sprintf("%s(%s)", operator, strings.Join(args, ", "))
	case len(args) == 1:
		return fmt.Sprintf("(%s(%s))", operator, args[0])
	default:
		return fmt.Sprintf("(%s %s %s)", args[0], operator, args[1])
	}
}

// Monotone draws a program of one's own whose messages may come in any order.
func (r Generator) Monotone() algorithms.Custom {
	c := algorithms.Custom{Edges: []string{"forward", "backward", "both"}[r.IntN(3)], Properties: map[string]string{}}
	for _, p := range r.properties {
		c.Properties[p.Name] = ""
	}
	without := &algorithms.Program{Properties: r.properties} // no state
	init := append(inputs("", without), variable{"n", algorithms.Int})
	edge := append(inputs("src.", without), inputs("dst.", without)...)
	edge = append(edge, variable{"edge." + Weight, algorithms.Float}, variable{"edge." + spare, algorithms.Float})
	switch r.IntN(6) {
	case 0:
		c.Reduce, c.Init = []string{"and", "or"}[r.IntN(2)], r.draw(algorithms.Bool, init, 3)
		c.Process = r.draw(algorithms.Bool, append(edge, variable{"src.x", algorithms.Bool}), 3)
	case 1:
		c.Reduce = "min"
		c.Init = fmt.Sprintf("id %% %d == 0 ? %d : unreached", 1+r.IntN(20), r.IntN(100))
		c.Process = fmt.Sprintf("(%s ? src.x + %d : src.x)", r.draw(algorithms.Bool, edge, 2), r.IntN(3))
	case 2:
		c.Reduce = "max"
		c.Init = fmt.Sprintf("id %% %d == 0 ? %d.5 : -inf", 1+r.IntN(20), r.IntN(100))
		c.Process = fmt.Sprintf("(%s ? src.x * 0.%d : src.x)", r.draw(algorithms.Bool, edge, 2), r.IntN(10))
	default:
		c.Reduce = []string{"min", "max"}[r.IntN(2)]
		worst := map[string]string{"min": "inf", "max": "-inf"}[c.Reduce]
		c.Init = fmt.Sprintf("id %% %d == 0 ? %s : %s", 1+r.IntN(20), Number(r.draw(algorithms.Float, init, 2)), worst)
		c.Process = r.worsened(c.Reduce, edge, 3)
	}
	return c
}

// worsened draws what an edge makes of a number, which keeps the order of numbers and, mostly, makes none better.
func (r Generator) worsened(reduce string, edge []variable, depth int) string {
	if depth == 0 {
		return "src.x"
	}
	rest := r.worsened(reduce, edge, depth-1)
	adds, cuts := map[string]string{"min": "+", "max": "-"}[reduce], map[string]string{"min": "max", "max": "min"}[reduce]
	switch r.IntN(8) {
	case 0:
		return fmt.Sprintf("(%s ? %s : %s)", r.draw(algorithms.Bool, edge, 2), rest, r.worsened(reduce, edge, depth-1))
	case 1:
		return fmt.Sprintf("%s(%s, %s)", cuts, Number(r.draw(algorithms.Float, edge, 2)), rest)
	case 2:
		return fmt.Sprintf("%s(%s, edge.%s)", cuts, rest, spare)
	case 3:
		return fmt.Sprintf("(%s %s abs(%s))", rest, adds, Number(r.draw(algorithms.Float, edge, 2)))
	case 4:
		return fmt.Sprintf("(%s %s edge.%s)", rest, adds, []string{Weight, Weight, Weight, spare}[r.IntN(4)])
	case 5:
		return fmt.Sprintf("(%s %s %d.5)", rest, adds, r.IntN(3))
	}
	return rest
}
