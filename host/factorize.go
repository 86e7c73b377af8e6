package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/train"
	"github.com/penstock-db/penstock/host/internal/train/decode"
	"github.com/penstock-db/penstock/store"
)

// FactorizeRequest says how ratings are factorized: edges that lead from one type of vertices to another. See
// plugins/mega/mf and plugins/mega/als for what is learned.
type FactorizeRequest struct {
	Name      string  // of the model: mf or als
	Label     string  // the edge property; empty: rating, or weight
	Rank      int     // factors of a vertex
	Rate      float64 // of mf
	L2        float64 // penalty on factors, of als for each rating; AdaptiveL2: as ratings have it
	BiasL2    float64
	Tolerance float64 // of als: the share by which epochs lower the error if others are to follow
	// Implicit has als learn, from how often edges say that something was observed, which pairs are preferred: see
	// plugins/mega/als, Implicit. Label is then a number of times, and empty without a property rating or weight: each
	// edge is once. L2 counts once for a vertex, there are no biases, and nothing is held out for Tolerance.
	Implicit bool
	Alpha    float64 // by how much confidence grows with each time
	Split    string  // shares of edges, drawn by Seed; empty: EdgeSplit
	MegaOptions
}

// DefaultFactorization is what mf or als does where nothing is said; none other has one.
func DefaultFactorization(name string) *FactorizeRequest {
	r := &FactorizeRequest{Name: name, Rank: 32, Rate: 0.1, L2: AdaptiveL2, BiasL2: 5, Alpha: defaultAlpha,
		Split: EdgeSplit, MegaOptions: MegaOptions{Epochs: 20, Workers: 1, Seed: 1}}
	if r.exact() {
		r.Tolerance = 1e-3
	}
	return r
}

// exact says whether it is by least squares.
func (r FactorizeRequest) exact() bool { return r.Name == "als" }

// AdaptiveL2 is a penalty that is found while learning; of als one that goes by how far ratings deviate.
const AdaptiveL2 = -1

// Penalty is one as a text; AdaptiveL2 is auto.
type Penalty struct{ Of *float64 }

func (p Penalty) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	if text == "auto" {
		x, err = AdaptiveL2, nil
	} else if !(x >= 0) || err != nil {
		return errors.New("give a number of at least 0, or auto")
	}
	*p.Of = x
	return err
}

func (p Penalty) String() string {
	switch {
	case p.Of == nil:
		return ""
	case *p.Of == AdaptiveL2:
		return "auto"
	}
	return strconv.FormatFloat(*p.Of, 'g', -1, 64)
}

// Type is what it is to a command line.
func (Penalty) Type() string { return "penalty" }

const defaultAlpha = 1

// MaxRank is how many factors a vertex may have.
const MaxRank = 4096

// Settings are those of penstock train mf, and als.
func (r *FactorizeRequest) Settings() []Setting {
	l2 := Setting{"l2", "penalty on the squares of a vertex's factors, whatever its ratings; auto: found while learning",
		Penalty{&r.L2}}
	last := Setting{"learning-rate", "of the first epoch; it falls to 0", &r.Rate}
	epochs, implicit := "", []Setting(nil)
	if r.exact() {
		l2.Usage = "penalty on the squares of a vertex's factors, for each of its ratings; with --implicit once; auto: 0.1, " +
			"in the unit in which ratings deviate by about 1"
		implicit = []Setting{
			{"implicit", "learn what is preferred, from how often an edge's --label says that it was observed (default once)",
				&r.Implicit},
			{"alpha", "with --implicit: by how much confidence in a pair grows with each time", &r.Alpha},
		}
		last = Setting{"tolerance", "it ends when five epochs have not lowered the error of ratings for validation by this " +
			"share; where there are none, when one has not lowered that of those for training", &r.Tolerance}
		epochs = ", at the most"
	}
	return append(append(r.settings(epochs, "inf: any number"), implicit...), []Setting{
		{"label", "edge `property` that is learned (default rating, or weight)", &r.Label},
		{"rank", "how many factors a vertex has", &r.Rank}, l2, last,
		{"bias-l2", "penalty on the square of a vertex's bias", &r.BiasL2},
		{"batch", "edges of a partition in a batch (default all)", &r.Batch},
		{"split", "shares of edges for training, validation and test, drawn by --seed", &r.Split},
	}...)
}

