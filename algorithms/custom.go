package algorithms

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"cel.dev/cel-go/common"
	celast "cel.dev/cel-go/common/ast"
)

// Custom is a program as a user gives it on the command line, in CEL (see doc.go):
//
//	--process 'src.dist + edge.weight' --reduce min --init 'id == source ? 0.0 : inf' --param source=7
//
// It has one state column. Its name is the one that the expressions use (dist, above), or
// "value" when they use none; its type is that of Init. Without Apply, and with min, max,
// and, or as Reduce, the column is combined with what arrives, only changed vertices send,
// and the program ends when nothing changes; it is Monotone where its expressions show that
// (monotone.go). Else every vertex sends in every iteration,
// and the program ends when no value moves by more than `tolerance` (0), or after 100 iterations.
type Custom struct {
	Process, Init, Apply string
	Reduce               string // sum, prod, min, max, and, or
	Edges                string // "forward" (or empty), "backward", "both"
	// Properties are the vertex properties that expressions read, as src.NAME, dst.NAME and self.NAME, and NAME in Init:
	// for each name the number that a vertex without a value counts as, or "" where every vertex must have one.
	Properties map[string]string
	// Aggregates are sums over all vertices, taken before each iteration, that Apply sees
	// as agg.NAME: an expression, a double over self.*, for each name.
	Aggregates map[string]string
	// Params are constants that expressions may use: `source` names a vertex, any other
	// value is true, false, a whole number (an int) or a decimal number (a double).
	// `iterations` and `tolerance` are no constants but end the run, as for an algorithm.
	Params map[string]string
}

// customName is what error messages call a user's own program.
const customName = "program"

// customIterations bounds one that converges only in the limit.
const customIterations = 100

// Build makes the program and checks it, where the graph is g. It fails with an
// *ExprError, a *ParamError or a *ProgramError.
func (c Custom) Build(g Env) (*Program, error) {
	p := &Program{Name: customName, Process: Expr{Source: c.Process}, Order: Synchronous}
	var err error
	if p.Reduce, err = choose[Reduce]("reduce", c.Reduce, reduceNames[:], ""); err != nil {
		return nil, err
	}
	if p.Edges, err = choose[Edges]("edges", c.Edges, edgesNames[:], Forward.String()); err != nil {
		return nil, err
	}
	if err := c.bind(p, g); err != nil {
		return nil, err
	}
	if p.Properties, err = c.properties(g); err != nil {
		return nil, err
	}
	if err := checkProperties(p); err != nil { // before an expression meets a name twice
		return nil, err
	}
	if err := c.state(p, g); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(c.Aggregates)) {
		p.Aggregates = append(p.Aggregates, Aggregate{Name: name, Expr: Expr{Source: c.Aggregates[name]}})
	}
	if err := Check(p, g.EdgeColumns); err != nil {
		return nil, err
	}
	p.Order, p.Diverged = monotone(p)
	return p, nil
}

// choose finds text among names; absent stands for an empty text.
func choose[T Reduce | Edges](option, text string, names []string, absent string) (T, error) {
	if text == "" {
		text = absent
	}
	if i := slices.Index(names, text); i >= 0 {
		return T(i), nil
	}
	return 0, &ParamError{Algorithm: customName, Param: option, Value: text,
		Message: "expected one of " + strings.Join(names, ", ") + didYouMean(text, names)}
}

// bind turns Params into constants and the end of the run.
func (c Custom) bind(p *Program, g Env) error {
	ending := &Algorithm{Name: customName, Params: []Param{
		{Name: "iterations", Type: ParamInt, Optional: true, Max: math.MaxInt32},
		{Name: "tolerance", Type: ParamFloat, Default: "0"},
	}}
	endingParams := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(c.Params)) {
		if name == "iterations" || name == "tolerance" {
			endingParams[name] = c.Params[name]
			continue
		}
		constant, err := c.constant(name, g)
		if err != nil {
			return err
		}
		p.Constants = append(p.Constants, constant)
	}
	args, err := ending.Bind(endingParams, g)
	if err != nil {
		return err
	}
	c.finish(p, args)
	return nil
}

