// Package learning makes models callable from a statement:
//
//	CALL ml.train('gcn', {features: 'words', label: 'class', split: 'split', save: 'topics'}) YIELD epochs, testScore
//	CALL ml.train('mf', {rank: 16, workers: 2, slack: 1, save: 'tastes'}) YIELD testScore
//	CALL ml.explain('mf', {rank: 16, workers: 2, slack: 1}) YIELD deviceBytes, plan
//	CALL ml.predict('topics') YIELD node, class, probability
//	CALL ml.predict.pairs('tastes', [[user, item]]) YIELD source, target, value
//	CALL ml.recommend('tastes', {nodes: [user], top: 10}) YIELD node, item, score
//	CALL ml.predict.write('topics', {writeProperty: 'predicted'}) · CALL ml.models()
//
// They train and predict in place, on the graph's current snapshot.
package learning

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// Runner trains models, keeps them, and asks them.
type Runner interface {
	// Train learns a network; with a name it is kept under it, in the place of another if replace says so.
	Train(ctx context.Context, graph string, of store.Projection, request host.TrainRequest, name string, replace bool) (
		*host.Trained, error)
	// Learn learns a model by a MEGA program.
	Learn(ctx context.Context, graph string, request host.Learning, name string, replace bool) (*host.Trained, error)
	// PlanTraining and PlanLearning say how Train and Learn would go, which they do not do.
	PlanTraining(ctx context.Context, graph string, of store.Projection, request host.TrainRequest, name string,
		replace bool) (*host.TrainPlan, error)
	PlanLearning(ctx context.Context, graph string, request host.Learning, name string, replace bool) (*host.LearningPlan,
		error)
	Predict(ctx context.Context, graph, model string, embedding bool, on host.On) (Predictions, error)
	// PredictPairs asks a model about pairs of nodes.
	PredictPairs(ctx context.Context, graph, model string, pairs []Pair, on host.On) (Answers, error)
	// Recommend finds top suggestions for each of some nodes, nil: for all that an edge leads from.
	Recommend(ctx context.Context, graph, model string, nodes []uint64, top int, on host.On) (Suggestions, error)
	// WriteEdges keeps what a model of edges says of those of the snapshot of that topology as a property of them.
	WriteEdges(ctx context.Context, graph, model, property string, topology uint64, on host.On) (Written, error)
	// OfPairs says whether a model says something of pairs of nodes, not of nodes.
	OfPairs(model string) (bool, error)
	Models() ([]*trained.Model, error)
}

// Predictions are what a model says of the nodes of a graph.
type Predictions interface {
	Topology() uint64                                                 // of the snapshot that it was asked about
	Nodes() []uint32                                                  // of which it says something, by numbers of its own
	Node(of uint32) uint64                                            // which one that is in the graph
	Class(node int) (class value.Value, probability float64, ok bool) // not ok: the model says numbers
	Vector(node int) []float32
	Report() host.TrainReport
	Write(ctx context.Context, property string) error
	Close()
}

// Procedures are those of models. They run on the devices named; nil: the built-in device and all that are installed.
func Procedures(runner Runner, devices []string) []*procedure.Procedure {
	c := call{runner, host.Devices{ByName: true, Names: devices}}
	none := value.OfEntries(nil)
	model := procedure.Field{Name: "model", Type: "STRING"}
	configuration := procedure.Field{Name: "configuration", Type: "MAP", Default: &none}
	return []*procedure.Procedure{
		{Name: "ml.train", Description: "train a graph neural network, or another model", Folds: true, Writes: true,
			Arguments: []procedure.Field{model, configuration}, Columns: learned, Call: met(c.train)},
		{Name: "ml.explain", Description: "how ml.train would go, before it does", Folds: true,
			Arguments: []procedure.Field{model, configuration}, Columns: planned, Call: met(c.explain)},
		{Name: "ml.predict", Description: "ask a model about every node", Folds: true,
			Arguments: []procedure.Field{model, configuration}, Columns: said, Call: met(c.predict)},
		{Name: "ml.predict.pairs", Description: "ask a model about pairs of nodes", Folds: true,
			Arguments: []procedure.Field{model, {Name: "pairs", Type: "LIST"}, configuration}, Columns: saidOfPairs,
			Call: met(c.pairs)},
		{Name: "ml.recommend", Description: "find the nodes that a model says most of together with each node", Folds: true,
			Arguments: []procedure.Field{model, configuration}, Columns: recommended, Call: met(c.recommend)},
		{Name: "ml.predict.write", Description: "keep what a model says as a property of the nodes, or of relationships", Folds: true,
			Writes: true, Arguments: []procedure.Field{model, configuration},
			Columns: []procedure.Field{field("nodePropertiesWritten", "INTEGER"),
				field("relationshipPropertiesWritten", "INTEGER"), field("totalMillis", "FLOAT"),
				field("peakDeviceBytes", "INTEGER")}, Call: met(c.write)},
		{Name: "ml.models", Description: "the models of the database", Columns: kept, Call: met(c.models)},
	}
}

type call struct {
	runner  Runner
	devices host.Devices
}

type body func(ctx context.Context, g procedure.Graph, arguments []value.Value, yield func([]value.Value) error) error

// met tells a client why a model could not be trained or asked.
func met(do body) body {
	return func(ctx context.Context, g procedure.Graph, arguments []value.Value, yield func([]value.Value) error) error {
		err := do(ctx, g, arguments, yield)
		var known *fault.Error
		if err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) ||
			errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		met := fault.Met(fault.ProcedureError, "ModelFailed", "%s", err)
		var wrong *host.RequestError
		if errors.As(err, &wrong) {
			met = fault.Met(fault.ArgumentError, "InvalidArgumentValue", "%s", err)
		}
		met.Err = err
		return met
	}
}

