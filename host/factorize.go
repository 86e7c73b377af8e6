package host

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/host/internal/train"
	"github.com/penstock-db/penstock/host/internal/train/decode"
	"github.com/penstock-db/penstock/store"
)

// FactorizeRequest says how ratings are factorized: edges that lead from one type of vertices to another. See
// plugins/mega/mf for what is learned.
type FactorizeRequest struct {
	Label   string // the edge property; empty: rating, or weight
	Rank    int    // factors of a vertex
	Epochs  int
	Rate    float64
	L2      float64
	Workers int    // partitions, each with a thread of the plugin's process; 0: 1
	Slack   int    // clocks that a worker may be ahead of the slowest; -1: any
	Batch   int    // edges of a partition in a clock; 0: all
	Split   string // shares of edges, drawn by Seed; empty: EdgeSplit
	Seed    uint64
	On
}

// DefaultFactorization is what mf does where nothing is said.
func DefaultFactorization() FactorizeRequest {
	return FactorizeRequest{Rank: 32, Epochs: 20, Rate: 0.1, L2: 5, Workers: 1, Split: EdgeSplit, Seed: 1}
}

// MaxRank is how many factors a vertex may have.
const MaxRank = 4096

// MaxWorkers is how many partitions a graph may be cut into.
const MaxWorkers = 1024

func (r FactorizeRequest) check(m *store.Manifest) error {
	reason := ""
	switch {
	case !m.Directed:
		reason = "its edges have no direction: load it with --left and --right"
	case r.Rank < 1 || r.Rank > MaxRank:
		reason = fmt.Sprintf("rank %d: a vertex has 1 to %d factors", r.Rank, MaxRank)
	case r.Epochs < 1 || r.Epochs > 1<<20:
		reason = fmt.Sprintf("%d epochs: give 1 to %d", r.Epochs, 1<<20)
	case r.Workers < 0 || r.Workers > MaxWorkers:
		reason = fmt.Sprintf("%d workers: give 1 to %d", r.Workers, MaxWorkers)
	case r.Slack < -1:
		reason = fmt.Sprintf("slack %d: give 0 or more clocks, or inf", r.Slack)
	case r.Batch < 0:
		reason = fmt.Sprintf("a batch of %d edges: give at least 1, or 0 for all", r.Batch)
	case !(r.Rate > 0 && r.Rate < 1e6):
		reason = fmt.Sprintf("rate %v: give a number above 0", r.Rate)
	case !(r.L2 >= 0 && r.L2 < 1e30):
		reason = fmt.Sprintf("l2 %v: give a number of at least 0", r.L2)
	}
	if reason != "" {
		return &RequestError{Reason: reason}
	}
	return nil
}

// label is the edge property that is learned.
func (r FactorizeRequest) label(m *store.Manifest) string {
	for _, p := range m.EdgeProperties {
		if r.Label == "" && (p.Name == "rating" || p.Name == "weight") {
			return p.Name
		}
	}
	return cmp.Or(r.Label, "rating")
}

// Factorize has a device learn factors and biases of vertices from the graph of snap, which stays open and unchanged.
// progress is told which part of it is done; nil: it is not. What is learned is a model of the architecture factors,
// which says the value of an edge.
//
// Errors: *RequestError, *EdgeError, *store.UnknownPropertyError, *BudgetError, *plugins.Error; when ctx ends, an error
// that wraps its cause.
func Factorize(ctx context.Context, e *Engine, snap *store.Snapshot, req FactorizeRequest,
	progress func(fraction float64)) (*Trained, error) {
	t, err := factorize(ctx, e, snap, req, progress)
	if err != nil {
		return nil, fmt.Errorf("train mf on graph %s: %w", snap.Manifest().Graph, err)
	}
	return t, nil
}

func factorize(ctx context.Context, e *Engine, snap *store.Snapshot, req FactorizeRequest,
	progress func(fraction float64)) (*Trained, error) {
	began, m := time.Now(), snap.Manifest()
	if err := req.check(m); err != nil {
		return nil, err
	}
	req.Label, req.Split = req.label(m), cmp.Or(req.Split, EdgeSplit)
	shares, are, err := dataset.ParseShares(req.Split)
	switch {
	case err != nil:
		return nil, &RequestError{Reason: err.Error()}
	case !are:
		return nil, &RequestError{Reason: fmt.Sprintf("split %q: mf takes three shares of edges, such as 0.8,0.1,0.1", req.Split)}
	}
	examples, err := dataset.ReadValues(ctx, snap, req.Label)
	if err != nil {
		return nil, err
	}
	examples.DrawByEnds(shares, req.Seed)
	if !slices.Contains(examples.Parts, dataset.Train) {
		return nil, &RequestError{Reason: fmt.Sprintf("split %s has no edge for training among %d", req.Split,
			len(examples.Pairs))}
	}
	run := req.request()
	run.Procedure = req.procedure()
	run.Params = req.params(shares)
	r, err := e.Run(ctx, snap, run, report.Events{Progress: progress})
	if err != nil {
		return nil, err
	}
	defer r.Drop(ctx)
	t, err := req.model(ctx, snap, examples, r)
	if err == nil {
		t.Report.Seconds = TrainSeconds{Total: time.Since(began).Seconds(),
			Epoch: r.Report.Seconds.Compute / float64(req.Epochs)}
	}
	return t, err
}

