package algorithms_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
)

// distances is SSSP as a user might write it, with room for more.
func distances() *algorithms.Program {
	return &algorithms.Program{
		Name:       "distances",
		State:      []algorithms.State{{Name: "dist", Type: algorithms.Float, Init: algorithms.Expr{Source: "id == source ? 0.0 : inf"}}},
		Process:    algorithms.Expr{Source: "src.dist + edge.weight"},
		Reduce:     algorithms.Min,
		Constants:  []algorithms.Constant{{Name: "source", Type: algorithms.VertexID, Int: 5}},
		Aggregates: []algorithms.Aggregate{{Name: "total", Expr: algorithms.Expr{Source: "self.dist"}}},
	}
}

func TestCheck_MarksTheColumn(t *testing.T) {
	process := func(source string) func(*algorithms.Program) {
		return func(p *algorithms.Program) { p.Process.Source = source }
	}
	for _, test := range []struct {
		change func(*algorithms.Program)
		want   []string // the lines of the message
	}{
		{process("src.dost + edge.weight"), []string{
			"distances, process: unknown name src.dost; did you mean src.dist?",
			"  src.dost + edge.weight",
			"  ^"}},
		{process("src.dist + 1"), []string{
			"distances, process: + is not defined for (double, int): int and double do not mix; write 1.0 instead of 1, or double(x)",
			"  src.dist + 1",
			"           ^"}},
		{process("src.dist + edge.wieght"), []string{
			"distances, process: no edge property wieght; the graph has time, weight; did you mean weight?",
			"  src.dist + edge.wieght",
			"             ^"}},
		{process("src.dist +\n  (1 + 2.0)"), []string{
			"distances, process: + is not defined for (int, double): int and double do not mix; write 1.0 instead of 1, or double(x)",
			"    (1 + 2.0)",
			"       ^"}},
		{process("sqr(src.dist)"), []string{
			"distances, process: function sqr is not available in vertex programs; did you mean sqrt?",
			"  sqr(src.dist)",
			"     ^"}},
		{process("src.dist.abs()"), []string{
			"distances, process: write abs(x), not x.abs()",
			"  src.dist.abs()",
			"              ^"}},
		{process("1 in [1] ? 1.0 : 2.0"), []string{
			"distances, process: operator in is not available in vertex programs",
			"  1 in [1] ? 1.0 : 2.0",
			"    ^"}},
		{process("[1.0][0]"), []string{
			"distances, process: indexing is not available in vertex programs",
			"  [1.0][0]",
			"       ^"}},
		{process("{1: 2.0}"), []string{
			"distances, process: lists, maps and messages are not available in vertex programs",
			"  {1: 2.0}",
			"  ^"}},
		{process("'near'"), []string{
			"distances, process: a value of type string is not available in vertex programs; use double, int or bool",
			"  'near'",
			"  ^"}},
		{process("src.dist < 1.0"), []string{
			"distances, process: this is a bool, but reduce min needs a double or an int",
			"  src.dist < 1.0",
			"  ^"}},
		{process("src.out_degree"), []string{
			"distances, process: this is an int, but column dist, which it is combined with, is a double; write double(…), or 1.0 instead of 1",
			"  src.out_degree",
			"  ^"}},
		{process(" "), []string{"distances, process: an expression is missing"}},
		{func(p *algorithms.Program) { p.Reduce = algorithms.Or }, []string{
			"distances, process: this is a double, but reduce or needs a bool",
			"  src.dist + edge.weight",
			"  ^"}},
		{func(p *algorithms.Program) { p.State[0].Init.Source = "0" }, []string{
			"distances, init of dist: this is an int, but it must be a double; write double(…), or 1.0 instead of 1",
			"  0",
			"  ^"}},
		{func(p *algorithms.Program) { p.State[0].Init.Source = "self.id == 1 ? 0.0 : inf" }, []string{
			"distances, init of dist: unknown name self.id; known here: id, in_degree, inf, n, out_degree, source, unreached",
			"  self.id == 1 ? 0.0 : inf",
			"  ^"}},
		{func(p *algorithms.Program) { p.State[0].Apply.Source = "acc + agg.totl" }, []string{
			"distances, apply of dist: unknown name agg.totl; did you mean agg.total?",
			"  acc + agg.totl",
			"        ^"}},
		{func(p *algorithms.Program) { p.Aggregates[0].Expr.Source = "self.id" }, []string{
			"distances, aggregate total: this is an int, but it must be a double; write double(…), or 1.0 instead of 1",
			"  self.id",
			"  ^"}},
	} {
		p := distances()
		test.change(p)
		err := algorithms.Check(p, []string{"weight", "time"})
		var exprErr *algorithms.ExprError
		if !errors.As(err, &exprErr) {
			t.Errorf("want an *ExprError that says %q, got %v", test.want[0], err)
			continue
		}
		if want := strings.Join(test.want, "\n"); err.Error() != want {
			t.Errorf("got:\n%v\nwant:\n%s", err, want)
		}
	}
}

func TestCheck_SyntaxError(t *testing.T) {
	p := distances()
	p.Process.Source = "src.dist +"
	var exprErr *algorithms.ExprError
	if err := algorithms.Check(p, nil); !errors.As(err, &exprErr) || exprErr.Column != 11 {
		t.Errorf("want an *ExprError at column 11, got %v", err)
	}
}

