package algorithms_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
)

// distances is SSSP as a user might write it, with room for more.
func distances() *algorithms.Program {
	return &algorithms.Program{
		Name: "distances",
		State: []algorithms.State{{Name: "dist", Type: algorithms.Float,
			Init: algorithms.Expr{Source: "id == source ? 0.0 : inf"}}},
		Process:    algorithms.Expr{Source: "src.dist + edge.weight"},
		Reduce:     algorithms.Min,
		Constants:  []algorithms.Constant{{Name: "source", Type: algorithms.VertexID, Int: 5}},
		Aggregates: []algorithms.Aggregate{{Name: "total", Expr: algorithms.Expr{Source: "self.dist"}}},
	}
}

func TestCheck_MarksTheColumn(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "expressions.txt"))
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(strings.TrimSpace(string(text)), "\n\n")[1:]
	for _, c := range cases {
		change, want, _ := strings.Cut(c, "\n")
		p := distances()
		part, source, _ := strings.Cut(change, ": ")
		replace(p, part, strings.ReplaceAll(source, `\n`, "\n"))
		err := algorithms.Check(p, []string{"weight", "time"})
		var exprErr *algorithms.ExprError
		if !errors.As(err, &exprErr) || err.Error() != want {
			t.Errorf("%s\ngot:\n%v\nwant:\n%s", change, err, want)
		}
	}
}

// replace puts another expression, or another reduction, into p.
func replace(p *algorithms.Program, part, source string) {
	switch part {
	case "process":
		p.Process.Source = source
	case "init":
		p.State[0].Init.Source = source
	case "apply":
		p.State[0].Apply.Source = source
	case "aggregate":
		p.Aggregates[0].Expr.Source = source
	case "reduce":
		p.Reduce = map[string]algorithms.Reduce{"or": algorithms.Or, "sum": algorithms.Sum}[source]
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
	if err == nil || !strings.Contains(
		err.Error(), "no edge property weight: the edges of this graph have no numeric properties") {
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
	want := []algorithms.Column{{Name: "id", Type: algorithms.Int}, {Name: "in_degree", Type: algorithms.Int},
		{Name: "dist", Type: algorithms.Float}}
	if got := algorithms.VertexColumns(p); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// FuzzCheck wants every expression to be refused with an *ExprError or to run, never to
// panic, whatever it says.
func FuzzCheck(f *testing.F) {
	for _, a := range catalog.All() {
		if a.Program == nil {
			continue
		}
		p, err := a.Program(algorithms.Args{})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p.Process.Source, p.State[0].Init.Source, p.State[0].Apply.Source)
	}
	f.Add("src.dist + edge.`weight`", "-9223372036854775808 % -1 / 0 > 1 ? inf : -inf",
		"int(acc) == 1 || !true ? 0.0 : self.dist")
	f.Add("[1].map(x, x)[0] + a.b.c{d: 1}", "has(a.b) ? b'1' : 1u", "\x00\n\t'")
	g := algorithms.NewGraph(true, []int64{5, 3, 9}, []algorithms.Edge{
		{Src: 0, Dst: 1, Weights: map[string]float64{"weight": 1}},
		{Src: 1, Dst: 2, Weights: map[string]float64{"weight": 2}}})
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
