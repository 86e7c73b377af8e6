package host

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/train"
	"github.com/penstock-db/penstock/host/internal/train/decode"
	"github.com/penstock-db/penstock/store"
)

// EdgeError is an edge that nothing can be learned from.
type EdgeError = dataset.EdgeError

// Baseline is how well those do in a test who look at no vectors.
type Baseline = train.Baseline

// widthOtherwise is how wide the vectors of vertices are where nothing says it.
const widthOtherwise = 16

// ofPairs says whether edges or links are learned.
func (r TrainRequest) ofPairs() bool { return r.EdgeLabel != "" || r.Links }

// Splits where nothing is said, of vertices and of edges.
const (
	NodeSplit = "0.6,0.2,0.2"
	EdgeSplit = "0.8,0.1,0.1"
)

// defaultSplit is the split where nothing is said.
func (r TrainRequest) defaultSplit() string {
	if r.ofPairs() {
		return EdgeSplit
	}
	return NodeSplit
}

// check refuses what contradicts itself.
func (r TrainRequest) check() error {
	reason := ""
	switch {
	case r.Label != "" && r.EdgeLabel != "", r.Links && (r.EdgeLabel != "" || r.Label != ""):
		reason = "a model learns a label of vertices, or a label of edges, or links: one of them"
	case r.Label == "" && !r.ofPairs():
		reason = "there is nothing to learn: name a label of vertices or of edges, or ask for links"
	case r.Features.Property == "" && r.Embedding == 0:
		reason = "there is nothing to learn from: name features, or let so many numbers be learned of each vertex (embedding)"
	case r.Embedding < 0 || r.Embedding > mostEmbedding:
		reason = fmt.Sprintf("an embedding of %d numbers: it has 1 to %d", r.Embedding, mostEmbedding)
	case r.Held && (r.ofPairs() || r.Embedding > 0):
		reason = "what is held from one pass to the next is of vertices with features alone"
	case r.Negatives < 0, r.Negatives > 0 && !r.Links:
		reason = fmt.Sprintf("%d negatives: there is at least one for each link, and links alone have them", r.Negatives)
	}
	if reason != "" {
		return &RequestError{Reason: reason}
	}
	return nil
}

const mostEmbedding = 1 << 12

// features are the shape of rows; none, where all is learned.
func features(ctx context.Context, snap *store.Snapshot, spec neural.FeatureSpec) (dataset.Features, error) {
	if spec.Property == "" {
		return dataset.Features{}, nil
	}
	return dataset.Measure(ctx, snap, spec)
}

// namedCounts are how many examples are for what.
func namedCounts(parts []dataset.Part) map[string]int {
	counts := map[string]int{}
	for part, count := range dataset.Count(parts) {
		if name := dataset.Parts[part]; name != "" {
			counts[name] = count
		}
	}
	return counts
}

// examples are what is learned of pairs, split.
func examples(ctx context.Context, snap *store.Snapshot, req TrainRequest) (all dataset.Examples, err error) {
	if req.Links {
		all, err = dataset.ReadLinks(ctx, snap)
	} else {
		all, err = dataset.ReadValues(ctx, snap, req.EdgeLabel)
	}
	if err != nil {
		return all, err
	}
	if len(all.Pairs) == 0 {
		return all, &RequestError{Reason: "the graph has no edges between different vertices: there are no links to learn"}
	}
	shares, are, err := dataset.ParseShares(req.Split)
	switch {
	case err != nil:
		return all, &RequestError{Reason: err.Error()}
	case are:
		all.Draw(shares, req.Seed)
	default:
		if err := all.ReadParts(ctx, snap, req.Split); err != nil {
			return all, err
		}
	}
	if !slices.Contains(all.Parts, dataset.Train) {
		return all, &RequestError{Reason: fmt.Sprintf("split %s has no edge for training among the %d that can be learned from",
			req.Split, len(all.Pairs))}
	}
	return all, nil
}

