package penstock

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/instance"
)

// TrainRequest says what a graph neural network learns, from what, and where.
type TrainRequest struct {
	Model string // gcn, g-gcn, gat, sage, sage-max, commnet, gg-nn, mlp; or one of your own as YAML (docs/gnn.md)
	// Settings are what differs from what the model says, by name: hidden, heads, epochs, patience, learning_rate,
	// weight_decay, dropout, momentum.
	Settings  map[string]float64
	Optimizer string   // "adam" or "sgd"; empty: as the model says
	Schedule  string   // of the learning rate: "constant", "linear" or "cosine"; empty: as the model says
	Features  string   // the node property that it reads: a number or a list of numbers
	MultiHot  int      // features list the places of ones in rows of so many numbers; 0: they are the numbers
	Normalize bool     // each row of features is divided by its sum
	Label     string   // the node property that it learns: classes, lists of labels, or numbers
	Edges     EdgeTask // what it learns in place of Label
	Embedding int      // so many numbers are learned of each vertex, beside Features or in place of them
	Values    bool     // integers are numbers, not classes
	// Split is a property that says train, validation or test; or shares, as "0.6,0.2,0.2". Empty: these, of edges
	// "0.8,0.1,0.1".
	Split string
	// Part has it learn Label on a part of the graph. Predict then asks the model about that part.
	Part
	Seed    uint64 // of all that is random: the same seed gives the same model
	Batches Batches
	Save    string // the name under which the database keeps the model; empty: it does not
	Replace bool   // in the place of a model of that name
	// Resume keeps what has been learned in the database every ten seconds, and begins with that of the very same training
	// that did not end well, if there is one.
	Resume bool
	Placement
	// Progress is called after each epoch with its number and loss; nil: it is not.
	Progress func(epoch int, loss float64)
	// Notice is called with what does not end the training and that its user should know; nil: it is not.
	Notice func(error)
}

// EdgeTask has a model learn of edges. Edges for validation and test pass no messages.
type EdgeTask struct {
	Label     string // the edge property that it learns: numbers, as ratings
	Links     bool   // it learns where there are edges
	Negatives int    // of links, from so many pairs without one for each with one; 0: 1
	Output    string // what it says of a pair, an expression of two vectors src.h and dst.h; empty: as the model says
}

// Batches have a model learn from some vertices at a time, by their sampled neighborhoods.
type Batches struct {
	Size int // vertices; 0: it learns from all at a time, over the whole graph
	// Fanout is how many neighbors of each vertex are sampled, hop by hop, where AllNeighbors are all; nil: all of every
	// hop.
	Fanout []int
}

// AllNeighbors is a Fanout that leaves no neighbor out.
const AllNeighbors = host.AllNeighbors

// Placement is where a network is computed.
type Placement struct {
	Device        string        // "cpu" (empty too), the name of an installed plugin, or the path of a plugin program
	DeviceMemory  uint64        // bytes that it may take; 0: as of a Request
	DeviceCPUTime time.Duration // that its process may take; 0: any
	Threads       int           // 0: as many as the device likes
	Timeout       time.Duration
	Log           io.Writer
}

func (p Placement) on() host.On {
	return host.On{Device: p.Device, DeviceMemory: p.DeviceMemory, DeviceCPUTime: p.DeviceCPUTime,
		Threads: p.Threads, Timeout: p.Timeout, Log: p.Log}
}

// Model describes a model that has learned.
type Model struct {
	Name         string
	Architecture string // of which model it is
	Graph        string // that it was trained on
	Snapshot     uint64
	Features     string
	Label        string   // of vertices, or of edges; empty: links
	Classes      []string // or labels
	Epochs       int
	Parameters   int // how many numbers it has learned
	Seed         uint64
	Created      time.Time
	// Accuracy, RMSE, AUC and Perplexity are by part of the split: train, validation, test. A model of classes or labels
	// has the first, of numbers the second, of links the third, of topics the fourth. Of preferences (als, implicit) there
	// is the expected percentile rank of what is held out, from 0 (best) to 1, and the recall among the first ten.
	Accuracy, RMSE, AUC, Perplexity, Percentile, Recall map[string]float64
}

