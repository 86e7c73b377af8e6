package host

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/train"
	"github.com/penstock-db/penstock/store"
)

// Predictions are what a model says of the vertices of a graph.
type Predictions struct {
	Model  *trained.Model
	Width  int       // numbers of each vertex: outputs, or those of an embedding
	Rows   []float32 // one vertex after the other
	Of     []uint32  // the vertices of which it says something, ascending
	Report TrainReport
}

// Class is what a model of classes says of a vertex: the place of the class, and its probability.
func (p *Predictions) Class(vertex int) (class int, probability float64) {
	row := p.Row(vertex)
	class = train.Largest(row)
	return class, train.Softmax(row, class)
}

// Row is what the model says of a vertex.
func (p *Predictions) Row(vertex int) []float32 { return p.Rows[vertex*p.Width : (vertex+1)*p.Width] }

// Predict has a device compute what a model says of all vertices of the graph of snap, which has the features that the
// model was trained with; or, with embedding, what the layer before the last says.
//
// Errors: as of Train.
func (e *Engine) Predict(ctx context.Context, snap *store.Snapshot, m *trained.Model, embedding bool, on On) (
	*Predictions, error) {
	p, err := e.predict(ctx, snap, m, embedding, on)
	if err == nil {
		err = finite(ctx, snap, p.Rows, p.Width)
	}
	if err == nil {
		p.Of, err = spokenOf(ctx, snap, m, embedding)
	}
	if err != nil {
		return nil, fmt.Errorf("predict by %s on graph %s: %w", m.Name, snap.Manifest().Graph, err)
	}
	return p, nil
}

// finite refuses rows of vertices that are not finite, as of features that are larger by far than those learned from.
func finite(ctx context.Context, snap *store.Snapshot, rows []float32, width int) error {
	at := train.NotFinite(rows)
	if at < 0 {
		return nil
	}
	v := uint64(at / width)
	ids, err := snap.UserIDs(ctx, v, v+1)
	if err != nil {
		return err
	}
	return &RequestError{Reason: fmt.Sprintf("what it says of vertex %s is not finite: the numbers that it reads of it, or "+
		"of its neighbors, are too large", ids.Text(0))}
}

// spokenOf are the vertices of which a model says something.
func spokenOf(ctx context.Context, snap *store.Snapshot, m *trained.Model, embedding bool) (of []uint32, err error) {
	degrees := make([]uint32, snap.Manifest().Vertices)
	if m.Sides {
		err = snap.Degrees(ctx, chunk.In, degrees)
	}
	for v, in := range degrees {
		if !m.Sides || (in > 0) == embedding {
			of = append(of, uint32(v))
		}
	}
	return of, err
}

func (e *Engine) predict(ctx context.Context, snap *store.Snapshot, m *trained.Model, embedding bool, on On) (
	*Predictions, error) {
	began := time.Now()
	compiled, err := m.Compile()
	if err != nil {
		return nil, err
	}
	if m.Schema.Task == neural.Topics && !embedding {
		return predictMixtures(ctx, e, snap, m, on)
	}
	if m.Vertices != nil || compiled.Decoder != nil {
		return e.predictVectors(ctx, snap, m, compiled, embedding, on)
	}
	shape, err := dataset.Measure(ctx, snap, m.Features)
	if err != nil {
		return nil, err
	}
	if shape.Width != m.Schema.Features {
		return nil, &RequestError{Reason: fmt.Sprintf("property %q has %d numbers, but the model was trained with %d",
			m.Features.Property, shape.Width, m.Schema.Features)}
	}
	root := compiled.Program.Output
	if embedding {
		if len(compiled.Layers) < 2 {
			return nil, &RequestError{Reason: "a model of one layer has no embedding"}
		}
		root = compiled.Layers[len(compiled.Layers)-2]
	}
	network := &train.Network{Compiled: compiled, Features: m.Features, Shape: shape,
		Passes: []train.Pass{{Roots: []*dataflow.Value{root}}}}
	p := &Predictions{Model: m, Width: root.Width}
	p.Report, err = e.compute(ctx, snap, on, false, network, TrainEvents{}, func(s *train.Session) error {
		numbers := make([][]float32, len(m.Parameters))
		for i, each := range m.Parameters {
			numbers[i] = each.Numbers
		}
		if err := s.Set(compiled, numbers); err != nil {
			return err
		}
		if err := s.Pass(0, dataflow.Dropout{}); err != nil {
			return err
		}
		p.Rows = slices.Clone(s.Result(0, root))
		return nil
	})
	p.Report.Seconds.Total = time.Since(began).Seconds()
	return p, err
}