// keptModel is a model with all that it has learned. Rows of vertices are kept with the ids of these.
func keptModel(ctx context.Context, snap *store.Snapshot, req TrainRequest, c *neural.Compiled, l train.Learned,
	r TrainReport) (*trained.Model, error) {
	digest, err := r.Plugin.SHA256()
	if err != nil {
		return nil, err
	}
	m := &trained.Model{
		Name: req.Model.Name, Architecture: req.Model, Schema: c.Schema, Features: req.Features, Label: req.Label,
		Source: trained.Source{Graph: r.Graph, Snapshot: r.Snapshot},
		Split:  req.Split, Seed: req.Seed, Epochs: len(l.Epochs), Best: l.Best,
		Scores: map[string]trained.Scores{}, Device: r.Plugin.Name, Version: r.Plugin.Version, SHA256: digest,
		Created: time.Now().UTC().Truncate(time.Second),
	}
	for part, scores := range l.Scores {
		m.Scores[dataset.Parts[part]] = *scores
	}
	manifest := snap.Manifest()
	m.Directed = manifest.Directed
	for i, shape := range trained.Shapes(c, int(manifest.Vertices), decode.BiasColumns(manifest.Directed)) {
		shape.Numbers = l.Parameters[i]
		m.Parameters = append(m.Parameters, shape)
	}
	if trained.LearnsVertices(c) {
		m.Vertices, err = vertexIDs(ctx, snap)
	}
	return m, err
}

// vertexIDs are the ids of all vertices, in their order.
func vertexIDs(ctx context.Context, snap *store.Snapshot) (*trained.VertexIDs, error) {
	ids, err := snap.UserIDs(ctx, 0, snap.Manifest().Vertices)
	return &trained.VertexIDs{Numbers: ids.Ints, Texts: ids.Strings}, err
}

// lessonOfPairs is of values of edges, or of links.
func lessonOfPairs(ctx context.Context, snap *store.Snapshot, req TrainRequest, shape dataset.Features) (l *lesson,
	err error) {
	m := snap.Manifest()
	if req.Links {
		req.Negatives = cmp.Or(req.Negatives, 1)
	}
	course := train.PairCourse{Seed: req.Seed, Batch: req.Batch, Vertices: m.Vertices, Directed: m.Directed,
		Threads: req.Threads, Negatives: req.Negatives}
	if course.Examples, err = examples(ctx, snap, req); err != nil {
		return nil, err
	}
	schema := neural.Schema{Features: shape.Width, Embedding: req.Embedding, Task: neural.EdgeValues,
		EdgeProperties: numericProperties(m), Plain: req.Plain, Sampled: req.Fanout.Samples(),
		Outputs: cmp.Or(req.Model.Sizes["outputs"], req.Embedding, req.Model.Sizes["hidden"], widthOtherwise)}
	if req.Links {
		schema.Task = neural.Links
	}
	if course.Compiled, err = neural.Compile(req.Model, schema); err != nil {
		return nil, err
	}
	network := &train.Network{Compiled: course.Compiled, Features: req.Features, Shape: shape, Columns: course.Columns(),
		Passes: course.Passes(), HeldOut: course.Examples.HeldOut(m.Directed)}
	if network.Sampling, err = req.sampling(course.Compiled, course.Columns(), 2*(1+req.Negatives)); err != nil {
		return nil, err
	}
	var learned train.LearnedPairs
	return &lesson{req, network, course.Examples.Parts,
		func(ctx context.Context, s *train.Session, k *train.Keeper, tell func(TrainingEpoch)) (_ train.Learned, err error) {
			course.Keeper = k
			learned, err = s.LearnPairs(ctx, course, tell)
			return learned.Learned, err
		},
		func(m *trained.Model, r *TrainReport) {
			m.Label, m.Mean, m.Deviation = req.EdgeLabel, learned.Scale.Mean, learned.Scale.Deviation
			r.Baseline, r.Unlabelled = learned.Baseline, course.Examples.Unlabelled
		}}, nil
}
