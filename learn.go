package penstock

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/instance"
)

// LearnRequest says what a MEGA program learns from a bipartite graph (docs/mega.md), and where.
type LearnRequest struct {
	// Model is what it learns: mf and als, factors and biases of ratings; lr and blockpg, weights of features; lda, topics
	// of documents.
	Model string
	// Settings are what differs from the defaults, by the names of the flags of penstock train MODEL: "rank", "workers",
	// "learning-rate" or "learning_rate". Each is a whole number, a float64, a bool or a string, as of that flag.
	Settings map[string]any
	Save     string // the name under which the database keeps the model; empty: it does not
	Replace  bool   // in the place of a model of that name
	Placement
	// Progress is called after each epoch with its number and loss; nil: it is not.
	Progress func(epoch int, loss float64)
	// Notice is called with what does not end the learning and that its user should know, as ErrUnconverged; nil: it is
	// not.
	Notice func(error)
}

// Learn has a MEGA program learn from the graph in a plugin process. The model is one like any other: Predict,
// PredictPairs and Recommend ask it. When ctx ends the process is killed and the database is as it was.
//
// Errors: as of Train.
func (db *DB) Learn(ctx context.Context, graph string, request LearnRequest) (Model, error) {
	l, err := request.inner()
	if err != nil {
		return Model{}, public(err)
	}
	events := host.TrainEvents{Trained: func(e host.TrainingEpoch) {
		if request.Progress != nil {
			request.Progress(e.Number, e.Loss)
		}
	}, Noticed: func(err error) {
		if request.Notice != nil {
			request.Notice(public(err))
		}
	}}
	t, err := db.inner.Models().Keep(request.Save, request.Replace, func() (*host.Trained, error) {
		return instance.Learn(ctx, db.inner, graph, l, events)
	})
	if err != nil {
		return Model{}, public(err)
	}
	return modelOf(t.Model), nil
}

// inner is the request with its settings.
func (r LearnRequest) inner() (host.Learning, error) {
	l, known := host.NewLearning(r.Model)
	if !known {
		return nil, fmt.Errorf("there is no program that learns a model %q; there are %v", r.Model, host.Learners())
	}
	l.Options().On = r.on()
	return l, host.Configure(l, r.Settings)
}