// finish chooses who sends and when the run ends.
func (c Custom) finish(p *Program, args Args) {
	settles := p.Reduce != Sum && p.Reduce != Prod
	if c.Apply == "" && settles {
		p.Activity = Changed
	} else {
		p.Activity, p.Norm, p.MaxIterations = Always, LInf, customIterations
	}
	p.Tolerance = args.Floats["tolerance"]
	if k, given := args.Ints["iterations"]; given {
		p.MaxIterations, p.Exactly = int(k), true
	}
}

func (c Custom) constant(name string, g Env) (Constant, error) {
	text := c.Params[name]
	if name == "source" {
		id, err := g.Vertex(text)
		if err != nil {
			return Constant{}, &ParamError{customName, name, text, "there is no such vertex", err}
		}
		return Constant{Name: name, Type: VertexID, Int: id}, nil
	}
	if text == "true" || text == "false" {
		return Constant{Name: name, Type: Bool, Int: map[string]int64{"true": 1}[text]}, nil
	}
	if k, err := strconv.ParseInt(text, 10, 64); err == nil {
		return Constant{Name: name, Type: Int, Int: k}, nil
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil && x == x {
		return Constant{Name: name, Type: Float, Float: x}, nil
	}
	return Constant{}, &ParamError{Algorithm: customName, Param: name, Value: text,
		Message: "expected a number, true or false"}
}

// properties have the types that the graph gives them.
func (c Custom) properties(g Env) (all []Property, err error) {
	for _, name := range slices.Sorted(maps.Keys(c.Properties)) {
		known := slices.IndexFunc(g.VertexColumns, func(c Column) bool { return c.Name == name })
		if known < 0 {
			return nil, &ParamError{Algorithm: customName, Param: "property", Value: name,
				Message: Param{Values: Float}.noVertexProperty(name, g.VertexColumns)}
		}
		in := VertexInput{Column: g.VertexColumns[known], Property: name, Missing: c.Properties[name]}
		if in.Missing != "" {
			if _, _, err := in.Default(); err != nil {
				return nil, &ParamError{Algorithm: customName, Param: "property", Value: name + "=" + in.Missing,
					Message: fmt.Sprintf("expected %s for the vertices without a value", in.Type.article())}
			}
		}
		all = append(all, Property{Name: in.Name, Type: in.Type})
	}
	return all, nil
}

// state gives p its column: the name from the expressions, the type from Init.
func (c Custom) state(p *Program, g Env) error {
	name, err := c.column(g)
	if err != nil {
		return err
	}
	init := Expr{Source: c.Init}
	t, err := check(p, "init of "+name, &init, initScope(p))
	if err != nil {
		return err
	}
	p.State = []State{{Name: name, Type: t, Init: init, Apply: Expr{Source: c.Apply}}}
	return nil
}

// column is the one name after src., dst. and self. in the expressions that no vertex has
// of itself; "value" when there is none.
func (c Custom) column(g Env) (string, error) {
	var names []string
	for _, source := range append([]string{c.Process, c.Apply}, slices.Collect(maps.Values(c.Aggregates))...) {
		names = append(names, columnNames(source)...)
	}
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool {
		_, property := c.Properties[name]
		return property || slices.Contains(vertexInputs, name)
	})
	switch len(names) {
	case 0:
		return "value", nil
	case 1:
		return names[0], nil
	}
	message := fmt.Sprintf("the expressions name several columns (%s), and a program of one's own has one",
		strings.Join(names, ", "))
	for _, known := range g.VertexColumns {
		if slices.Contains(names, known.Name) {
			message += fmt.Sprintf("; should %s be the vertex property, give it as one that they read: --property %[1]s", known.Name)
			break
		}
	}
	return "", &ProgramError{customName, message}
}

// columnNames lists the x of every src.x, dst.x and self.x. An expression that does not
// parse has none: Check will say what is wrong with it.
func columnNames(source string) []string {
	env, err := operatorEnv()
	if err != nil {
		return nil
	}
	parsed, issues := env.ParseSource(common.NewTextSource(source))
	if issues.Err() != nil {
		return nil
	}
	var names []string
	celast.PostOrderVisit(parsed.NativeRep().Expr(), celast.NewExprVisitor(func(e celast.Expr) {
		if name, _ := qualifiedName(e); name != "" {
			if qualifier, column := cutLast(name); qualifier == "src." || qualifier == "dst." || qualifier == "self." {
				names = append(names, column)
			}
		}
	}))
	return names
}
