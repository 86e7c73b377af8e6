package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/train"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/plugins/mega/linear"
	"github.com/penstock-db/penstock/store"
)

// RegressRequest says how classes of samples are learned from their features: vertices that edges lead from, and to.
// See plugins/mega/linear for the objective, in which losses of samples are added up.
type RegressRequest struct {
	Name   string  // of the model: lr or blockpg
	Label  string  // the property of samples, of two classes; empty: label
	Value  string  // the edge property that says how much a sample has of a feature; empty: value, or weight, or 1
	L1, L2 float64 // penalties
	// Tolerance ends it: when the objective is at most so much above the least, as a share of it. Along features, epochs
	// go far and Newton's method the rest of the way. 0: Epochs end it.
	Tolerance float64
	Blocks    int    // clocks of an epoch, where there are several workers; 0: as many as suit the graph, 20 to 100
	Split     string // a property of samples, or shares of them, drawn by Seed; empty: NodeSplit
	MegaOptions
}

// MaxBlocks is how many clocks an epoch of a regression may have.
const MaxBlocks = 1 << 20

// DefaultRegression is what lr and blockpg do where nothing is said; none other has one.
func DefaultRegression(name string) *RegressRequest {
	r := &RegressRequest{Name: name, L2: 1, Label: "label", Tolerance: 1e-4, Split: NodeSplit,
		MegaOptions: MegaOptions{Epochs: 1000, Workers: 1, Seed: 1}}
	if name == "blockpg" {
		r.L1, r.L2 = 1, 0
	}
	return r
}

// Settings are those of penstock train lr, and blockpg.
func (r *RegressRequest) Settings() []Setting {
	return append(r.settings(", at the most", "it is bounded"), []Setting{
		{"label", "`property` of samples that is learned: two classes", &r.Label},
		{"value", "edge `property` that says how much a sample has of a feature (default value, or weight, or 1)", &r.Value},
		{"l1", "penalty on the sum of the weights' sizes, which makes many of them 0", &r.L1},
		{"l2", "penalty on half of the sum of the weights' squares", &r.L2},
		{"tolerance", "it ends when it is so near the best, a share (docs/mega.md); 0: by --epochs alone", &r.Tolerance},
		{"blocks", "blocks of an epoch, after each of which workers tell of their changes (default 20 to 100, by edges)",
			&r.Blocks},
		{"split", "shares of samples for training, validation and test, drawn by --seed; or a `property` that says which", &r.Split},
	}...)
}

func (r RegressRequest) check(m *store.Manifest) error {
	reason := r.MegaOptions.check(m)
	penalty := func(x float64) bool { return x >= 0 && x < 1e30 }
	switch {
	case reason != "":
	case r.Slack == mega.Asynchronous:
		reason = "slack inf: how far workers move at once goes by the slack; give 0 or more clocks"
	case r.Batch != 0:
		reason = "its batches are blocks of features: say how many (--blocks)"
	case r.Blocks < 0 || r.Blocks > MaxBlocks:
		reason = fmt.Sprintf("%d blocks: give 1 to %d, or 0 for as many as suit the graph", r.Blocks, MaxBlocks)
	case !penalty(r.L1):
		reason = fmt.Sprintf("l1 %v: give a number of at least 0", r.L1)
	case !penalty(r.L2):
		reason = fmt.Sprintf("l2 %v: give a number of at least 0", r.L2)
	case !(r.Tolerance >= 0 && r.Tolerance < 1):
		reason = fmt.Sprintf("tolerance %v: give a share of at least 0, below 1", r.Tolerance)
	}
	if reason != "" {
		return &RequestError{Reason: reason}
	}
	return nil
}

// Learn has a device learn a weight of each feature. What is learned is a model of two classes of samples: the logits
// are 0 and the sum of a sample's weights.
//
// Errors: *ExampleError; those of a Learning.
func (r *RegressRequest) Learn(ctx context.Context, e *Engine, snap *store.Snapshot, events TrainEvents) (*Trained,
	error) {
	t, err := regress(ctx, e, snap, *r, events)
	if err != nil {
		return nil, fmt.Errorf("train %s on graph %s: %w", r.Name, snap.Manifest().Graph, err)
	}
	return t, nil
}

