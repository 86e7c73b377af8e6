package algorithms_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
)

// env is a graph of two vertices, a with the id 7 and b with 8.
func env(edgeColumns ...string) algorithms.Env {
	return algorithms.Env{Directed: true, EdgeColumns: edgeColumns, Vertex: func(user string) (int64, error) {
		if id, found := map[string]int64{"a": 7, "b": 8}[user]; found {
			return id, nil
		}
		return 0, fmt.Errorf("no vertex %q", user)
	}}
}

func TestBind(t *testing.T) {
	for _, test := range []struct {
		algorithm string
		params    map[string]string
		env       algorithms.Env
		want      algorithms.Args
	}{
		{"pagerank", nil, env(), algorithms.Args{Floats: map[string]float64{"damping": 0.85, "tolerance": 1e-6}}},
		{"pagerank", map[string]string{"damping": "0.5", "iterations": "0"}, env(), algorithms.Args{
			Floats: map[string]float64{"damping": 0.5, "tolerance": 1e-6}, Ints: map[string]int64{"iterations": 0}}},
		{"sssp", map[string]string{"source": "a"}, env("weight", "time"), algorithms.Args{
			Ints: map[string]int64{"source": 7}, Strings: map[string]string{"weight": "weight"}}},
		{"sssp", map[string]string{"source": "a", "weight": "time"}, env("weight", "time"), algorithms.Args{
			Ints: map[string]int64{"source": 7}, Strings: map[string]string{"weight": "time"}}},
		{"sssp", map[string]string{"source": "a", "weight": ""}, env("weight"), algorithms.Args{
			Ints: map[string]int64{"source": 7}}},
		{"sssp", map[string]string{"source": "a"}, env("time"), algorithms.Args{Ints: map[string]int64{"source": 7}}},
		{"adsorption", map[string]string{"source": "a"}, env("weight"), algorithms.Args{
			Ints: map[string]int64{"source": 7}, Floats: map[string]float64{"lambda": 0.85, "tolerance": 1e-6}}},
		{"cdlp", nil, env(), algorithms.Args{Ints: map[string]int64{"iterations": 10}}},
		{"betweenness", map[string]string{"source": "b,a"}, env(), algorithms.Args{
			Ints: map[string]int64{"seed": 1}, Vertices: map[string][]int64{"source": {8, 7}}}},
	} {
		a, err := catalog.Lookup(test.algorithm)
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Bind(test.params, test.env)
		if err != nil || !got.Directed || !maps.Equal(got.Floats, test.want.Floats) ||
			!maps.Equal(got.Ints, test.want.Ints) || !maps.Equal(got.Strings, test.want.Strings) ||
			!maps.EqualFunc(got.Vertices, test.want.Vertices, slices.Equal) {
			t.Errorf("%s %v: got %+v, %v", test.algorithm, test.params, got, err)
		}
	}
}

func TestBind_Errors(t *testing.T) {
	for _, test := range []struct {
		algorithm, param, value, want string
	}{
		{"pagerank", "dampng", "1", "pagerank: parameter dampng: there is no such parameter; did you mean damping?"},
		{"bfs", "tolerance", "1", "bfs: parameter tolerance: there is no such parameter; there are source"},
		{"scc", "source", "a", "scc: parameter source: there is no such parameter; scc has none"},
		{"bfs", "", "", "bfs: parameter source: is missing: the vertex to start from"},
		{"bfs", "source", "c", `bfs: parameter source=c: there is no such vertex: no vertex "c"`},
		{"betweenness", "source", "a,c", `betweenness: parameter source=a,c: there is no such vertex: no vertex "c"`},
		{"betweenness", "source", "a,", `betweenness: parameter source=a,: there is no such vertex: no vertex ""`},
		{"betweenness", "source", "a,b,a", "betweenness: parameter source=a,b,a: vertex a is named twice"},
		{"betweenness", "sources", "0", "betweenness: parameter sources=0: expected a number of at least 1"},
		{"pagerank", "damping", "much", "pagerank: parameter damping=much: expected a finite number"},
		{"pagerank", "damping", "NaN", "pagerank: parameter damping=NaN: expected a finite number"},
		{"pagerank", "tolerance", "Inf", "pagerank: parameter tolerance=Inf: expected a finite number"},
		{"pagerank", "damping", "1.5", "pagerank: parameter damping=1.5: expected a number of at most 1"},
		{"pagerank", "tolerance", "-1", "pagerank: parameter tolerance=-1: expected a number of at least 0"},
		{"pagerank", "iterations", "-1", "pagerank: parameter iterations=-1: expected a whole number, 0 or more"},
		{"pagerank", "iterations", "2.5", "pagerank: parameter iterations=2.5: expected a whole number, 0 or more"},
		{"pagerank", "iterations", "9000000000", "pagerank: parameter iterations=9000000000: expected a number of at most 2147483647"},
		{"max-cost", "iterations", "0", "max-cost: parameter iterations=0: expected a number of at least 1"},
		{"sssp", "weight", "wieght", "sssp: parameter weight=wieght: the graph has no such numeric edge property, only time, weight; did you mean weight?"},
	} {
		a, err := catalog.Lookup(test.algorithm)
		if err != nil {
			t.Fatal(err)
		}
		params := map[string]string{}
		if test.param != "" {
			params[test.param] = test.value
		}
		if test.param != "source" && (test.algorithm == "sssp" || test.algorithm == "max-cost") {
			params["source"] = "a"
		}
		_, err = a.Bind(params, env("weight", "time"))
		var paramErr *algorithms.ParamError
		if !errors.As(err, &paramErr) || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}

func TestBind_NoEdgeProperties(t *testing.T) {
	a, _ := catalog.Lookup("sssp")
	_, err := a.Bind(map[string]string{"source": "a", "weight": "time"}, env())
	if want := "sssp: parameter weight=time: the edges of this graph have no numeric properties"; err == nil ||
		err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