// Train learns a model on the graph in a plugin process. When ctx ends the process is killed and the database is as it
// was.
//
// Errors: *plugins.Error of a device, *algorithms.ExprError of an expression, ErrUnknownGraph, ErrReadOnly.
func (db *DB) Train(ctx context.Context, graph string, request TrainRequest) (Model, error) {
	inner, err := request.inner()
	if err != nil {
		return Model{}, public(err)
	}
	events := host.TrainEvents{Noticed: request.Notice, Trained: func(e host.TrainingEpoch) {
		if request.Progress != nil {
			request.Progress(e.Number, e.Loss)
		}
	}}
	t, err := db.inner.Models().Keep(request.Save, request.Replace, func() (*host.Trained, error) {
		return db.inner.On(graph, request.Part.inner()).Train(ctx, inner, events)
	})
	if err != nil {
		return Model{}, public(err)
	}
	return modelOf(t.Model), nil
}

// inner is the request as the host has it.
func (r TrainRequest) inner() (host.TrainRequest, error) {
	model, err := r.model()
	return host.TrainRequest{Model: model, Label: r.Label, Values: r.Values, Split: r.Split,
		Seed: r.Seed, Batch: r.Batches.Size, Fanout: r.Batches.Fanout, Resume: r.Resume,
		EdgeLabel: r.Edges.Label, Links: r.Edges.Links, Negatives: r.Edges.Negatives,
		Embedding: r.Embedding, On: r.on(),
		Features: neural.FeatureSpec{Property: r.Features, MultiHot: r.MultiHot, Normalize: r.Normalize}}, err
}

// model is the one that the request names, or has as text, with its settings.
func (r TrainRequest) model() (neural.Model, error) {
	m, builtIn := neural.Lookup(r.Model)
	if !builtIn {
		var err error
		if m, err = neural.Parse("own", []byte(r.Model)); err != nil {
			return m, err
		}
	}
	changes, err := neural.ChangesOf(r.Settings)
	if err != nil {
		return m, err
	}
	if r.Optimizer != "" {
		changes.Optimizer = &r.Optimizer
	}
	if r.Edges.Output != "" {
		changes.Output = &r.Edges.Output
	}
	if r.Schedule != "" {
		changes.Schedule = &r.Schedule
	}
	return m.With(changes)
}

func modelOf(m *trained.Model) Model {
	public := Model{Name: m.Name, Architecture: m.Architecture.Name, Graph: m.Graph, Snapshot: m.Snapshot,
		Features: m.Features.Property, Label: m.Label, Classes: m.Classes, Epochs: m.Epochs, Parameters: m.Count(),
		Seed: m.Seed, Created: m.Created, Accuracy: map[string]float64{}, RMSE: map[string]float64{},
		AUC: map[string]float64{}, Perplexity: map[string]float64{}, Percentile: map[string]float64{},
		Recall: map[string]float64{}}
	for part, s := range m.Scores {
		if s.Accuracy != nil {
			public.Accuracy[part] = *s.Accuracy
		}
		if s.RMSE != nil {
			public.RMSE[part] = *s.RMSE
		}
		if s.AUC != nil {
			public.AUC[part] = *s.AUC
		}
		if s.Percentile != nil {
			public.Percentile[part], public.Recall[part] = *s.Percentile, *s.Recall
		}
		if s.Perplexity != nil {
			public.Perplexity[part] = *s.Perplexity
		}
	}
	return public
}

// Models describes the models of the database, by name.
func (db *DB) Models(context.Context) ([]Model, error) {
	all, err := db.inner.Models().All()
	if err != nil {
		return nil, public(err)
	}
	models := make([]Model, len(all))
	for i, m := range all {
		models[i] = modelOf(m)
	}
	return models, nil
}

// DropModel removes a model.
func (db *DB) DropModel(_ context.Context, name string) error {
	return public(db.inner.Models().Drop(name))
}

// Predictions are what a model says of the vertices of a graph, with the snapshot that it was asked about, which stays
// until Close.
type Predictions struct {
	Width int       // numbers of each vertex
	Rows  []float32 // one vertex after the other, in the order in which vertices are stored
	// Of are the places of the vertices that the model says something of, ascending: all of them, but for lr and blockpg,
	// which say something of samples, and whose vectors are of features, and lda, of documents and of words.
	Of    []uint32
	inner *instance.Predictions
}

