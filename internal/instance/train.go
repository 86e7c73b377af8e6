package instance

import (
	"context"
	"strconv"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	arrowmemory "github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/result"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/store"
)

// Train learns a model on the graph's current snapshot, in a plugin process. When ctx ends the process is killed and
// the database is as it was. See host.Engine.Train for the errors.
func (db *DB) Train(ctx context.Context, graph string, request host.TrainRequest, events host.TrainEvents) (
	*host.Trained, error) {
	snapshot, err := db.folded(ctx, graph)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	if request.PluginDir == "" {
		request.PluginDir = db.plugins.Dir()
	}
	if request.CheckpointDir == "" {
		request.CheckpointDir = db.checkpoints()
	}
	return db.engine.Train(db.accounted(ctx), snapshot, request, events)
}

// accounted has what is computed take its memory from what all statements and runs share.
func (db *DB) accounted(ctx context.Context) context.Context {
	if memory.Of(ctx) != nil {
		return ctx
	}
	return memory.With(ctx, db.memory.Open())
}

// Predictions are what a model says of a graph, with the snapshot that it was asked about.
type Predictions struct {
	*host.Predictions
	Embedding bool
	db        *DB
	snapshot  *store.Snapshot
}

// Predict computes what a model says of the vertices of the graph's current snapshot or, with embedding, the vectors
// that it makes of them. The caller closes the predictions.
func (db *DB) Predict(ctx context.Context, graph string, m *trained.Model, embedding bool, on host.On) (*Predictions,
	error) {
	snapshot, err := db.folded(ctx, graph)
	if err != nil {
		return nil, err
	}
	if on.PluginDir == "" {
		on.PluginDir = db.plugins.Dir()
	}
	p, err := db.engine.Predict(db.accounted(ctx), snapshot, m, embedding, on)
	if err != nil {
		snapshot.Close()
		return nil, err
	}
	return &Predictions{p, embedding, db, snapshot}, nil
}

// Close lets go of the snapshot.
func (p *Predictions) Close() { p.snapshot.Close() }

// classes tells whether the model names one class of each vertex.
func (p *Predictions) classes() bool { return !p.Embedding && p.Model.Schema.Task == neural.Classes }

// vertices is of how many vertices the model says something.
func (p *Predictions) vertices() int { return len(p.Rows) / max(p.Width, 1) }

// Write stores the predictions as node properties, in one atomic step: of a model of classes the class under the name
// property, and property_probability; else vectors, or one number each.
//
// Errors: store.ErrConflict, when the graph was changed since.
func (p *Predictions) Write(ctx context.Context, property string) (*store.Manifest, error) {
	columns := []store.PropertyColumn{{Name: property, Values: p.vectors()}}
	if p.classes() {
		class, probability := p.classColumns()
		columns[0].Values.Release()
		columns = []store.PropertyColumn{{Name: property, Values: class},
			{Name: property + "_probability", Values: probability}}
	}
	for _, c := range columns {
		defer c.Values.Release()
	}
	provenance, err := predicted(p.Model, p.Report)
	if err != nil {
		return nil, err
	}
	return p.db.store.WriteProperties(ctx, p.snapshot, columns, provenance)
}

// classColumns are the class of each vertex, as the label had it, and its probability.
func (p *Predictions) classColumns() (class, probability arrow.Array) {
	floats := array.NewFloat64Builder(arrowmemory.DefaultAllocator)
	defer floats.Release()
	ints := array.NewInt64Builder(arrowmemory.DefaultAllocator)
	defer ints.Release()
	texts := array.NewStringBuilder(arrowmemory.DefaultAllocator)
	defer texts.Release()
	for v := range p.vertices() {
		k, share := p.Class(v)
		floats.Append(share)
		if p.Model.Integer {
			n, _ := strconv.ParseInt(p.Model.Classes[k], 10, 64) // it was written by FormatInt
			ints.Append(n)
		} else {
			texts.Append(p.Model.Classes[k])
		}
	}
	if p.Model.Integer {
		return ints.NewArray(), floats.NewArray()
	}
	return texts.NewArray(), floats.NewArray()
}

// vectors are the rows as a property: lists, or numbers where a row has one.
func (p *Predictions) vectors() arrow.Array {
	if p.Width == 1 {
		b := array.NewFloat64Builder(arrowmemory.DefaultAllocator)
		defer b.Release()
		for _, x := range p.Rows {
			b.Append(float64(x))
		}
		return b.NewArray()
	}
	b := array.NewListBuilder(arrowmemory.DefaultAllocator, arrow.PrimitiveTypes.Float64)
	defer b.Release()
	values := b.ValueBuilder().(*array.Float64Builder)
	for v := range p.vertices() {
		b.Append(true)
		for _, x := range p.Row(v) {
			values.Append(float64(x))
		}
	}
	return b.NewArray()
}

// WriteFile writes one row for each vertex, with the user's ids: class and probability, or a column for each number.
// The file appears when it is whole.
func (p *Predictions) WriteFile(ctx context.Context, file string) error {
	table := result.Table{Rows: uint64(p.vertices()), IDs: p.snapshot.UserIDs}
	if !p.classes() {
		for k := range p.Width {
			column := result.Column{Name: "value_" + strconv.Itoa(k), Floats: make([]float64, p.vertices())}
			if p.Width == 1 {
				column.Name = "value"
			}
			for v := range column.Floats {
				column.Floats[v] = float64(p.Row(v)[k])
			}
			table.Columns = append(table.Columns, column)
		}
		return result.Write(ctx, file, table)
	}
	probability := make([]float64, p.vertices())
	for v := range probability {
		_, probability[v] = p.Class(v)
	}
	class := func(_ context.Context, from, to uint64) (ids formats.IDs, _ error) {
		for v := from; v < to; v++ {
			k, _ := p.Class(int(v))
			ids.Append(p.Model.Classes[k])
		}
		return ids, nil
	}
	table.Columns = []result.Column{{Name: "class", IDs: class}, {Name: "probability", Floats: probability}}
	return result.Write(ctx, file, table)
}
