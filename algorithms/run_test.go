package algorithms_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
)

// chain is the directed graph 10→11→12 with weights 2 and 3, and a loop at 12.
func chain(directed bool) *algorithms.Graph {
	weight := func(w float64) map[string]float64 { return map[string]float64{"weight": w} }
	return algorithms.NewGraph(directed, []int64{10, 11, 12}, []algorithms.Edge{
		{Src: 0, Dst: 1, Weights: weight(2)}, {Src: 1, Dst: 2, Weights: weight(3)}, {Src: 2, Dst: 2, Weights: weight(7)}})
}

func column(name string, t algorithms.Type, init, apply string) algorithms.State {
	return algorithms.State{Name: name, Type: t, Init: algorithms.Expr{Source: init},
		Apply: algorithms.Expr{Source: apply}}
}

// ints runs a program of one Int column x for its iterations.
func ints(t *testing.T, g *algorithms.Graph, p algorithms.Program) []int64 {
	t.Helper()
	result, _, err := algorithms.RunProgram(g, &p)
	if err != nil {
		t.Fatal(err)
	}
	return result[0].Ints
}

func TestRunProgram_Directions(t *testing.T) {
	for _, test := range []struct {
		edges    algorithms.Edges
		directed bool
		want     []int64 // sum of the senders' ids
	}{
		{algorithms.Forward, true, []int64{0, 10, 11 + 12}},
		{algorithms.Backward, true, []int64{11, 12, 12}},
		{algorithms.BothSides, true, []int64{11, 10 + 12, 11 + 12 + 12}},
		{algorithms.Forward, false, []int64{11, 10 + 12, 11 + 12}},
		{algorithms.Backward, false, []int64{11, 10 + 12, 11 + 12}},
		{algorithms.BothSides, false, []int64{11, 10 + 12, 11 + 12}},
	} {
		got := ints(t, chain(test.directed), algorithms.Program{Name: "senders",
			State:   []algorithms.State{column("x", algorithms.Int, "0", "acc")},
			Process: algorithms.Expr{Source: "src.id"}, Reduce: algorithms.Sum, Edges: test.edges,
			Activity: algorithms.Always, MaxIterations: 1, Exactly: true})
		if !slices.Equal(got, test.want) {
			t.Errorf("%v, directed %v: got %v, want %v", test.edges, test.directed, got, test.want)
		}
	}
}

// Only vertices whose first column is not Reduce's identity send at first.
func TestRunProgram_FirstActiveSet(t *testing.T) {
	got := ints(t, chain(true), algorithms.Program{Name: "first", State: []algorithms.State{
		column("x", algorithms.Int, "id == 11 ? 0 : 1", "acc")},
		Process: algorithms.Expr{Source: "src.x + 5"}, Reduce: algorithms.Prod, MaxIterations: 1, Exactly: true})
	if want := []int64{1, 1, 5}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v: vertices at 1, the identity of prod, do not send", got, want)
	}
}

// All columns change together, from what they were before the iteration.
func TestRunProgram_AppliesTogether(t *testing.T) {
	result, iterations, err := algorithms.RunProgram(chain(true),
		&algorithms.Program{Name: "swap", State: []algorithms.State{
			column("a", algorithms.Int, "id", "self.b"), column("b", algorithms.Int, "-id", "self.a"),
			column("c", algorithms.Float, "double(n)", "")},
			Process: algorithms.Expr{Source: "0"}, Reduce: algorithms.Sum, Activity: algorithms.Always, MaxIterations: 3,
			Exactly: true})
	if err != nil || iterations != 3 {
		t.Fatal(iterations, err)
	}
	if !slices.Equal(result[0].Ints, []int64{-10, -11, -12}) || !slices.Equal(result[1].Ints, []int64{10, 11, 12}) ||
		result[2].Floats[1] != 3 {
		t.Errorf("got %v", result)
	}
}

