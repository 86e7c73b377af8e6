package instance

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/query/learning"
	"github.com/penstock-db/penstock/store"
)

// learner has statements train models and ask them.
type learner struct{ db *DB }

func (l learner) Train(ctx context.Context, graph string, of store.Projection, request host.TrainRequest, name string,
	replace bool) (*host.Trained, error) {
	return l.db.Models().Keep(name, replace, func() (*host.Trained, error) {
		return l.db.On(graph, of).Train(ctx, request, host.TrainEvents{})
	})
}

func (l learner) Learn(ctx context.Context, graph string, request host.Learning, name string, replace bool) (
	*host.Trained, error) {
	return l.db.Models().Keep(name, replace, func() (*host.Trained, error) {
		return Learn(ctx, l.db, graph, request, host.TrainEvents{})
	})
}

func (l learner) PlanTraining(ctx context.Context, graph string, of store.Projection, request host.TrainRequest,
	name string, replace bool) (*host.TrainPlan, error) {
	if err := l.db.Models().CheckKept(name, replace); err != nil {
		return nil, err
	}
	return l.db.On(graph, of).PlanTraining(ctx, request)
}

func (l learner) PlanLearning(ctx context.Context, graph string, request host.Learning, name string, replace bool) (
	*host.LearningPlan, error) {
	if err := l.db.Models().CheckKept(name, replace); err != nil {
		return nil, err
	}
	return ExplainLearning(ctx, l.db, graph, request)
}

func (l learner) Predict(ctx context.Context, graph, model string, embedding bool, on host.On) (learning.Predictions,
	error) {
	m, err := l.db.Models().Get(model)
	if err != nil {
		return nil, err
	}
	p, err := l.db.Predict(ctx, graph, m, embedding, on)
	if err != nil {
		return nil, err
	}
	return asked{p}, nil
}

func (l learner) PredictPairs(ctx context.Context, graph, model string, pairs []learning.Pair, on host.On) (
	a learning.Answers, err error) {
	m, err := l.db.Models().Get(model)
	if err != nil {
		return a, err
	}
	a.Links = m.Schema.Task == neural.Links
	a.Values, _, err = predictPairs(ctx, l.db, graph, m, on, func(snapshot *store.Snapshot) ([]host.Pair, error) {
		a.Topology = snapshot.Manifest().Topology()
		dense := make([]host.Pair, len(pairs))
		for i, p := range pairs {
			if vertices := snapshot.Manifest().Vertices; p.Source >= vertices || p.Target >= vertices {
				return nil, &store.UnknownVertexError{Graph: graph, Vertex: fmt.Sprint(max(p.Source, p.Target))}
			}
			dense[i] = host.Pair{Source: uint32(p.Source), Target: uint32(p.Target)}
		}
		return dense, nil
	})
	return a, err
}

func (l learner) Recommend(ctx context.Context, graph, model string, nodes []uint64, top int, on host.On) (
	found learning.Suggestions, err error) {
	m, err := l.db.Models().Get(model)
	if err != nil {
		return found, err
	}
	snapshot, err := l.db.folded(ctx, graph)
	if err != nil {
		return found, err
	}
	defer snapshot.Close()
	found.Topology = snapshot.Manifest().Topology()
	req := host.RecommendRequest{Top: top, On: on}
	if nodes != nil {
		req.For = []uint32{}
	}
	for _, node := range slices.Sorted(slices.Values(nodes)) {
		if node < snapshot.Manifest().Vertices { // a node that has been added since has no edge in the snapshot
			req.For = append(req.For, uint32(node))
		}
	}
	_, err = recommend(ctx, l.db, snapshot, m, req, func(vertex uint32, best []host.Suggestion) error {
		for _, s := range best {
			found.Nodes, found.Items = append(found.Nodes, uint64(vertex)), append(found.Items, uint64(s.Vertex))
			found.Scores = append(found.Scores, s.Score)
		}
		return nil
	})
	return found, err
}

func (l learner) OfPairs(model string) (bool, error) {
	m, err := l.db.Models().Get(model)
	return err == nil && m.Schema.Task.OfPairs(), err
}

func (l learner) WriteEdges(ctx context.Context, graph, model, property string, topology uint64, on host.On) (
	w learning.Written, err error) {
	m, err := l.db.Models().Get(model)
	if err != nil {
		return w, err
	}
	p, err := PredictEdges(ctx, l.db, graph, m, on)
	if err != nil {
		return w, err
	}
	defer p.Close()
	if p.snapshot.Manifest().Topology() != topology {
		return w, &store.ConflictError{Graph: graph, Base: topology, Current: p.snapshot.Manifest().Topology()}
	}
	_, err = p.Write(ctx, property)
	return learning.Written{Edges: p.Edges(), Report: p.Report}, err
}

func (l learner) Models() ([]*trained.Model, error) { return l.db.Models().All() }

// asked are Predictions as statements see them.
type asked struct{ *Predictions }

func (p asked) Topology() uint64 { return p.subject.whole().Topology() }

func (p asked) Node(id uint32) uint64 { return p.subject.vertex(uint64(id)) }

func (p asked) Nodes() []uint32 { return p.Of }

func (p asked) Class(node int) (value.Value, float64, bool) {
	if !p.classes() {
		return value.Value{}, 0, false
	}
	k, probability := p.Predictions.Class(node)
	if p.Model.Integer {
		n, _ := strconv.ParseInt(p.Model.Classes[k], 10, 64) // it was written by FormatInt
		return value.OfInt(n), probability, true
	}
	return value.OfString(p.Model.Classes[k]), probability, true
}

func (p asked) Vector(node int) []float32 { return p.Row(node) }

func (p asked) Report() host.TrainReport { return p.Predictions.Report }

func (p asked) Write(ctx context.Context, property string) error {
	_, err := p.Predictions.Write(ctx, property)
	return err
}
