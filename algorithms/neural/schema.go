package neural

import (
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// FeatureSpec says how a property of vertices is read as rows of features.
type FeatureSpec struct {
	Property string `json:"property"`
	// MultiHot is how wide rows are whose lists name the places of ones; 0: lists are rows.
	MultiHot int `json:"multi_hot,omitempty"`
	// Normalize divides each row by the sum of its absolute values, unless that is 0.
	Normalize bool `json:"normalize,omitempty"`
}

// Task is what a model learns to say of vertices, or of pairs of them.
type Task uint8

const (
	Classes Task = iota // one class of several: cross-entropy
	Labels              // each of several labels or not: binary cross-entropy
	Values              // numbers: half the squared error

	EdgeValues // a number of an edge: half the squared error
	Links      // whether there is an edge: binary cross-entropy

	Topics // of what topics a document is, by those of words (algorithms/mega/lda); no network learns it
)

var taskNames = [...]string{Classes: "classes", Labels: "labels", Values: "values", EdgeValues: "edge values",
	Links: "links", Topics: "topics"}

// OfPairs says whether a task is about pairs of vertices. What the last layer gives are then vectors of vertices, of
// which a Decoder makes what the model says.
func (t Task) OfPairs() bool { return t == EdgeValues || t == Links }

func (t Task) String() string { return taskNames[t] }

// MarshalText is the task's name.
func (t Task) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads a task's name.
func (t *Task) UnmarshalText(text []byte) error {
	i := slices.Index(taskNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("there is no task %q; tasks are %v", text, taskNames)
	}
	*t = Task(i)
	return nil
}

// Schema is what a model meets: the graph's features and what is wanted.
type Schema struct {
	Features       int      `json:"features"`                  // how wide a vertex's row of features is
	Embedding      int      `json:"embedding,omitempty"`       // how many numbers are learned of each vertex, beside its features
	Outputs        int      `json:"outputs"`                   // classes, labels or numbers; how wide vectors are
	EdgeProperties []string `json:"edge_properties,omitempty"` // the numeric ones
	Task           Task     `json:"task"`
	// Sampled: neighbors may be left out (package sample), and sums are estimates of those over all.
	Sampled bool `json:"-"`
	Plain   bool `json:"-"` // nothing is hoisted or factored out; to measure what that brings
	Held    bool `json:"-"` // nothing at edges is fused: dataflow.Held
}

// The inputs of a compiled model, besides Features: what is wanted of a vertex, and how much its loss counts.
const (
	InputFeatures  = "x"
	InputWanted    = "wanted" // a class, or Outputs numbers
	InputWeight    = "weight" // 1 divided by the number of vertices that are learned from; 0 for others
	InputInDegree  = "in_degree"
	InputOutDegree = "out_degree"
	InputPerSample = "edges_per_sample" // where neighbors may be left out: how many edges each that is there stands for

	InputEmbedding = "embedding" // numbers that are learned of each vertex; they vary
	InputSlope     = "slope"     // of a loss of pairs, the gradient of what the last layer gives; it varies
)

// Start says what a parameter is before it is learned.
type Start uint8

const (
	Glorot Start = iota // uniform in ±√(6/(rows+width)): Glorot and Bengio, AISTATS 2010
	Zeros
	Ones
	Small // uniform in ±0.1
)

// Learned is a parameter of a compiled model.
type Learned struct {
	Value *dataflow.Value
	Start Start
	Fan   int  // rows + width of what a Glorot start is drawn for
	Decay bool // weight decay is on it
}

// Compiled is a model with the shapes that it has on a graph.
type Compiled struct {
	Model   Model
	Schema  Schema
	Program *dataflow.Program
	Learned []Learned         // as Program.Parameters
	Layers  []*dataflow.Value // what each gives
	Hops    int               // how far it looks: layers with edges, as often as they are repeated

	Embedding      *dataflow.Value // the input of numbers that are learned of each vertex; nil: none are
	EmbeddingSlope *dataflow.Value // its gradient
	Decoder        *Decoder        // of a task of pairs; nil: of vertices
}

// LooksAtEdges says whether values are made of edges, or of how many there are.
func LooksAtEdges(values []*dataflow.Value) bool {
	return slices.ContainsFunc(values, func(v *dataflow.Value) bool {
		return v.Place == dataflow.Edges || v.Op == dataflow.Input && (IsDegree(v.Name))
	})
}

// IsDegree says whether an input is one of degrees, which devices count.
func IsDegree(name string) bool { return name == InputInDegree || name == InputOutDegree }
