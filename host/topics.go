package host

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/mega/lda"
	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/train"
	"github.com/penstock-db/penstock/store"
)

// TopicsRequest says how topics are learned from documents and their words: vertices that edges lead from, and to. See
// algorithms/mega/lda for the definition.
type TopicsRequest struct {
	Count       string // the edge property that says how often; empty: count, or 1
	Topics      int
	Alpha, Beta float64
	Split       string // a property of documents, or shares of them, drawn by Seed; empty: TopicsSplit
	MegaOptions
}

// TopicsSplit are shares of documents where nothing is said.
const TopicsSplit = "0.9,0,0.1"

// Sweeps is how often the topics of a document are drawn whose words say them.
const Sweeps = 100

// countProperty is what is usually read of edges: how often a word is in a document.
const countProperty = "count"

// DefaultTopics is what lda does where nothing is said.
func DefaultTopics() *TopicsRequest {
	p := lda.Defaults()
	return &TopicsRequest{Topics: p.Topics, Alpha: p.Alpha, Beta: p.Beta, Split: TopicsSplit,
		MegaOptions: MegaOptions{Epochs: 200, Workers: 1, Seed: p.Seed}}
}

// Settings are those of penstock train lda.
func (r *TopicsRequest) Settings() []Setting {
	return append(r.settings("", "inf: any number"), []Setting{
		{"topics", "how many topics there are", &r.Topics},
		{"alpha", "of the prior of a document's topics", &r.Alpha},
		{"beta", "of the prior of a topic's words", &r.Beta},
		{"count", "edge `property` that says how often a word is in a document (default count, or once)", &r.Count},
		{"batch", "edges of a partition in a batch (default all)", &r.Batch},
		{"split", "shares of documents for training, validation and test, drawn by --seed; or a `property` that says which", &r.Split},
	}...)
}

func (r TopicsRequest) check(m *store.Manifest) error {
	reason := r.MegaOptions.check(m)
	prior := func(x float64) bool { return x >= 1e-6 && x <= 1e6 }
	switch {
	case reason != "":
	case r.Topics < 1 || r.Topics > lda.MaxTopics:
		reason = fmt.Sprintf("%d topics: give 1 to %d", r.Topics, lda.MaxTopics)
	case !prior(r.Alpha):
		reason = fmt.Sprintf("alpha %v: give a number from 0.000001 to 1000000", r.Alpha)
	case !prior(r.Beta):
		reason = fmt.Sprintf("beta %v: give a number from 0.000001 to 1000000", r.Beta)
	}
	if reason != "" {
		return &RequestError{Reason: reason}
	}
	return nil
}

// Learn has a device learn how probable each word is in each topic. The loss of an epoch is the mean of −log p of
// tokens, each by the topics of all others; that of documents held out is of half of their tokens, by the topics of the
// other half.
//
// Errors: *EdgeError; those of a Learning.
func (r *TopicsRequest) Learn(ctx context.Context, e *Engine, snap *store.Snapshot, events TrainEvents) (*Trained,
	error) {
	t, err := learnTopics(ctx, e, snap, *r, events)
	if err != nil {
		return nil, fmt.Errorf("train lda on graph %s: %w", snap.Manifest().Graph, err)
	}
	return t, nil
}

func learnTopics(ctx context.Context, e *Engine, snap *store.Snapshot, req TopicsRequest, events TrainEvents) (
	*Trained, error) {
	began := time.Now()
	parts, words, l, err := req.prepare(ctx, snap)
	if err != nil {
		return nil, err
	}
	of := req.asModel()
	c, err := neural.Compile(of.Model, neural.Schema{Embedding: req.Topics, Outputs: req.Topics, Task: neural.Topics,
		EdgeProperties: numericProperties(snap.Manifest())})
	if err != nil {
		return nil, err
	}
	run, err := l.run(ctx, e, snap, req.MegaOptions, events)
	if err != nil {
		return nil, err
	}
	defer run.Drop(ctx)
	learned := train.Learned{Epochs: l.epochs(run), Resumed: run.Report.ResumedFrom,
		Parameters: [][]float32{run.Rows["phi"]}}
	learned.Best = len(learned.Epochs)
	rep := req.trainReport(snap, run)
	told(&rep, learned)
	rep.Split = namedCounts(parts)
	learned.Scores, rep.Baseline = topicScores(rep.Loss, parts, run.Rows["held"])
	kept, err := keptModel(ctx, snap, of, c, learned, rep)
	if err != nil {
		return nil, err
	}
	kept.Sides, kept.Alpha = true, req.Alpha
	kept.Parameters[0].Rows, kept.Vertices = len(words), kept.Vertices.Of(words)
	rep.Seconds.Total = time.Since(began).Seconds()
	return &Trained{Model: kept, Report: rep}, nil
}

