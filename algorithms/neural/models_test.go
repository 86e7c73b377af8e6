package neural_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// small is a built-in model with small sizes.
func small(t *testing.T, name string) neural.Model {
	t.Helper()
	m, ok := neural.Lookup(name)
	if !ok {
		t.Fatalf("no model %s", name)
	}
	m.Sizes = map[string]int{"hidden": 4, "heads": 2, "steps": 2}
	return m
}

func compile(t *testing.T, m neural.Model, s neural.Schema) *neural.Compiled {
	t.Helper()
	c, err := neural.Compile(m, s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// wanted gives data what a task wants of vertices, and parameters to a model.
func wanted(r *rand.Rand, c *neural.Compiled, d *dataflow.Data) {
	if c.Schema.Task != neural.Classes {
		d.Inputs[neural.InputWanted] = neuraltest.Normal(r, dataflow.NewMatrix(d.Vertices, c.Schema.Outputs))
	}
	for _, l := range c.Learned {
		d.Parameters[l.Value.Name] = neuraltest.Normal(r, dataflow.NewMatrix(l.Value.Rows, l.Value.Width))
	}
}

// The gradients of every built-in model are those of central differences, for every task, on graphs with vertices
// that have no edges, and whether or not something is hoisted.
func TestModels_Gradients(t *testing.T) {
	r, graphs := testseed.Rand(t), 2
	if long.Tests() {
		graphs = 10
	}
	for _, name := range neural.Names() {
		for _, task := range []neural.Task{neural.Classes, neural.Labels, neural.Values} {
			for range graphs {
				data, weights := neuraltest.RandomData(r), r.Uint64()
				var losses [2]float64
				for i, plain := range []bool{false, true} {
					c := compile(t, small(t, name), neural.Schema{Features: 4, Outputs: 4, Task: task, Plain: plain})
					wanted(rand.New(rand.NewPCG(weights, 2)), c, data)
					neuraltest.CompareGradients(t, c.Program, data)
					losses[i] = neuraltest.Loss(t, c.Program, data)
				}
				if math.Abs(losses[0]-losses[1]) > 1e-9*(1+math.Abs(losses[0])) {
					t.Errorf("%s: loss %v hoisted, %v plain", name, losses[0], losses[1])
				}
			}
		}
	}
}

// edgeWork counts the values that are computed for each edge, by operator.
func edgeWork(c *neural.Compiled) map[dataflow.Op]int {
	work := map[dataflow.Op]int{}
	for _, v := range c.Program.Values {
		if v.Place == dataflow.Edges && v.Op != dataflow.Source && v.Op != dataflow.Target {
			work[v.Op]++
		}
	}
	return work
}

// Nothing is left to do at the edges of a GCN but to add up, forward and backward; and no product is computed at an
// edge, nor a scalar product.
func TestModels_Hoist(t *testing.T) {
	for _, name := range neural.Names() {
		c := compile(t, small(t, name), neural.Schema{Features: 4, Outputs: 4})
		plain := compile(t, small(t, name), neural.Schema{Features: 4, Outputs: 4, Plain: true})
		work := edgeWork(c)
		if work[dataflow.Product] != 0 || work[dataflow.SumParts] != 0 || name == "gcn" && len(work) != 0 {
			t.Errorf("%s computes at each edge %v", name, work)
		}
		for _, v := range c.Program.Values {
			if v.Op == dataflow.Multiply && (v.Args[0].Op == dataflow.Spread || v.Args[1].Op == dataflow.Spread) {
				t.Errorf("%s repeats numbers for %v", name, v)
			}
		}
		hasProduct := slices.Contains([]string{"gcn", "g-gcn", "gat", "sage-max", "gg-nn"}, name)
		if work := edgeWork(plain); hasProduct != (work[dataflow.Product] > 0) {
			t.Errorf("%s, plain, computes at each edge %v", name, work)
		}
	}
}

// In a GCN the norm of degrees depends on nothing that is learned, so that it is computed once.
func TestModels_Fixed(t *testing.T) {
	c := compile(t, small(t, "gcn"), neural.Schema{Features: 4, Outputs: 4})
	fixed := dataflow.Fixed(c.Program.Values)
	for _, v := range c.Program.Values {
		if (v.Op == dataflow.Sqrt || v.Op == dataflow.Divide) && !fixed[v] {
			t.Errorf("%v is computed anew each time", v)
		}
		if (v.Op == dataflow.Product || v.Op == dataflow.Mask || v.Op == dataflow.GatherSum) && fixed[v] {
			t.Errorf("%v is computed once", v)
		}
	}
}

// one is a model of one layer.
func one(l neural.Layer) neural.Model {
	return neural.Model{Name: "mine", Sizes: map[string]int{"hidden": 8}, Layers: []neural.Layer{l}}
}

func TestCompile_Errors(t *testing.T) {
	for _, c := range []struct {
		layer neural.Layer
		want  string
	}{
		{neural.Layer{Vertex: "self.h * W +", Width: "outputs"}, "mine, vertex of layer 1: Syntax error"},
		{neural.Layer{Vertex: "self.hh * W", Width: "outputs"},
			"unknown name self.hh; did you mean self.h?; what is learned begins with a capital letter\n  self.hh * W\n  ^"},
		{neural.Layer{Edge: "src.h", Gather: "sum", Vertex: "relus(acc * W)", Width: "outputs"},
			"function relus is not available in models; did you mean relu?\n  relus(acc * W)\n  ^"},
		{neural.Layer{Edge: "src.h", Gather: "median", Vertex: "acc * W", Width: "outputs"},
			`model mine: layer 1: gather is "median"; it must be sum, mean or max`},
		{neural.Layer{Vertex: "W * self.h", Width: "outputs"}, "write x * W: rows are multiplied with a matrix on their right"},
		{neural.Layer{Vertex: "self.h * W + W", Width: "outputs"}, "W is used as a matrix in one place and as a row in another"},
		{neural.Layer{Vertex: "self.h * W", Width: "hidden"}, "model mine: the last layer gives 8 numbers, but 3 are wanted"},
		{neural.Layer{Vertex: "self.h", Width: "outputs"},
			"this gives rows of 6 numbers, but the layer's width is 3\n  self.h\n  ^"},
		{neural.Layer{Vertex: "self.h * W", Width: "wide"},
			`model mine: layer 1: width is "wide"; it must be a number or one of the sizes hidden, outputs`},
		{neural.Layer{Vertex: "softmax(self.h * W)", Width: "outputs"}, "softmax is over the edges into a vertex"},
		{neural.Layer{Vertex: "acc * W", Width: "outputs"}, "unknown name acc"},
		{neural.Layer{Edge: "edge.cost * src.h", Vertex: "acc * W", Width: "outputs"}, "unknown name edge.cost"},
		{neural.Layer{Vertex: "self.h % 2", Width: "outputs"}, "operator % is not available in models"},
		{neural.Layer{Vertex: "relu(self.h, 1)", Width: "outputs"}, "relu takes 1 argument, not 2"},
		{neural.Layer{Vertex: "self.h.relu()", Width: "outputs"}, "write relu(x), not x.relu()"},
		{neural.Layer{Vertex: "concat(self.h * W, self.h)", Width: "outputs"}, "this must be 3 wide, but a part of it is 6 wide"},
		{neural.Layer{Edge: "dot(src.h, A) * src.h", Vertex: "acc * W", Width: "outputs", Heads: "4"},
			"6 numbers cannot be parted among 4 heads"},
		{neural.Layer{Vertex: `"text"`, Width: "outputs"}, "only numbers, names, operators and functions are available"},
		{neural.Layer{Width: "outputs"}, "vertex of layer 1 is missing"},
		{neural.Layer{Vertex: "self.h * W", Width: "3", Repeat: "2"}, "layer 1 is repeated"},
	} {
		_, err := neural.Compile(one(c.layer), neural.Schema{Features: 6, Outputs: 3, EdgeProperties: []string{"weight"}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.layer, err, c.want)
			continue
		}
		var inText *algorithms.ExprError
		var inModel *neural.ModelError
		if !errors.As(err, &inText) && !errors.As(err, &inModel) {
			t.Errorf("%+v: %T", c.layer, err)
		}
	}
}

// Shapes follow from the expressions.
func TestCompile_Shapes(t *testing.T) {
	for _, c := range []struct {
		layer neural.Layer
		want  string
	}{
		{neural.Layer{Edge: "sigmoid(dst.h * WH + src.h * WC) * src.h", Vertex: "relu(acc * W)", Width: "outputs"},
			"WH 6×6 WC 6×6 W 6×3"},
		{neural.Layer{Vertex: "concat(self.h, self.x * V) * W + B", Width: "outputs"}, ""},
		{neural.Layer{Edge: "softmax(dot(src.h * W, A)) * (src.h * W)", Vertex: "acc + B", Width: "outputs", Heads: "3"},
			"W 6×3 A 1×3 B 1×3"},
		{neural.Layer{Edge: "edge.weight * src.h", Vertex: "layer_norm(acc * W + self.h * V)", Width: "outputs"}, "W 6×3 V 6×3"},
		{neural.Layer{Vertex: "scale(self.h, S) * W", Width: "outputs"}, "S 1×6 W 6×3"},
	} {
		got, err := neural.Compile(one(c.layer), neural.Schema{Features: 6, Outputs: 3, EdgeProperties: []string{"weight"}})
		if err != nil {
			if c.want != "" || !strings.Contains(err.Error(), "the shape of V does not follow") {
				t.Errorf("%+v: %v", c.layer, err)
			}
			continue
		}
		var shapes []string
		for _, l := range got.Learned {
			name := strings.TrimPrefix(l.Value.Name, "layer1.")
			shapes = append(shapes, fmt.Sprintf("%s %d×%d", name, l.Value.Rows, l.Value.Width))
		}
		if text := strings.Join(shapes, " "); text != c.want {
			t.Errorf("%+v: %s, want %s", c.layer, text, c.want)
		}
	}
}
