package algorithms_test

import (
	"fmt"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
)

// A program as data: what `penstock run --process … --reduce … --init …` builds.
func ExampleRunProgram() {
	g := algorithms.NewGraph(true, []int64{1, 2, 3}, []algorithms.Edge{{Src: 0, Dst: 1}, {Src: 1, Dst: 2}})
	p := &algorithms.Program{
		Name: "hops",
		State: []algorithms.State{{Name: "hops", Type: algorithms.Int,
			Init: algorithms.Expr{Source: "id == source ? 0 : unreached"}}},
		Process:   algorithms.Expr{Source: "src.hops + 1"},
		Reduce:    algorithms.Min,
		Constants: []algorithms.Constant{{Name: "source", Type: algorithms.VertexID, Int: 1}},
	}
	result, iterations, err := algorithms.RunProgram(g, p)
	fmt.Println(result[0].Ints, iterations, err)
	// Output: [0 1 2] 3 <nil>
}

// A mistake is shown where it is.
func ExampleCheck() {
	p := &algorithms.Program{
		Name:    "hops",
		State:   []algorithms.State{{Name: "hops", Type: algorithms.Int, Init: algorithms.Expr{Source: "0"}}},
		Process: algorithms.Expr{Source: "src.hops + 1.0"},
		Reduce:  algorithms.Min,
	}
	fmt.Println(algorithms.Check(p, nil))
	// Output:
	// hops, process: + is not defined for (int, double): int and double do not mix; write 1.0 instead of 1, or double(x)
	//   src.hops + 1.0
	//            ^
}

// From a name and parameters as a user gives them to a program.
func ExampleAlgorithm_Bind() {
	a, err := catalog.Lookup("sssp")
	if err != nil {
		fmt.Println(err)
		return
	}
	env := algorithms.Env{EdgeColumns: []string{"minutes"}, Vertex: func(string) (int64, error) { return 7, nil }}
	_, err = a.Bind(map[string]string{"source": "Bern", "weight": "minuets"}, env)
	fmt.Println(err)
	args, _ := a.Bind(map[string]string{"source": "Bern", "weight": "minutes"}, env)
	p, _ := a.Program(args)
	fmt.Println(p.Process.Source)
	// Output:
	// sssp: parameter weight=minuets: the graph has no such numeric edge property, only minutes; did you mean minutes?
	// src.dist + edge.minutes
}