func TestRunProgram_Aggregates(t *testing.T) {
	result, _, err := algorithms.RunProgram(chain(true), &algorithms.Program{Name: "share",
		State:   []algorithms.State{column("x", algorithms.Float, "double(id)", "self.x / agg.total")},
		Process: algorithms.Expr{Source: "0.0"}, Reduce: algorithms.Sum, Activity: algorithms.Always, MaxIterations: 2,
		Exactly:    true,
		Aggregates: []algorithms.Aggregate{{Name: "total", Expr: algorithms.Expr{Source: "self.x"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := result[0].Floats; math.Abs(got[0]-10.0/33) > 1e-15 || math.Abs(got[0]+got[1]+got[2]-1) > 1e-15 {
		t.Errorf("got %v", got)
	}
}

func TestRunProgram_Convergence(t *testing.T) {
	halve := func(change func(*algorithms.Program)) int {
		p := &algorithms.Program{Name: "halve", State: []algorithms.State{column("x", algorithms.Float, "8.0",
			"self.x / 2.0")},
			Process: algorithms.Expr{Source: "0.0"}, Reduce: algorithms.Sum, Activity: algorithms.Always, MaxIterations: 20}
		change(p)
		_, iterations, err := algorithms.RunProgram(chain(true), p)
		if err != nil {
			t.Fatal(err)
		}
		return iterations
	}
	for name, test := range map[string]struct {
		change func(*algorithms.Program)
		want   int
	}{
		"no norm":  {func(*algorithms.Program) {}, 20},
		"largest":  {func(p *algorithms.Program) { p.Norm, p.Tolerance = algorithms.LInf, 1 }, 3}, // 4, 2, 1
		"total":    {func(p *algorithms.Program) { p.Norm, p.Tolerance = algorithms.L1, 1 }, 5},   // 12, 6, 3, 1.5, 0.75
		"exactly":  {func(p *algorithms.Program) { p.Norm, p.Tolerance, p.Exactly = algorithms.LInf, 1, true }, 20},
		"vertices": {func(p *algorithms.Program) { p.MaxIterations = 0 }, 3},
		"none":     {func(p *algorithms.Program) { p.MaxIterations, p.Exactly = 0, true }, 0},
	} {
		if got := halve(test.change); got != test.want {
			t.Errorf("%s: %d iterations, want %d", name, got, test.want)
		}
	}
}

// A NaN that stays is no change, and an infinity that stays changes by nothing.
func TestRunProgram_SettlesOnNaNAndInfinity(t *testing.T) {
	_, iterations, err := algorithms.RunProgram(chain(true), &algorithms.Program{Name: "odd",
		State:   []algorithms.State{column("x", algorithms.Float, "id == 10 ? inf : inf - inf", "self.x")},
		Process: algorithms.Expr{Source: "src.x"}, Reduce: algorithms.Sum, MaxIterations: 9})
	if err != nil || iterations != 1 {
		t.Errorf("%d iterations, %v; want 1", iterations, err)
	}
}

func TestRunProgram_AndOfIncoming(t *testing.T) {
	result, _, err := algorithms.RunProgram(chain(true), &algorithms.Program{Name: "all", State: []algorithms.State{
		column("ok", algorithms.Bool, "id != 11", "")},
		Process: algorithms.Expr{Source: "src.ok"}, Reduce: algorithms.And, MaxIterations: 5})
	if err != nil {
		t.Fatal(err)
	}
	if want := []bool{true, false, false}; !slices.Equal(result[0].Bools, want) {
		t.Errorf("got %v, want %v", result[0].Bools, want)
	}
}

func TestRunProgram_LeavesTheProgramAlone(t *testing.T) {
	p := distances()
	if _, _, err := algorithms.RunProgram(chain(true), p); err != nil {
		t.Fatal(err)
	}
	if p.Process.Checked != nil || p.State[0].Init.Checked != nil || p.Aggregates[0].Expr.Checked != nil ||
		p.EdgeColumns != nil {
		t.Error("the program was changed")
	}
}

func TestRunProgram_EmptyGraph(t *testing.T) {
	g := algorithms.NewGraph(true, nil, []algorithms.Edge{})
	p := distances()
	p.Process.Source = "src.dist"
	result, iterations, err := algorithms.RunProgram(g, p)
	if err != nil || iterations != 0 || result[0].Len() != 0 {
		t.Errorf("%v, %d iterations, %v", result, iterations, err)
	}
}

// Cycles on which there is no best path are found, by the program and by the oracle.
func TestRunProgram_Diverges(t *testing.T) {
	for name, weight := range map[string]float64{"sssp": -1, "max-cost": 1, "min-reliability": 0.5, "max-reliability": 2,
		"num-paths": 1} {
		w := map[string]float64{"weight": weight}
		g := algorithms.NewGraph(true, []int64{1, 2, 3}, []algorithms.Edge{
			{Src: 0, Dst: 1, Weights: w}, {Src: 1, Dst: 2, Weights: w}, {Src: 2, Dst: 1, Weights: w}})
		a, err := catalog.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		args := algorithms.Args{Ints: map[string]int64{"source": 1}, Strings: map[string]string{"weight": "weight"},
			Directed: true}
		p, err := a.Program(args)
		if err != nil {
			t.Fatal(err)
		}
		_, _, ran := algorithms.RunProgram(g, p)
		_, asked := a.Oracle(g, args)
		var diverged *algorithms.DivergedError
		if !errors.As(ran, &diverged) || !errors.As(asked, &diverged) || ran.Error() != asked.Error() {
			t.Errorf("%s: program %v, oracle %v", name, ran, asked)
		}
	}
}

// Negative weights without a negative cycle are an ordinary case of SSSP.
func TestSSSP_NegativeWeights(t *testing.T) {
	weight := func(w float64) map[string]float64 { return map[string]float64{"weight": w} }
	g := algorithms.NewGraph(true, []int64{1, 2, 3}, []algorithms.Edge{
		{Src: 0, Dst: 2, Weights: weight(1)}, {Src: 0, Dst: 1, Weights: weight(4)}, {Src: 1, Dst: 2, Weights: weight(-4)}})
	a, _ := catalog.Lookup("sssp")
	args := algorithms.Args{Ints: map[string]int64{"source": 1}, Strings: map[string]string{"weight": "weight"}}
	p, _ := a.Program(args)
	got, _, err := algorithms.RunProgram(g, p)
	if err != nil || !slices.Equal(got[0].Floats, []float64{0, 4, 0}) {
		t.Errorf("program: %v, %v", got, err)
	}
	want, err := a.Oracle(g, args)
	if err != nil || !slices.Equal(want[0].Floats, []float64{0, 4, 0}) || a.Verify(g, args, want) != nil {
		t.Errorf("oracle: %v, %v", want, err)
	}
}