func (r FactorizeRequest) check(m *store.Manifest) error {
	reason := r.MegaOptions.check(m)
	switch {
	case reason != "":
	case r.Rank < 1 || r.Rank > MaxRank:
		reason = fmt.Sprintf("rank %d: a vertex has 1 to %d factors", r.Rank, MaxRank)
	case !(r.Rate > 0 && r.Rate < 1e6):
		reason = fmt.Sprintf("learning rate %v: give a number above 0, below 1e6", r.Rate)
	case r.exact() && !(r.Tolerance >= 0 && r.Tolerance < 1):
		reason = fmt.Sprintf("tolerance %v: give a number from 0 to below 1", r.Tolerance)
	case !(r.L2 >= 0 && r.L2 < 1e30) && r.L2 != AdaptiveL2:
		reason = fmt.Sprintf("l2 %v: give a number of at least 0, or auto", r.L2)
	case r.Implicit && !r.exact():
		reason = r.Name + " does not learn from implicit feedback: als does"
	case !r.Implicit && r.Alpha != defaultAlpha && r.Alpha != 0:
		reason = fmt.Sprintf("alpha %v is for implicit feedback: give implicit as well", r.Alpha)
	case r.Implicit && !(r.Alpha > 0 && r.Alpha < 1e6):
		reason = fmt.Sprintf("alpha %v: give a number above 0", r.Alpha)
	case !(r.BiasL2 >= 0 && r.BiasL2 < 1e30):
		reason = fmt.Sprintf("bias-l2 %v: give a number of at least 0", r.BiasL2)
	}
	if reason != "" {
		return &RequestError{Reason: reason}
	}
	return nil
}

// label is the edge property that is learned; empty: each edge is once.
func (r FactorizeRequest) label(m *store.Manifest) string {
	for _, p := range m.EdgeProperties {
		if r.Label == "" && (p.Name == "rating" || p.Name == "weight") {
			return p.Name
		}
	}
	if r.Implicit {
		return r.Label
	}
	return cmp.Or(r.Label, "rating")
}

// Learn has a device learn factors and biases of vertices. What is learned is a model of the architecture factors,
// which says the value of an edge. The loss of an epoch is half of the mean squared error, of each rating as it was
// learned from.
//
// Errors: *EdgeError, *store.UnknownPropertyError; those of a Learning.
func (r *FactorizeRequest) Learn(ctx context.Context, e *Engine, snap *store.Snapshot, events TrainEvents) (*Trained,
	error) {
	t, err := factorize(ctx, e, snap, *r, events)
	if err != nil {
		return nil, fmt.Errorf("train %s on graph %s: %w", r.Name, snap.Manifest().Graph, err)
	}
	return t, nil
}

func factorize(ctx context.Context, e *Engine, snap *store.Snapshot, req FactorizeRequest, events TrainEvents) (
	*Trained, error) {
	began := time.Now()
	examples, l, err := req.prepare(ctx, snap)
	if err != nil {
		return nil, err
	}
	r, err := l.run(ctx, e, snap, req.MegaOptions, events)
	if err != nil {
		return nil, err
	}
	defer r.Drop(ctx)
	t, err := req.model(ctx, snap, examples, r, l.epochs(r))
	if err == nil {
		t.Report.Seconds.Total = time.Since(began).Seconds()
	}
	return t, err
}

// prepare reads what is learned from, and says what a device is asked for.
func (r *FactorizeRequest) prepare(ctx context.Context, snap *store.Snapshot) (examples dataset.Examples, l learner,
	err error) {
	m := snap.Manifest()
	if err := r.check(m); err != nil {
		return examples, l, err
	}
	r.Label, r.Split = r.label(m), cmp.Or(r.Split, EdgeSplit)
	shares, are, err := dataset.ParseShares(r.Split)
	switch {
	case err != nil:
		return examples, l, &RequestError{Reason: err.Error()}
	case !are:
		return examples, l, &RequestError{Reason: fmt.Sprintf("split %q: %s takes three shares of edges, such as 0.8,0.1,0.1",
			r.Split, r.Name)}
	}
	if examples, err = r.examples(ctx, snap); err != nil {
		return examples, l, err
	}
	examples.DrawByEnds(shares, r.Seed)
	if !slices.Contains(examples.Parts, dataset.Train) {
		return examples, l, &RequestError{Reason: fmt.Sprintf("split %s has no edge for training among %d", r.Split,
			len(examples.Pairs))}
	}
	return examples, r.learner(shares, examples.Many(dataset.Train), int(m.Vertices)), nil
}

