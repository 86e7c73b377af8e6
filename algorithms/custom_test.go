package algorithms_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
)

func TestCustom_ShortestPaths(t *testing.T) {
	custom := algorithms.Custom{Process: "src.dist + edge.weight", Reduce: "min", Init: "id == source ? 0.0 : inf",
		Params: map[string]string{"source": "a"}}
	p, err := custom.Build(env("weight"))
	if err != nil {
		t.Fatal(err)
	}
	if p.State[0].Name != "dist" || p.State[0].Type != algorithms.Float || p.Activity != algorithms.Changed {
		t.Errorf("state %+v, activity %v", p.State, p.Activity)
	}
	weight := map[string]float64{"weight": 2}
	result, _, err := algorithms.RunProgram(algorithms.NewGraph(true, []int64{7, 8, 9},
		[]algorithms.Edge{{Src: 0, Dst: 1, Weights: weight}}), p)
	if err != nil || !slices.Equal(result[0].Floats, []float64{0, 2, math.Inf(1)}) {
		t.Errorf("got %v, %v", result, err)
	}
}

func TestCustom_InfersNameAndType(t *testing.T) {
	for _, test := range []struct {
		custom algorithms.Custom
		want   algorithms.Column
	}{
		{algorithms.Custom{Process: "src.depth + 1", Reduce: "min", Init: "unreached"},
			algorithms.Column{Name: "depth", Type: algorithms.Int}},
		{algorithms.Custom{Process: "src.id", Reduce: "max", Init: "id"},
			algorithms.Column{Name: "value", Type: algorithms.Int}},
		{algorithms.Custom{Process: "true", Reduce: "or", Init: "false", Apply: "self.hit || acc"},
			algorithms.Column{Name: "hit", Type: algorithms.Bool}},
		{algorithms.Custom{Process: "1.0", Reduce: "sum", Init: "0.0", Apply: "acc"},
			algorithms.Column{Name: "value", Type: algorithms.Float}},
	} {
		p, err := test.custom.Build(env())
		if err != nil {
			t.Errorf("%+v: %v", test.custom, err)
			continue
		}
		if got := (algorithms.Column{Name: p.State[0].Name, Type: p.State[0].Type}); got != test.want {
			t.Errorf("got %v, want %v", got, test.want)
		}
	}
}

func TestCustom_ParametersAndEnd(t *testing.T) {
	custom := algorithms.Custom{Process: "src.x * rate", Reduce: "sum", Init: "fresh ? 1.0 : double(k)", Apply: "acc",
		Edges:  "backward",
		Params: map[string]string{"rate": "0.5", "k": "-3", "fresh": "true", "iterations": "4", "tolerance": "0.1"}}
	p, err := custom.Build(env())
	if err != nil {
		t.Fatal(err)
	}
	want := []algorithms.Constant{{Name: "fresh", Type: algorithms.Bool, Int: 1},
		{Name: "k", Type: algorithms.Int, Int: -3},
		{Name: "rate", Type: algorithms.Float, Float: 0.5}}
	if !slices.Equal(p.Constants, want) || p.MaxIterations != 4 || !p.Exactly || p.Tolerance != 0.1 ||
		p.Activity != algorithms.Always || p.Norm != algorithms.LInf || p.Edges != algorithms.Backward {
		t.Errorf("got %+v", p)
	}
}

func TestCustom_Errors(t *testing.T) {
	good := algorithms.Custom{Process: "src.dist + 1.0", Reduce: "min", Init: "0.0"}
	for want, change := range map[string]func(*algorithms.Custom){
		"program: parameter reduce=mni: expected one of sum, prod, min, max, and, or; did you mean min?":                      func(c *algorithms.Custom) { c.Reduce = "mni" },
		"program: parameter reduce: expected one of sum, prod, min, max, and, or":                                             func(c *algorithms.Custom) { c.Reduce = "" },
		"program: parameter edges=up: expected one of forward, backward, both":                                                func(c *algorithms.Custom) { c.Edges = "up" },
		`program: parameter source=c: there is no such vertex: no vertex "c"`:                                                 func(c *algorithms.Custom) { c.Params = map[string]string{"source": "c"} },
		"program: parameter k=x: expected a number, true or false":                                                            func(c *algorithms.Custom) { c.Params = map[string]string{"k": "x"} },
		"program: parameter iterations=-1: expected a whole number, 0 or more":                                                func(c *algorithms.Custom) { c.Params = map[string]string{"iterations": "-1"} },
		"program: iterations and tolerance must not be negative":                                                              func(c *algorithms.Custom) { c.Params = map[string]string{"tolerance": "-1"} },
		"program: the name of constant acc is taken; choose another":                                                          func(c *algorithms.Custom) { c.Params = map[string]string{"acc": "1"} },
		"program: the expressions name several columns (dist, dost), and a program of one's own has one":                      func(c *algorithms.Custom) { c.Apply = "self.dost" },
		"program, init of dist: an expression is missing":                                                                     func(c *algorithms.Custom) { c.Init = "" },
		"program, init of dist: unknown name source; known here: id, in_degree, inf, n, out_degree, unreached\n  source\n  ^": func(c *algorithms.Custom) { c.Init = "source" },
		"program, process: an expression is missing":                                                                          func(c *algorithms.Custom) { c.Process = "" },
		"program, process: this is a double, but column dist, which it is combined with, is an int; write int(…)\n  src.id == 1 ? 1.0 : double(src.dist)\n  ^": func(c *algorithms.Custom) {
			c.Process, c.Init = "src.id == 1 ? 1.0 : double(src.dist)", "0"
		},
	} {
		c := good
		change(&c)
		_, err := c.Build(env())
		var expr *algorithms.ExprError
		var param *algorithms.ParamError
		var program *algorithms.ProgramError
		if !errors.As(err, &expr) && !errors.As(err, &param) && !errors.As(err, &program) {
			t.Errorf("no typed error: %v", err)
		}
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// PageRank can be written by hand, dangling vertices and all.
func TestCustom_Aggregates(t *testing.T) {
	custom := algorithms.Custom{
		Init: "1.0 / double(n)", Process: "src.rank / double(src.out_degree)", Reduce: "sum",
		Aggregates: map[string]string{"dangling": "self.out_degree == 0 ? self.rank : 0.0"},
		Apply:      "0.15 / double(n) + 0.85 * (acc + agg.dangling / double(n))",
		Params:     map[string]string{"iterations": "10"},
	}
	p, err := custom.Build(env())
	if err != nil {
		t.Fatal(err)
	}
	g := algorithms.NewGraph(true, []int64{1, 2, 3, 4},
		[]algorithms.Edge{{Src: 0, Dst: 1}, {Src: 1, Dst: 2}, {Src: 0, Dst: 2}, {Src: 3, Dst: 0}})
	got, _, err := algorithms.RunProgram(g, p)
	if err != nil {
		t.Fatal(err)
	}
	pagerank, err := catalog.Lookup("pagerank")
	if err != nil {
		t.Fatal(err)
	}
	args, err := pagerank.Bind(map[string]string{"iterations": "10"}, env())
	if err != nil {
		t.Fatal(err)
	}
	want, err := pagerank.Oracle(g, args)
	if err != nil {
		t.Fatal(err)
	}
	for v, rank := range want[0].Floats {
		if math.Abs(got[0].Floats[v]-rank) > 1e-12 {
			t.Errorf("vertex %d: %v, want %v", v, got[0].Floats[v], rank)
		}
	}
}