func TestCheck_NoEdgeProperties(t *testing.T) {
	err := algorithms.Check(distances(), nil)
	if err == nil || !strings.Contains(err.Error(), "no edge property weight: the edges of this graph have no numeric properties") {
		t.Errorf("got %v", err)
	}
}

func TestCheck_PartsThatDoNotFit(t *testing.T) {
	for want, change := range map[string]func(*algorithms.Program){
		"distances: a program needs a state column":                               func(p *algorithms.Program) { p.State = nil },
		"distances: iterations and tolerance must not be negative":                func(p *algorithms.Program) { p.Tolerance = -1 },
		"distances: the name of state column acc is taken; choose another":        func(p *algorithms.Program) { p.State[0].Name = "acc" },
		"distances: the name of constant id is taken; choose another":             func(p *algorithms.Program) { p.Constants[0].Name = "id" },
		`distances: the name of aggregate "a b" must be letters, digits and _`:    func(p *algorithms.Program) { p.Aggregates[0].Name = "a b" },
		`distances: the name of state column "1st" must be letters, digits and _`: func(p *algorithms.Program) { p.State[0].Name = "1st" },
		"distances: two state columns are called dist":                            func(p *algorithms.Program) { p.State = append(p.State, p.State[0]) },
	} {
		p := distances()
		change(p)
		err := algorithms.Check(p, []string{"weight"})
		var programErr *algorithms.ProgramError
		if !errors.As(err, &programErr) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestCheck_FillsInEdgeColumns(t *testing.T) {
	p := distances()
	p.Process.Source = "src.dist + edge.time * edge.`toll fee` + edge.time"
	if err := algorithms.Check(p, []string{"weight", "time", "toll fee"}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"time", "toll fee"}; !slices.Equal(p.EdgeColumns, want) {
		t.Errorf("got %q, want %q", p.EdgeColumns, want)
	}
}

// A device meets only what doc.go lists: constants by value, qualified names in one node.
func TestCheck_CheckedForm(t *testing.T) {
	p := distances()
	p.Process.Source = "src.id == source ? src.dist : inf"
	if err := algorithms.Check(p, []string{"weight"}); err != nil {
		t.Fatal(err)
	}
	values, names, overloads := 0, []string{}, []string{}
	for _, reference := range p.Process.Checked.ReferenceMap {
		overloads = append(overloads, reference.OverloadId...)
		if reference.Value != nil {
			values++
		} else if reference.Name != "" {
			names = append(names, reference.Name)
		}
	}
	slices.Sort(names)
	slices.Sort(overloads)
	if values != 2 || !slices.Equal(names, []string{"src.dist", "src.id"}) ||
		!slices.Equal(overloads, []string{"conditional_double", "equals_int64"}) {
		t.Errorf("%d values, names %v, overloads %v", values, names, overloads)
	}
	call := p.Process.Checked.Expr.GetCallExpr()
	if call.GetFunction() != "_?_:_" || call.Args[1].GetIdentExpr().GetName() != "src.dist" {
		t.Errorf("checked expression %v", p.Process.Checked.Expr)
	}
}

func TestVertexColumns(t *testing.T) {
	p := distances()
	p.Process.Source = "src.dist / double(dst.in_degree)"
	if err := algorithms.Check(p, nil); err != nil {
		t.Fatal(err)
	}
	want := []algorithms.Column{{Name: "id", Type: algorithms.Int}, {Name: "in_degree", Type: algorithms.Int}, {Name: "dist", Type: algorithms.Float}}
	if got := algorithms.VertexColumns(p); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// FuzzCheck wants every expression to be refused with an *ExprError or to run, never to
// panic, whatever it says.
func FuzzCheck(f *testing.F) {
	for _, a := range algorithms.All() {
		if a.Program == nil {
			continue
		}
		p, err := a.Program(algorithms.Args{})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p.Process.Source, p.State[0].Init.Source, p.State[0].Apply.Source)
	}
	f.Add("src.dist + edge.`weight`", "-9223372036854775808 % -1 / 0 > 1 ? inf : -inf", "int(acc) == 1 || !true ? 0.0 : self.dist")
	f.Add("[1].map(x, x)[0] + a.b.c{d: 1}", "has(a.b) ? b'1' : 1u", "\x00\n\t'")
	g := algorithms.NewGraph(true, []int64{5, 3, 9}, []algorithms.Edge{
		{Src: 0, Dst: 1, Weights: map[string]float64{"weight": 1}}, {Src: 1, Dst: 2, Weights: map[string]float64{"weight": 2}}})
	f.Fuzz(func(t *testing.T, process, init, apply string) {
		p := distances()
		p.Process.Source, p.State[0].Init.Source, p.State[0].Apply.Source = process, init, apply
		p.MaxIterations = 2
		_, _, err := algorithms.RunProgram(g, p)
		var exprErr *algorithms.ExprError
		if err != nil && !errors.As(err, &exprErr) {
			t.Errorf("%q, %q, %q: %v", process, init, apply, err)
		}
		if err != nil {
			_ = err.Error()
		}
	})
}