// examples are the values of edges.
func (r FactorizeRequest) examples(ctx context.Context, snap *store.Snapshot) (dataset.Examples, error) {
	if r.Implicit {
		return observations(ctx, snap, r.Label)
	}
	return dataset.ReadValues(ctx, snap, r.Label)
}

// learner is mf or als as a device has it: of each vertex its bias, and factors. What is kept has six numbers more of
// each, and four of each mirror.
func (r FactorizeRequest) learner(s dataset.Shares, ratings, vertices int) learner {
	if r.Implicit {
		return r.preferences(s, ratings, vertices)
	}
	l := learner{name: r.Name, column: r.Label, rows: []algorithms.Rows{{Name: "factors", Width: 1 + r.Rank}},
		floats: map[string]float64{"rate": r.Rate, "l2": r.L2, "bias-l2": r.BiasL2},
		ints:   map[string]int64{"rank": int64(r.Rank)}, n: 2 * float64(ratings), learned: s[0],
		state: 4 * vertices * (r.Rank + 7 + 4*max(r.Workers, 1))}
	switch {
	case r.exact():
		l.whole = "equations of a vertex are gathered from all of its edges"
		l.floats["tolerance"], l.floats["held"] = r.Tolerance, s[1]
		l.rows = append(l.rows, algorithms.Rows{Name: "end", Width: 1, Once: true})
	case r.L2 == AdaptiveL2:
		l.adapt(s, ratings)
	}
	return l
}

// adapt has λ begin at 5 and follow ratings that are held out: those for validation, or where there are none 5,000 of
// those for training, which are learned from when λ is found. Where that were more than a twentieth λ stays, for few
// ratings tell nothing.
func (l *learner) adapt(s dataset.Shares, ratings int) {
	const first, telling, most, least = 5, 5000, 0.05, 0.002
	l.floats["l2"], l.ints["adapt"] = first, 1
	held := telling / float64(max(ratings, 1))
	switch {
	case s[1] > 0:
		l.floats["held"] = s[1]
	case held <= most:
		l.floats["held"], l.ints["late"] = s[0]*max(held, least), 1
		l.learned -= l.floats["held"]
	}
}

// model is what is kept: an architecture of vectors alone, whose output is their product and a bias of each end.
func (r FactorizeRequest) model(ctx context.Context, snap *store.Snapshot, examples dataset.Examples, run *Result,
	epochs []TrainingEpoch) (*Trained, error) {
	m := snap.Manifest()
	architecture, c, err := r.architecture(m)
	if err != nil {
		return nil, err
	}
	learn := examples.Of(dataset.Train)
	rows, scale := r.factors(run.Rows["factors"], examples, learn, int(m.Vertices))
	scores, err := r.scores(c, rows, scale, examples, learn)
	if err != nil {
		return nil, err
	}
	parameters, err := parametersOf(c, rows, int(m.Vertices))
	if err != nil {
		return nil, err
	}
	learned := train.Learned{Parameters: parameters, Scores: scores, Epochs: epochs, Best: len(epochs),
		Resumed: run.Report.ResumedFrom}
	rep := r.learnedReport(snap, examples, run, learned)
	if rep.Baseline, err = r.baseline(ctx, snap, examples, learn, rows, scores); err != nil {
		return nil, err
	}
	req := TrainRequest{Model: architecture, Label: r.Label, Split: r.Split, Seed: r.Seed}
	kept, err := keptModel(ctx, snap, req, c, learned, rep)
	if err != nil {
		return nil, err
	}
	kept.Mean, kept.Deviation = scale.Mean, scale.Deviation
	return &Trained{Model: kept, Report: rep}, nil
}

// architecture is that of what is learned, and how it is computed on a graph.
func (r FactorizeRequest) architecture(m *store.Manifest) (neural.Model, *neural.Compiled, error) {
	architecture, _ := neural.Lookup("factors")
	if architecture.Name = r.Name; r.Implicit {
		architecture.Name = ImplicitName
	}
	architecture.Training = neural.Training{Epochs: r.Epochs, LearningRate: r.Rate}
	c, err := neural.Compile(architecture, neural.Schema{Embedding: r.Rank, Outputs: r.Rank, Task: neural.EdgeValues,
		EdgeProperties: numericProperties(m)})
	return architecture, c, err
}

