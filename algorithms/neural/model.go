package neural

import (
	"fmt"
	"slices"
)

// Model is a graph neural network as text.
type Model struct {
	Name string `yaml:"name"`
	// SelfLoops makes each vertex a neighbor of itself, once; loops that the graph has are not counted besides.
	SelfLoops bool `yaml:"self_loops,omitempty"`
	// Reverse has messages go against edges: src is whom an edge leads to, and degrees are told as if edges were turned.
	Reverse bool    `yaml:"reverse,omitempty"`
	Layers  []Layer `yaml:"layers"`
	// Output is what a task of edges says of a pair of vertices, of src.h and dst.h, which the last layer gave, and of
	// src.bias and dst.bias, a number that is learned of each; empty: their dot product and the biases.
	Output string `yaml:"output,omitempty"`
	// Sizes are what Width and Heads of layers may name, as "hidden"; "outputs" is what the task wants.
	Sizes    map[string]int `yaml:"sizes,omitempty"`
	Training Training       `yaml:"training"`
}

// Layer is one round of Scatter, ApplyEdge, Gather and ApplyVertex.
type Layer struct {
	Edge   string `yaml:"edge,omitempty"`   // empty: the layer looks at no edges, and has no acc
	Gather string `yaml:"gather,omitempty"` // sum, mean or max; sum where it is empty
	Vertex string `yaml:"vertex"`
	Width  string `yaml:"width"`            // of what Vertex gives: a number or a size
	Heads  string `yaml:"heads,omitempty"`  // how many parts dot makes of a row: a number or a size; 1 where it is empty
	Repeat string `yaml:"repeat,omitempty"` // how many times the layer is applied, with the same parameters; 1 where it is empty
	// Widths are those of learned names that do not follow from the expressions: numbers or sizes.
	Widths map[string]string `yaml:"widths,omitempty"`
	// Decay says whether weight decay is on what this layer learns.
	Decay bool `yaml:"decay,omitempty"`
}

// Training is how a model is trained where the user says nothing else.
type Training struct {
	Epochs       int     `yaml:"epochs"`
	LearningRate float64 `yaml:"learning_rate"`
	WeightDecay  float64 `yaml:"weight_decay"`
	Dropout      float64 `yaml:"dropout"`
	Patience     int     `yaml:"patience,omitempty"`  // epochs without a better validation loss; 0: never stop early
	Optimizer    string  `yaml:"optimizer,omitempty"` // Adam (empty too) or SGD
	Momentum     float64 `yaml:"momentum,omitempty"`  // of SGD
	Schedule     string  `yaml:"schedule,omitempty"`  // of the learning rate: Constant (empty too), Linear or Cosine
}

// ModelError is a model whose parts do not fit together, apart from its expressions.
type ModelError struct {
	Model   string
	Message string
}

func (e *ModelError) Error() string { return fmt.Sprintf("model %s: %s", e.Model, e.Message) }

// Lookup is the built-in model of a name.
func Lookup(name string) (Model, bool) {
	i := slices.IndexFunc(builtin, func(m Model) bool { return m.Name == name })
	if i < 0 {
		return Model{}, false
	}
	return builtin[i], true
}

// Names lists the built-in models that give as many numbers of a vertex as are wanted.
func Names() []string {
	return slices.DeleteFunc(AllNames(), func(name string) bool { return keepsWidth[name] })
}

// AllNames lists all built-in models: those besides that keep the width of rows, for vectors of vertices.
func AllNames() []string {
	var names []string
	for _, m := range builtin {
		names = append(names, m.Name)
	}
	return names
}

// keepsWidth are the built-in models whose last layer gives rows as wide as those that it reads.
var keepsWidth = map[string]bool{"factors": true, "lightgcn": true}