func regress(ctx context.Context, e *Engine, snap *store.Snapshot, req RegressRequest, events TrainEvents) (*Trained,
	error) {
	began := time.Now()
	targets, parts, l, err := req.prepare(ctx, snap)
	if err != nil {
		return nil, err
	}
	of := req.asModel()
	c, err := neural.Compile(of.Model, neural.Schema{Embedding: 1, Outputs: 2, Task: neural.Classes,
		EdgeProperties: numericProperties(snap.Manifest())})
	if err != nil {
		return nil, err
	}
	r, err := l.run(ctx, e, snap, req.MegaOptions, events)
	if err != nil {
		return nil, cmp.Or(req.wrongValue(ctx, snap, l, err), err)
	}
	defer r.Drop(ctx)
	weights := r.Rows["weights"]
	learned := train.Learned{Epochs: l.epochs(r), Parameters: [][]float32{weights}, Resumed: r.Report.ResumedFrom,
		Scores: map[dataset.Part]*trained.Scores{}}
	learned.Best = len(learned.Epochs)
	for part := range dataset.Parts {
		if s := train.ScoreTwo(targets, parts, part, r.Rows["margins"]); s != nil {
			learned.Scores[part] = s
		}
	}
	rep := req.trainReport(snap, r)
	told(&rep, learned)
	rep.Split = namedCounts(parts)
	rep.Baseline = train.LargerClass(targets, parts)
	rep.Learner.regression(req, learned.Scores[dataset.Train], weights, r.Rows["end"])
	kept, err := keptModel(ctx, snap, of, c, learned, rep)
	if err != nil {
		return nil, err
	}
	kept.Classes, kept.Integer, kept.Sides = targets.Classes, targets.Integer, true
	if !*rep.Learner.Converged && req.Tolerance > 0 && events.Noticed != nil {
		events.Noticed(&UnconvergedError{req.Name, len(learned.Epochs), *rep.Learner})
	}
	rep.Seconds.Total = time.Since(began).Seconds()
	return &Trained{Model: kept, Report: rep}, nil
}

// wrongValue is the edge for which a device has refused what it was given, which knows no vertex by name; nil: there is
// none.
func (r RegressRequest) wrongValue(ctx context.Context, snap *store.Snapshot, l learner, refused error) error {
	var e *plugins.Error
	if !errors.As(refused, &e) || e.Kind != plugins.KindInvalid || r.Value == "" {
		return nil
	}
	labels := l.given["labels"]
	_, err := dataset.ReadEdges(ctx, snap, r.Value, func(p dataset.Pair, _ float64) bool {
		return labels[p.Source] == labels[p.Source] // others are NaN
	})
	return err
}

// prepare reads classes of samples and what these are for, and says what a device is asked for.
func (r *RegressRequest) prepare(ctx context.Context, snap *store.Snapshot) (targets dataset.Targets,
	parts []dataset.Part, l learner, err error) {
	m := snap.Manifest()
	if err = r.check(m); err != nil {
		return targets, nil, l, err
	}
	if r.Value, err = edgeProperty(r.Value, m, "value", "weight"); err != nil {
		return targets, nil, l, err
	}
	if targets, err = dataset.ReadTwoClasses(ctx, snap, r.Label); err != nil {
		return targets, nil, l, err
	}
	if parts, err = splitOf(ctx, snap, r.asModel(), targets.Known); err != nil {
		return targets, nil, l, err
	}
	labels, err := signs(targets, parts)
	return targets, parts, learner{name: "linear", whole: "a sample, or a weight, moves by all of its edges at once",
		column: r.Value, given: map[string][]float32{"labels": labels}, learned: 1,
		rows: []algorithms.Rows{{Name: "labels", Width: 1, Given: true}, {Name: "weights", Width: 1},
			{Name: "margins", Width: 1}, {Name: "end", Width: linear.EndingWidth, Once: true}},
		floats: map[string]float64{"l1": r.L1, "l2": r.L2, "tolerance": r.Tolerance},
		ints:   map[string]int64{"blocks": int64(r.Blocks), "primal": r.primal()},
		n:      float64(dataset.Count(parts)[dataset.Train]),
		// of each vertex of either side, its place in an order, and of each mirror five
		state: 8 * int(m.Vertices) * (linear.DualWidth + linear.PrimalWidth + 2 + 5*max(r.Workers, 1))}, err
}