// procedure is mf as a device has it: a result column for each factor.
func (r FactorizeRequest) procedure() *algorithms.Algorithm {
	a := &algorithms.Algorithm{Name: "mf", Result: []algorithms.Column{{Name: "bias", Type: algorithms.Float}},
		Procedure: &algorithms.Procedure{Edges: algorithms.Forward,
			EdgeColumns: func(args algorithms.Args) []string { return []string{args.Strings["label"]} }}}
	for k := range r.Rank {
		a.Result = append(a.Result, algorithms.Column{Name: fmt.Sprintf("factor_%d", k), Type: algorithms.Float})
	}
	for name, kind := range factorizeParams {
		a.Params = append(a.Params, algorithms.Param{Name: name, Type: kind})
	}
	return a
}

var factorizeParams = map[string]algorithms.ParamType{
	"label": algorithms.ParamProperty, "rank": algorithms.ParamInt, "epochs": algorithms.ParamInt,
	"workers": algorithms.ParamInt, "lead": algorithms.ParamInt, "batch": algorithms.ParamInt, "seed": algorithms.ParamInt,
	"rate": algorithms.ParamFloat, "l2": algorithms.ParamFloat, "learned": algorithms.ParamFloat,
}

// params are the arguments of procedure. lead is 1 more than the slack, 0 where there is no bound.
func (r FactorizeRequest) params(s dataset.Shares) map[string]string {
	return map[string]string{"label": r.Label, "rank": fmt.Sprint(r.Rank), "epochs": fmt.Sprint(r.Epochs),
		"workers": fmt.Sprint(max(r.Workers, 1)), "lead": fmt.Sprint(r.Slack + 1), "batch": fmt.Sprint(r.Batch),
		"seed": fmt.Sprint(int64(r.Seed)), "rate": fmt.Sprint(r.Rate), "l2": fmt.Sprint(r.L2), "learned": fmt.Sprint(s[0])}
}

// model is what is kept: an architecture of vectors alone, whose output is their product and a bias of each end.
func (r FactorizeRequest) model(ctx context.Context, snap *store.Snapshot, examples dataset.Examples, run *Result) (
	*Trained, error) {
	m := snap.Manifest()
	architecture, _ := neural.Lookup("factors")
	architecture.Name = "mf"
	architecture.Training = neural.Training{Epochs: r.Epochs, LearningRate: r.Rate}
	c, err := neural.Compile(architecture, neural.Schema{Embedding: r.Rank, Outputs: r.Rank, Task: neural.EdgeValues,
		EdgeProperties: numericProperties(m)})
	if err != nil {
		return nil, err
	}
	learn := examples.Of(dataset.Train)
	n := int(m.Vertices)
	rows := &decode.Rows{Vectors: make([]float32, n*r.Rank), Biases: make([]float32, n*decode.BiasColumns(true)),
		Directed: true}
	bears := [2][]bool{make([]bool, n), make([]bool, n)}
	for _, p := range examples.Pairs {
		bears[dataflow.AtSource][p.Source], bears[dataflow.AtTarget][p.Target] = true, true
	}
	for v := range n {
		for end := range bears {
			if bears[end][v] {
				rows.Biases[2*v+end] = float32(run.Columns[0].Floats[v])
			}
		}
		for k := range r.Rank {
			rows.Vectors[v*r.Rank+k] = float32(run.Columns[k+1].Floats[v])
		}
	}
	scale := train.Scale{Mean: train.Mean(learn.Wanted), Deviation: 1}
	learned := train.Learned{Scores: map[dataset.Part]*trained.Scores{}, Epochs: make([]train.Epoch, r.Epochs),
		Best: r.Epochs}
	decoder, err := decode.New(c.Decoder, r.Threads)
	if err != nil {
		return nil, err
	}
	for part := range dataset.Parts {
		if test := examples.Of(part); len(test.Pairs) > 0 {
			said := make([]float32, len(test.Pairs))
			decoder.Say(rows, test.Pairs, said)
			learned.Scores[part] = train.ValueScores(said, scale, test.Wanted)
		}
	}
	for _, shape := range trained.Shapes(c, n, decode.BiasColumns(true)) {
		switch shape.Name {
		case trained.EmbeddingName:
			learned.Parameters = append(learned.Parameters, rows.Vectors)
		case trained.BiasName:
			learned.Parameters = append(learned.Parameters, rows.Biases)
		default:
			return nil, fmt.Errorf("the architecture factors has a parameter %s, which mf does not learn", shape.Name)
		}
	}
	rep := TrainReport{Graph: m.Graph, Snapshot: m.ID, Device: run.Report.Device, Kernel: run.Report.Kernel,
		Plugin: run.Report.Plugin, Bytes: run.Report.Bytes, Peak: run.Report.PeakDeviceBytes,
		Edges: run.Report.EdgesProcessed, Split: namedCounts(examples.Parts)}
	rep.Unlabelled = examples.Unlabelled
	if test := examples.Of(dataset.Test); len(test.Pairs) > 0 {
		rep.Baseline = train.ValueBaseline(learn, test, m.Vertices, true)
	}
	rep.Loss = learned.Scores[dataset.Train].Loss
	req := TrainRequest{Model: architecture, Label: r.Label, Split: r.Split, Seed: r.Seed}
	kept, err := keptModel(ctx, snap, req, c, learned, rep)
	if err != nil {
		return nil, err
	}
	kept.Mean, kept.Deviation = scale.Mean, scale.Deviation
	return &Trained{Model: kept, Report: rep}, nil
}
