package sbm

import (
	"errors"
	"math"
	"reflect"
	"strconv"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

func read(t *testing.T, o Options) *sourcetest.Graph {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	o.Allocator = mem
	src, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	g, err := sourcetest.Read(t, src)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Features lie about the mean of their class, and means as far apart as the signal says; without one there is nothing
// to tell classes by.
func TestNew_Signal(t *testing.T) {
	for _, signal := range []float64{0, 3} {
		g := read(t, Options{Scale: 12, EdgeFactor: 1, Classes: 2, Features: 8, Signal: signal, Seed: 5})
		var means [2][8]float64
		for v, values := range g.NodeValues {
			if class := int(values[0]); class != v%2 || len(values) != 9 {
				t.Fatalf("vertex %d has class %d and %d numbers", v, class, len(values)-1)
			}
			for k, x := range values[1:] {
				means[v%2][k] += x / float64(len(g.Nodes)/2)
			}
		}
		apart := 0.0
		for k := range means[0] {
			apart += math.Abs(means[0][k]-means[1][k]) / 8
		}
		if signal == 0 && apart > 0.1 || signal > 0 && apart < 1 {
			t.Errorf("signal %g: means lie %g apart", signal, apart)
		}
	}
}

// As many edges lead to another class as mixing says, within five deviations, also where classes are not of one size;
// and the same options give the same graph.
func TestNew_Mixing(t *testing.T) {
	for _, mixing := range []float64{0, 0.3, 1} {
		o := Options{Scale: 10, EdgeFactor: 8, Classes: 5, Features: 3, Mixing: mixing, Seed: 7}
		g := read(t, o)
		again := read(t, o)
		across := 0
		for i, e := range g.Edges {
			if e.Src != again.Edges[i].Src || e.Dst != again.Edges[i].Dst {
				t.Fatalf("edge %d is another when the graph is made again", i)
			}
			if number(t, e.Src)%5 != number(t, e.Dst)%5 {
				across++
			}
		}
		n := float64(len(g.Edges))
		if off := math.Abs(float64(across) - n*mixing); off > 5*math.Sqrt(n*mixing*(1-mixing)) {
			t.Errorf("mixing %g: %d of %d edges lead to another class", mixing, across, len(g.Edges))
		}
	}
}

// number is an id.
func number(t *testing.T, id string) int {
	t.Helper()
	n, err := strconv.Atoi(id)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNew_Refuses(t *testing.T) {
	good := Options{Scale: 4, EdgeFactor: 2, Classes: 2, Features: 2, Mixing: 0.5, Signal: 1}
	for name, change := range map[string]func(*Options){
		"scale":              func(o *Options) { o.Scale = 0 },
		"edge factor":        func(o *Options) { o.EdgeFactor = 0 },
		"number of classes":  func(o *Options) { o.Classes = 17 },
		"number of features": func(o *Options) { o.Features = 0 },
		"mixing":             func(o *Options) { o.Mixing = math.NaN() },
		"signal":             func(o *Options) { o.Signal = -1 },
	} {
		o := good
		change(&o)
		_, err := New(o)
		var option *OptionError
		if !errors.As(err, &option) || option.Option != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Nodes over other edges have the same classes and features, and exactly those edges; another number of vertices is
// refused.
func TestNodes(t *testing.T) {
	o := Options{Scale: 6, Classes: 3, Features: 5, Signal: 0.5, Seed: 9, EdgeFactor: 2}
	edges, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: 6, EdgeFactor: 4, Seed: 3, Weights: true})
	if err != nil {
		t.Fatal(err)
	}
	want, err := sourcetest.Read(t, edges)
	if err != nil {
		t.Fatal(err)
	}
	over, err := Nodes(o, edges)
	if err != nil {
		t.Fatal(err)
	}
	got, err := sourcetest.Read(t, over)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Edges, want.Edges) {
		t.Error("edges are not those that were given")
	}
	if !reflect.DeepEqual(got.NodeValues, read(t, o).NodeValues) {
		t.Error("nodes are not those of the stochastic block model")
	}
	o.Scale = 7
	var bad *OptionError
	if _, err := Nodes(o, edges); !errors.As(err, &bad) || bad.Option != "scale" {
		t.Errorf("128 nodes over 64 vertices: %v", err)
	}
}