// prepare reads what documents are for and which vertices are words, and says what a device is asked for.
func (r *TopicsRequest) prepare(ctx context.Context, snap *store.Snapshot) (parts []dataset.Part, words []uint32,
	l learner, err error) {
	m := snap.Manifest()
	if err = r.check(m); err != nil {
		return nil, nil, l, err
	}
	if r.Count, err = edgeProperty(r.Count, m, countProperty); err != nil {
		return nil, nil, l, err
	}
	tokens, err := dataset.ReadTokens(ctx, snap, r.Count)
	if err != nil {
		return nil, nil, l, err
	}
	if parts, err = r.parts(ctx, snap, tokens); err != nil {
		return nil, nil, l, err
	}
	if words, err = wordsOf(ctx, snap); err != nil {
		return nil, nil, l, err
	}
	return parts, words, r.learner(parts, tokens, len(words)), nil
}

// asModel is the request as one for what is kept.
func (r TopicsRequest) asModel() TrainRequest {
	return TrainRequest{Model: topicModel(r), Label: r.Count, Split: r.Split, Seed: r.Seed}
}

// parts are what documents are for that have words.
func (r TopicsRequest) parts(ctx context.Context, snap *store.Snapshot, tokens []uint64) ([]dataset.Part, error) {
	known := make([]bool, len(tokens))
	for v, n := range tokens {
		known[v] = n > 0
	}
	return splitOf(ctx, snap, r.asModel(), known)
}

// learner is lda as a device has it.
func (r TopicsRequest) learner(parts []dataset.Part, tokens []uint64, words int) learner {
	given, all, learned := make([]float32, len(parts)), uint64(0), uint64(0)
	for v, part := range parts {
		given[v] = float32(part)
		if all += tokens[v]; part == dataset.Train {
			learned += tokens[v]
		}
	}
	return learner{name: "lda", whole: "topics of a document are drawn by all of its words",
		column: r.Count, learned: 1, n: float64(learned),
		given: map[string][]float32{"part": given},
		rows: []algorithms.Rows{{Name: "part", Width: 1, Given: true}, {Name: "phi", Width: r.Topics * words, Once: true},
			{Name: "held", Width: 2 * heldWidth, Once: true}},
		floats: map[string]float64{"alpha": r.Alpha, "beta": r.Beta},
		ints: map[string]int64{"topics": int64(r.Topics), "words": int64(words), "tokens": int64(all),
			"sweeps": Sweeps},
		// two bytes a token, two numbers of each document, and of each word and all how many tokens have each topic
		state: 2*int(all) + 16*len(given) + 4*r.Topics*(words+1)}
}

// What is said of documents for validation, then of those for the test: the means of −log p of half of their tokens, by
// topics and by words' frequency alone, and how many tokens these are.
const (
	heldLoss = iota
	heldUnigram
	heldTokens
	heldWidth
)

// topicScores are the scores of what is learned from, with that loss, and of documents held out.
func topicScores(loss float64, parts []dataset.Part, held []float32) (map[dataset.Part]*trained.Scores, *Baseline) {
	many, scores := dataset.Count(parts), map[dataset.Part]*trained.Scores{}
	score := func(part dataset.Part, loss float64) {
		perplexity := math.Exp(loss)
		scores[part] = &trained.Scores{Vertices: many[part], Loss: loss, Perplexity: &perplexity}
	}
	score(dataset.Train, loss)
	var baseline *Baseline
	for i, part := range []dataset.Part{dataset.Validation, dataset.Test} {
		if of := held[i*heldWidth:][:heldWidth]; of[heldTokens] > 0 {
			score(part, float64(of[heldLoss]))
			unigram := math.Exp(float64(of[heldUnigram]))
			baseline = &Baseline{Unigram: &unigram}
		}
	}
	return scores, baseline
}

// wordsOf are the vertices that edges lead to, ascending.
func wordsOf(ctx context.Context, snap *store.Snapshot) (words []uint32, err error) {
	degrees := make([]uint32, snap.Manifest().Vertices)
	err = snap.Degrees(ctx, chunk.In, degrees)
	for v, in := range degrees {
		if in > 0 {
			words = append(words, uint32(v))
		}
	}
	return words, err
}

// topicModel is what is kept: a row of each word, which no network computes anything of.
func topicModel(r TopicsRequest) neural.Model {
	return neural.Model{Name: "lda", Layers: []neural.Layer{{Vertex: "self.h", Width: "outputs"}},
		Training: neural.Training{Epochs: r.Epochs, LearningRate: 1}}
}
