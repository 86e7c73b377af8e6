package instance

import (
	"context"
	"iter"
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
	place(db, &request.PluginDir, &request.Allowed)
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
	place(db, &on.PluginDir, &on.Allowed)
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

// Write stores the predictions as node properties, in one atomic step: of a model of classes the class under the name
// property, and property_probability; else vectors, or one number each. Vertices of which the model says nothing have
// no such property.
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
	classes := array.Builder(texts)
	if p.Model.Integer {
		classes = ints
	}
	for v, said := range p.each() {
		if !said {
			floats.AppendNull()
			classes.AppendNull()
			continue
		}
		k, share := p.Class(v)
		floats.Append(share)
		if p.Model.Integer {
			n, _ := strconv.ParseInt(p.Model.Classes[k], 10, 64) // it was written by FormatInt
			ints.Append(n)
		} else {
			texts.Append(p.Model.Classes[k])
		}
	}
	return classes.NewArray(), floats.NewArray()
}

// each goes along all vertices, and says whether the model says something of them.
func (p *Predictions) each() iter.Seq2[int, bool] {
	return func(yield func(int, bool) bool) {
		next := 0
		for v := range len(p.Rows) / p.Width {
			said := next < len(p.Of) && int(p.Of[next]) == v
			if said {
				next++
			}
			if !yield(v, said) {
				return
			}
		}
	}
}

// vectors are the rows as a property: lists, or numbers where a row has one.
func (p *Predictions) vectors() arrow.Array {
	if p.Width == 1 {
		b := array.NewFloat64Builder(arrowmemory.DefaultAllocator)
		defer b.Release()
		for v, said := range p.each() {
			if !said {
				b.AppendNull()
				continue
			}
			b.Append(float64(p.Rows[v]))
		}
		return b.NewArray()
	}
	b := array.NewListBuilder(arrowmemory.DefaultAllocator, arrow.PrimitiveTypes.Float64)
	defer b.Release()
	values := b.ValueBuilder().(*array.Float64Builder)
	for v, said := range p.each() {
		if b.Append(said); !said {
			continue
		}
		for _, x := range p.Row(v) {
			values.Append(float64(x))
		}
	}
	return b.NewArray()
}

// WriteFile writes one row for each vertex, with the user's ids: class and probability, or a column for each number.
// The file appears when it is whole.
func (p *Predictions) WriteFile(ctx context.Context, file string) error {
	table := result.Table{Rows: uint64(len(p.Of)), IDs: p.ids}
	if !p.classes() {
		for k := range p.Width {
			column := result.Column{Name: "value_" + strconv.Itoa(k), Floats: make([]float64, len(p.Of))}
			if p.Width == 1 {
				column.Name = "value"
			}
			for i, v := range p.Of {
				column.Floats[i] = float64(p.Row(int(v))[k])
			}
			table.Columns = append(table.Columns, column)
		}
		return result.Write(ctx, file, table)
	}
	probability := make([]float64, len(p.Of))
	for i, v := range p.Of {
		_, probability[i] = p.Class(int(v))
	}
	class := func(_ context.Context, from, to uint64) (ids formats.IDs, _ error) {
		for _, v := range p.Of[from:to] {
			k, _ := p.Class(int(v))
			ids.Append(p.Model.Classes[k])
		}
		return ids, nil
	}
	table.Columns = []result.Column{{Name: "class", IDs: class}, {Name: "probability", Floats: probability}}
	return result.Write(ctx, file, table)
}

// ids are the user's, of some of the vertices that the model says something of.
func (p *Predictions) ids(ctx context.Context, from, to uint64) (ids formats.IDs, err error) {
	if from == to {
		return ids, nil
	}
	first := p.Of[from]
	all, err := p.snapshot.UserIDs(ctx, uint64(first), uint64(p.Of[to-1])+1)
	if err != nil || all.Len() == int(to-from) {
		return all, err
	}
	for _, v := range p.Of[from:to] {
		ids.AppendRow(all, int(v-first))
	}
	return ids, nil
}
