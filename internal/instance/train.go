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
// the database is as it was. A model of a part is asked about that part of a graph again.
//
// Errors: those of host.Engine.Train and, of a part, of store.DB.Project; *PartResumeError, *PartTaskError.
func (s Subject) Train(ctx context.Context, request host.TrainRequest, events host.TrainEvents) (*host.Trained, error) {
	opened, err := s.openToTrain(ctx, &request)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	t, err := s.db.engine.Train(s.db.accounted(ctx), opened.Snapshot, request, events)
	if err != nil {
		return nil, err
	}
	t.Report.Graph, t.Report.Snapshot = s.graph, opened.whole().ID
	t.Model.Source = trained.Source{Graph: s.graph, Part: opened.of.trained(), Snapshot: opened.whole().ID}
	return t, nil
}

// PlanTraining says how Train would go, without training.
func (s Subject) PlanTraining(ctx context.Context, request host.TrainRequest) (*host.TrainPlan, error) {
	opened, err := s.openToTrain(ctx, &request)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	p, err := s.db.engine.PlanTraining(s.db.accounted(ctx), opened.Snapshot, request)
	if err == nil {
		p.Graph, p.Snapshot = s.graph, opened.whole().ID
	}
	return p, err
}

// openToTrain opens the graph, and has a request name what the database has.
func (s Subject) openToTrain(ctx context.Context, request *host.TrainRequest) (*opened, error) {
	switch {
	case !s.of.All() && request.Resume:
		return nil, &PartResumeError{Graph: s.graph}
	case !s.of.All() && request.Label == "":
		return nil, &PartTaskError{Graph: s.graph}
	}
	place(s.db, &request.PluginDir, &request.Allowed)
	if request.CheckpointDir == "" {
		request.CheckpointDir = s.db.checkpoints()
	}
	return s.open(ctx)
}

// Train learns from all of a graph: see Subject.Train.
func (db *DB) Train(ctx context.Context, graph string, request host.TrainRequest, events host.TrainEvents) (
	*host.Trained, error) {
	return db.On(graph, store.Projection{}).Train(ctx, request, events)
}

// PartTaskError says that edges were to be learned on a part of a graph.
type PartTaskError struct{ Graph string }

func (e *PartTaskError) Error() string {
	return "values of edges, and links, are learned on all of graph " + e.Graph + ": leave out --labels, --types and " +
		"--orientation, or learn a property of nodes (--label)"
}

// trained is the part as a model remembers it.
func (p Part) trained() *trained.Part {
	if p.All() {
		return nil
	}
	return &trained.Part{Labels: p.Labels, Types: p.Types, Orientation: string(p.Orientation)}
}

// PartOf is the part of a graph that a model was trained on.
func PartOf(m *trained.Model) store.Projection {
	if m.Part == nil {
		return store.Projection{}
	}
	return store.Projection{Labels: m.Part.Labels, Types: m.Part.Types, Orientation: store.Orientation(m.Part.Orientation)}
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
	subject   *opened
}

// Predict computes what a model says of the vertices of the graph's current snapshot or, with embedding, the vectors
// that it makes of them. The caller closes the predictions.
func (s Subject) Predict(ctx context.Context, m *trained.Model, embedding bool, on host.On) (*Predictions, error) {
	opened, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	place(s.db, &on.PluginDir, &on.Allowed)
	p, err := s.db.engine.Predict(s.db.accounted(ctx), opened.Snapshot, m, embedding, on)
	if err != nil {
		opened.Close()
		return nil, err
	}
	return &Predictions{p, embedding, opened}, nil
}

// Predict asks a model about the part of a graph that is such a part as it was trained on: see Subject.Predict.
func (db *DB) Predict(ctx context.Context, graph string, m *trained.Model, embedding bool, on host.On) (*Predictions,
	error) {
	return db.On(graph, PartOf(m)).Predict(ctx, m, embedding, on)
}

// Close lets go of the snapshot.
func (p *Predictions) Close() { p.subject.Close() }

// classes tells whether the model names one class of each vertex.
func (p *Predictions) classes() bool { return !p.Embedding && p.Model.Schema.Task == neural.Classes }

// Write stores the predictions as node properties, in one atomic step: of a model of classes the class under the name
// property, and property_probability; else vectors, or one number each. Vertices of which the model says nothing have
// no such property; those outside of a part keep what they have, as of Result.Write.
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
	return p.subject.writeProperties(ctx, columns, provenance)
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
	all, err := p.subject.UserIDs(ctx, uint64(first), uint64(p.Of[to-1])+1)
	if err != nil || all.Len() == int(to-from) {
		return all, err
	}
	for _, v := range p.Of[from:to] {
		ids.AppendRow(all, int(v-first))
	}
	return ids, nil
}
