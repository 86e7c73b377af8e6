package host

import (
	"context"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/store"
)

// predictMixtures has a device find the topics of documents by their words. Words that the model has not met it leaves
// out.
func predictMixtures(ctx context.Context, e *Engine, snap *store.Snapshot, m *trained.Model, on On) (
	*Predictions, error) {
	began, manifest := time.Now(), snap.Manifest()
	o := MegaOptions{Epochs: 1, Workers: max(on.Threads, 1), Seed: m.Seed, On: on}
	if reason := o.check(manifest); reason != "" {
		return nil, &RequestError{Reason: reason}
	}
	count, err := edgeProperty(m.Label, manifest, countProperty)
	if err != nil {
		return nil, err
	}
	if _, err := dataset.ReadTokens(ctx, snap, count); err != nil {
		return nil, err
	}
	words, err := wordsOf(ctx, snap)
	if err != nil {
		return nil, err
	}
	places, _, err := placesOf(ctx, snap, m)
	if err != nil {
		return nil, err
	}
	topics, unknown := m.Schema.Outputs, 0
	phi := make([]float32, len(words)*topics)
	for i, v := range words {
		if at := places[v]; at >= 0 {
			copy(phi[i*topics:(i+1)*topics], m.Parameters[0].Numbers[at*topics:])
		} else {
			unknown++
		}
	}
	l := learner{name: "mixtures", column: count, learned: 1, n: 1, given: map[string][]float32{"phi": phi},
		rows:   []algorithms.Rows{{Name: "phi", Width: len(phi), Once: true, Given: true}, {Name: "theta", Width: topics}},
		floats: map[string]float64{"alpha": m.Alpha}, ints: map[string]int64{"topics": int64(topics),
			"words": int64(len(words)), "sweeps": Sweeps}}
	run, err := l.run(ctx, e, snap, o, TrainEvents{})
	if err != nil {
		return nil, err
	}
	defer run.Drop(ctx)
	p := &Predictions{Model: m, Width: topics, Rows: slices.Clone(run.Rows["theta"]), Report: o.trainReport(snap, run)}
	p.Report.Learner, p.Report.NewVertices = nil, unknown
	p.Report.Seconds.Total = time.Since(began).Seconds()
	return p, nil
}