// factors are those of n vertices, and their biases, as a decoder reads them, from what has been learned of each
// vertex; and what is added to what they say: the mean of what was learned from.
func (r FactorizeRequest) factors(learned []float32, examples, learn dataset.Examples, n int) (*decode.Rows,
	train.Scale) {
	rows := &decode.Rows{Vectors: make([]float32, n*r.Rank), Biases: make([]float32, n*decode.BiasColumns(true)),
		Directed: true}
	scale := train.Scale{Deviation: 1}
	if r.Implicit {
		copy(rows.Vectors, learned)
	} else {
		scale.Mean = train.Mean(learn.Wanted)
		r.apart(learned, examples, rows)
	}
	return rows, scale
}

// scores are those of the parts of examples that there are, of which learn is that for training.
func (r FactorizeRequest) scores(c *neural.Compiled, rows *decode.Rows, scale train.Scale, examples,
	learn dataset.Examples) (map[dataset.Part]*trained.Scores, error) {
	decoder, err := decode.New(c.Decoder, r.Threads)
	if err != nil {
		return nil, err
	}
	scores := map[dataset.Part]*trained.Scores{}
	for part := range dataset.Parts {
		test := learn
		if part != dataset.Train {
			test = examples.Of(part)
		}
		if len(test.Pairs) == 0 {
			continue
		}
		said := make([]float32, len(test.Pairs))
		decoder.Say(rows, test.Pairs, said)
		scores[part] = train.ValueScores(said, scale, test.Wanted)
		if r.Implicit {
			scores[part] = preferred(said)
		}
	}
	return scores, nil
}

// parametersOf are those of a model of vectors and biases alone.
func parametersOf(c *neural.Compiled, rows *decode.Rows, n int) (parameters [][]float32, err error) {
	for _, shape := range trained.Shapes(c, n, decode.BiasColumns(true)) {
		switch shape.Name {
		case trained.EmbeddingName:
			parameters = append(parameters, rows.Vectors)
		case trained.BiasName:
			parameters = append(parameters, rows.Biases)
		default:
			return nil, fmt.Errorf("the architecture factors has a parameter %s, which mf does not learn", shape.Name)
		}
	}
	return parameters, nil
}

// learnedReport says what has been learned.
func (r FactorizeRequest) learnedReport(snap *store.Snapshot, examples dataset.Examples, run *Result,
	learned train.Learned) TrainReport {
	rep := r.trainReport(snap, run)
	told(&rep, learned)
	if end := run.Rows["end"]; len(end) > 0 {
		converged := end[0] == 1
		rep.Learner.Converged = &converged
	}
	rep.Split, rep.Unlabelled = namedCounts(examples.Parts), examples.Unlabelled
	if !r.Implicit {
		rep.Loss = learned.Scores[dataset.Train].Loss
	}
	return rep
}

// baseline is what is to be beaten in the test part: what two biases say of ratings, or, of observations, what is
// popular. Of these, what is learned is ranked as well, as scores of parts then say. Nil: there is no test part.
func (r FactorizeRequest) baseline(ctx context.Context, snap *store.Snapshot, examples, learn dataset.Examples,
	rows *decode.Rows, scores map[dataset.Part]*trained.Scores) (*Baseline, error) {
	if r.Implicit {
		return r.rank(ctx, snap, examples, rows.Vectors, scores)
	}
	test := examples.Of(dataset.Test)
	if len(test.Pairs) == 0 {
		return nil, nil
	}
	return train.ValueBaseline(learn, test, snap.Manifest().Vertices, true), nil
}

// apart brings factors and biases apart. A vertex has a bias at the ends at which it has edges.
func (r FactorizeRequest) apart(factors []float32, examples dataset.Examples, to *decode.Rows) {
	n := len(to.Vectors) / r.Rank
	bears := [2][]bool{make([]bool, n), make([]bool, n)}
	for _, p := range examples.Pairs {
		bears[dataflow.AtSource][p.Source], bears[dataflow.AtTarget][p.Target] = true, true
	}
	for v := range n {
		row := factors[v*(1+r.Rank):][:1+r.Rank]
		for end := range bears {
			if bears[end][v] {
				to.Biases[2*v+end] = row[0]
			}
		}
		copy(to.Vectors[v*r.Rank:], row[1:])
	}
}