func field(name, kind string) procedure.Field { return procedure.Field{Name: name, Type: kind} }

func nullable(name, kind string) procedure.Field {
	return procedure.Field{Name: name, Type: kind, Nullable: true}
}

var learned = []procedure.Field{
	field("model", "STRING"), field("epochs", "INTEGER"), field("loss", "FLOAT"), nullable("trainScore", "FLOAT"),
	nullable("validationScore", "FLOAT"), nullable("testScore", "FLOAT"), field("epochMillis", "FLOAT"),
	field("totalMillis", "FLOAT"), field("peakDeviceBytes", "INTEGER"), nullable("converged", "BOOLEAN"),
}

// train learns a model.
func (c call) train(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	l, err := c.lesson("ml.train", arguments)
	if err != nil {
		return err
	}
	t, err := l.learn(ctx, c.runner, g.Name())
	if err != nil {
		return err
	}
	r := t.Report
	row := []value.Value{value.OfString(t.Model.Name), value.OfInt(int64(t.Model.Epochs)), value.OfFloat(r.Loss)}
	for _, part := range []string{"train", "validation", "test"} {
		row = append(row, scoreOf(t.Model, part))
	}
	row = append(row, value.OfFloat(r.Seconds.Epoch*1e3), value.OfFloat(r.Seconds.Total*1e3),
		value.OfInt(int64(r.Peak)), value.Value{})
	if l := r.Learner; l != nil && l.Converged != nil {
		row[len(row)-1] = value.OfBool(*l.Converged)
	}
	return yield(row)
}

// scoreOf is the accuracy on a part of the split, the error of values, the area under the curve of links, the
// percentile of preferences, or the perplexity of topics; null where there is nothing of this part.
func scoreOf(m *trained.Model, part string) value.Value {
	s := m.Scores[part]
	switch {
	case s.Accuracy != nil:
		return value.OfFloat(*s.Accuracy)
	case s.RMSE != nil:
		return value.OfFloat(*s.RMSE)
	case s.AUC != nil:
		return value.OfFloat(*s.AUC)
	case s.Percentile != nil:
		return value.OfFloat(*s.Percentile)
	case s.Perplexity != nil:
		return value.OfFloat(*s.Perplexity)
	}
	return value.Value{}
}

func (c call) on(s settings) host.On {
	on := s.request.On
	on.Allowed = c.devices
	return on
}

var said = []procedure.Field{field("node", "NODE"), nullable("class", "ANY"), nullable("probability", "FLOAT"),
	field("vector", "LIST")}

// predict gives out every node with what a model says of it.
func (c call) predict(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	p, err := c.ask(ctx, g, "ml.predict", arguments, &settings{}, predictKeys)
	if err != nil {
		return err
	}
	defer p.Close()
	row := make([]value.Value, len(said))
	for _, id := range p.Nodes() {
		node := int(id)
		row[0], row[1], row[2] = value.OfNodeID(p.Node(id)), value.Value{}, value.Value{}
		if class, probability, ok := p.Class(node); ok {
			row[1], row[2] = class, value.OfFloat(probability)
		}
		var numbers []value.Value
		for _, x := range p.Vector(node) {
			numbers = append(numbers, value.OfFloat(float64(x)))
		}
		row[3] = value.OfList(numbers)
		if err := yield(row); err != nil {
			return err
		}
	}
	return nil
}

// ask asks a model about what the statement's transaction sees.
func (c call) ask(ctx context.Context, g procedure.Graph, name string, arguments []value.Value, s *settings,
	keys map[string]setting) (Predictions, error) {
	if err := s.read(name, arguments[1], keys); err != nil {
		return nil, err
	}
	p, err := c.runner.Predict(ctx, g.Name(), arguments[0].Str(), s.embedding, c.on(*s))
	if err != nil {
		return nil, err
	}
	if p.Topology() != g.Topology() {
		p.Close()
		return nil, changed(g)
	}
	return p, nil
}

// write keeps what a model says as properties.
func (c call) write(ctx context.Context, g procedure.Graph, arguments []value.Value,
	yield func([]value.Value) error) error {
	var s settings
	if err := s.read("ml.predict.write", arguments[1], writeKeys); err != nil {
		return err
	}
	if s.writeProperty == "" {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue",
			"ml.predict.write needs the name of a property: {writeProperty: 'name'}")
	}
	if ofPairs, err := c.runner.OfPairs(arguments[0].Str()); err != nil {
		return err
	} else if ofPairs && !s.embedding {
		return c.writeEdges(ctx, g, arguments[0].Str(), s, yield)
	}
	p, err := c.ask(ctx, g, "ml.predict.write", arguments, &s, writeKeys)
	if err != nil {
		return err
	}
	defer p.Close()
	if err := p.Write(ctx, s.writeProperty); err != nil {
		return err
	}
	r := p.Report()
	return yield([]value.Value{value.OfInt(int64(len(p.Nodes()))), value.OfInt(0), value.OfFloat(r.Seconds.Total * 1e3),
		value.OfInt(int64(r.Peak))})
}

var kept = []procedure.Field{field("name", "STRING"), field("architecture", "STRING"), field("graph", "STRING"),
	field("label", "STRING"), field("features", "STRING"), nullable("testScore", "FLOAT")}

// models lists the models.
func (c call) models(_ context.Context, _ procedure.Graph, _ []value.Value, yield func([]value.Value) error) error {
	all, err := c.runner.Models()
	for _, m := range all {
		row := []value.Value{value.OfString(m.Name), value.OfString(m.Architecture.Name), value.OfString(m.Graph),
			value.OfString(m.Label), value.OfString(m.Features.Property), scoreOf(m, "test")}
		if err := yield(row); err != nil {
			return err
		}
	}
	return err
}