// Predict asks a model of the database about every vertex of a graph, or of the part of it that the model was trained
// on: the most probable class by its logits, numbers,
// or, with embedding, the vectors that the layer before the last makes. The graph's features must be as wide as those
// that the model was trained with.
//
// Errors: as of Train.
func (db *DB) Predict(ctx context.Context, graph, model string, embedding bool, at Placement) (*Predictions, error) {
	m, err := db.inner.Models().Get(model)
	if err != nil {
		return nil, public(err)
	}
	p, err := db.inner.Predict(ctx, graph, m, embedding, at.on())
	if err != nil {
		return nil, public(err)
	}
	return &Predictions{Width: p.Width, Rows: p.Rows, Of: p.Of, inner: p}, nil
}

// Pair is two vertices, by the user's ids.
type Pair struct{ Source, Target string }

// PredictPairs asks a model that was trained with an EdgeTask about pairs of vertices, which need not be edges:
// what the value of an edge between them would be, or how probable one is. Values come in the order of pairs.
//
// Errors: ErrUnknownVertex; as of Train.
func (db *DB) PredictPairs(ctx context.Context, graph, model string, pairs []Pair, at Placement) ([]float64, error) {
	m, err := db.inner.Models().Get(model)
	if err != nil {
		return nil, public(err)
	}
	ids := make([][2]string, len(pairs))
	for i, p := range pairs {
		ids[i] = [2]string{p.Source, p.Target}
	}
	values, err := instance.PredictIDs(ctx, db.inner, graph, m, ids, at.on())
	return values, public(err)
}

// RecommendRequest says what is to be recommended. The zero value: ten suggestions for every vertex that an edge leads
// from.
type RecommendRequest struct {
	Top int // suggestions for each vertex, at the most; 0: ten
	// For is a condition of openCypher on vertices u, such as `u.name = "x"`; empty: all that an edge leads from.
	For string
	Placement
}

// Recommendation is a vertex that a model says much of together with another, by the user's ids.
type Recommendation struct {
	Node, Item string
	Score      float64
}

// Recommend asks a model that was trained with an EdgeTask which vertices it says most of together with each of some
// others: the highest values, of links the highest probabilities, among all vertices that an edge leads to and that the
// vertex has no edge to. Suggestions are exact, and come vertex by vertex, the best first.
//
// Errors: those of a statement for a condition that is none; as of Train.
func (db *DB) Recommend(ctx context.Context, graph, model string, request RecommendRequest) ([]Recommendation, error) {
	m, err := db.inner.Models().Get(model)
	if err != nil {
		return nil, public(err)
	}
	r, err := instance.Recommend(ctx, db.inner, graph, m, instance.RecommendRequest{
		Top: cmp.Or(request.Top, host.DefaultTop), For: request.For, On: request.on()})
	if err != nil {
		return nil, public(err)
	}
	all := make([]Recommendation, len(r.Scores))
	for i, score := range r.Scores {
		all[i] = Recommendation{r.Vertices.Text(i), r.Items.Text(i), score}
	}
	return all, nil
}

// PredictEdges asks a model that was trained with an EdgeTask about the edges of a graph, and stores what it says as an
// edge property, in one atomic step: the value of each, or how probable it is.
//
// Errors: ErrConflict, when the graph was changed since; as of Train.
func (db *DB) PredictEdges(ctx context.Context, graph, model, property string, at Placement) error {
	m, err := db.inner.Models().Get(model)
	if err != nil {
		return public(err)
	}
	p, err := instance.PredictEdges(ctx, db.inner, graph, m, at.on())
	if err != nil {
		return public(err)
	}
	defer p.Close()
	_, err = p.Write(ctx, property)
	return public(err)
}

// Class is what a model of classes says of a vertex, and how probable it is.
func (p *Predictions) Class(vertex int) (class string, probability float64) {
	k, probability := p.inner.Class(vertex)
	return p.inner.Model.Classes[k], probability
}

// Write stores the predictions as node properties of the graph, in one atomic step: of a model of classes the class
// under the name property, and property_probability; else numbers.
//
// Errors: ErrConflict, when the graph was changed since.
func (p *Predictions) Write(ctx context.Context, property string) error {
	_, err := p.inner.Write(ctx, property)
	return public(err)
}

// WriteFile writes one row for each vertex that the model says something of, with the user's ids, in the format that
// the file's ending tells: .csv (.csv.gz, .csv.zst), .arrow or .parquet. The file appears when it is whole.
func (p *Predictions) WriteFile(ctx context.Context, file string) error {
	return public(p.inner.WriteFile(ctx, file))
}

// Close lets go of the snapshot.
func (p *Predictions) Close() { p.inner.Close() }
