package instance

import (
	"context"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	arrowmemory "github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/store"
)

// EdgePredictions are what a model says of the edges of a graph, with the snapshot that it was asked about.
type EdgePredictions struct {
	Report   host.TrainReport
	model    *trained.Model
	said     *host.Pairing
	db       *DB
	snapshot *store.Snapshot
}

// PredictEdges asks a model about the edges of the graph's current snapshot. The caller closes the predictions.
//
// Errors: as of Predict.
func PredictEdges(ctx context.Context, db *DB, graph string, m *trained.Model, on host.On) (*EdgePredictions, error) {
	snapshot, err := db.folded(ctx, graph)
	if err != nil {
		return nil, err
	}
	if on.PluginDir == "" {
		on.PluginDir = db.plugins.Dir()
	}
	p := &EdgePredictions{model: m, db: db, snapshot: snapshot}
	if p.said, p.Report, err = host.NewPairing(db.accounted(ctx), db.engine, snapshot, m, on); err != nil {
		snapshot.Close()
		return nil, err
	}
	return p, nil
}

// Edges is of how many the model says something.
func (p *EdgePredictions) Edges() uint64 { return p.snapshot.Manifest().Edges }

// Write stores what the model says as an edge property, in one atomic step.
//
// Errors: store.ErrConflict, when the graph was changed since; *host.RequestError, when what it says is not finite.
func (p *EdgePredictions) Write(ctx context.Context, property string) (*store.Manifest, error) {
	provenance, err := predicted(p.model, p.Report)
	if err != nil {
		return nil, err
	}
	return p.db.store.WriteEdgeProperties(ctx, p.snapshot, []store.EdgePropertyColumn{{Name: property,
		Type: arrow.PrimitiveTypes.Float64, Of: func(c *chunk.Chunk) (arrow.Array, error) { return p.column(ctx, c) }}},
		provenance)
}

// column is what the model says of the edges of a chunk.
func (p *EdgePredictions) column(ctx context.Context, c *chunk.Chunk) (arrow.Array, error) {
	values, err := p.said.SayOf(ctx, c)
	if err != nil {
		return nil, err
	}
	b := array.NewFloat64Builder(arrowmemory.DefaultAllocator)
	defer b.Release()
	b.AppendValues(values, nil)
	return b.NewArray(), nil
}

// Close lets go of the snapshot.
func (p *EdgePredictions) Close() { p.snapshot.Close() }

// predicted is where predictions come from.
func predicted(m *trained.Model, r host.TrainReport) (store.Provenance, error) {
	digest, err := r.Plugin.SHA256()
	return store.Provenance{Snapshot: r.Snapshot, Algorithm: "predict", Parameters: map[string]string{"model": m.Name},
		Plugin: r.Plugin.Name, Version: r.Plugin.Version, SHA256: digest, Seed: m.Seed, Time: time.Now().UTC()}, err
}