// asModel is the request as one for what is kept.
func (r RegressRequest) asModel() TrainRequest {
	return TrainRequest{Model: linearModel(r), Label: r.Label, Split: r.Split, Seed: r.Seed}
}

// UnconvergedError is a regression that its epochs have ended, not its tolerance. What it has come to is kept.
type UnconvergedError struct {
	Model  string
	Epochs int
	LearnerReport
}

func (e *UnconvergedError) Error() string {
	return fmt.Sprintf("%s has not converged in %d epochs (%s): give more epochs, or a larger tolerance", e.Model, e.Epochs,
		e.Distance())
}

// Distance says how far a regression is from the best.
func (r *LearnerReport) Distance() string {
	if r.Remaining == nil {
		return "how far the objective is above the least is not known"
	}
	far := fmt.Sprintf("the objective is at most %.3g %% above the least", 100**r.Remaining)
	if r.NewtonSteps > 0 {
		far += fmt.Sprintf(", by %d steps of Newton's method in the end", r.NewtonSteps)
	}
	return far
}

// primal is 1 where it goes along features, 0 where it may go along samples, which is for squares alone.
func (r RegressRequest) primal() int64 {
	if r.Name == "blockpg" || r.L1 > 0 || r.L2 == 0 {
		return 1
	}
	return 0
}

// regression says what the objective has come to, how far that is from the least, and how many features count.
func (r *LearnerReport) regression(req RegressRequest, learned *trained.Scores, weights, end []float32) {
	how := linear.ReadEnding(end)
	if !math.IsInf(how.Remaining, 1) {
		r.Remaining = &how.Remaining
	}
	r.Primal, r.Converged, r.NewtonSteps = how.Primal, &how.Converged, how.Steps
	f := learned.Loss * float64(learned.Vertices)
	r.Objective, r.NonZero = &f, new(int)
	for _, x := range weights {
		w := float64(x)
		if f += req.L1*math.Abs(w) + req.L2/2*w*w; w != 0 {
			*r.NonZero++
		}
	}
}

// linearModel is what is kept, as a network: features send what a sample has of them, times their weight.
func linearModel(r RegressRequest) neural.Model {
	edge := "src.h"
	if r.Value != "" {
		edge = "edge." + r.Value + " * src.h"
	}
	return neural.Model{Name: r.Name, Reverse: true, Layers: []neural.Layer{
		{Vertex: "self.h", Width: "1"},
		{Edge: edge, Gather: "sum", Vertex: "concat(acc - acc, acc)", Width: "2"},
	}, Training: neural.Training{Epochs: r.Epochs, LearningRate: 1}}
}

// signs are -1 and 1 for the classes of what is learned from, and NaN for all else.
func signs(t dataset.Targets, parts []dataset.Part) ([]float32, error) {
	labels, seen := make([]float32, len(parts)), [2]bool{}
	for v, part := range parts {
		if labels[v] = float32(math.NaN()); part == dataset.Train {
			class := int(t.Wanted[v])
			labels[v], seen[class] = float32(2*class-1), true
		}
	}
	if !seen[0] || !seen[1] {
		return nil, &RequestError{Reason: fmt.Sprintf("samples for training are all of one class of %v: give a split with both",
			t.Classes)}
	}
	return labels, nil
}
