package host

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/train"
	"github.com/penstock-db/penstock/host/internal/train/decode"
	"github.com/penstock-db/penstock/store"
)

// Pair is two vertices by their dense ids, of which a model of edges says something.
type Pair = dataset.Pair

// predictVectors is predict for a model that has learned rows of vertices, or that says something of pairs: of such a
// one there are vectors alone.
func (e *Engine) predictVectors(ctx context.Context, snap *store.Snapshot, m *trained.Model, c *neural.Compiled,
	embedding bool, on On) (*Predictions, error) {
	root := c.Program.Output
	switch {
	case c.Decoder != nil && !embedding:
		return nil, &RequestError{Reason: "the model says something of pairs of vertices, not of each: name pairs (--pairs), " +
			"or ask for the vectors of vertices (--embedding)"}
	case m.Schema.Task == neural.Topics:
	case c.Decoder == nil && embedding && len(c.Layers) < 2:
		return nil, &RequestError{Reason: "a model of one layer has no embedding"}
	case c.Decoder == nil && embedding:
		root = c.Layers[len(c.Layers)-2]
	}
	p, _, err := e.vectors(ctx, snap, m, c, root, on)
	return p, err
}

// vectors computes rows of all vertices, and finds the places of these in what the model has learned of vertices.
// Vertices of which it has learned nothing have zeros, and are counted.
func (e *Engine) vectors(ctx context.Context, snap *store.Snapshot, m *trained.Model, c *neural.Compiled,
	root *dataflow.Value, on On) (p *Predictions, places []int, err error) {
	began := time.Now()
	shape, err := features(ctx, snap, m.Features)
	if err != nil {
		return nil, nil, err
	}
	if shape.Width != m.Schema.Features {
		return nil, nil, &RequestError{Reason: fmt.Sprintf("property %q has %d numbers, but the model was trained with %d",
			m.Features.Property, shape.Width, m.Schema.Features)}
	}
	places, unknown, err := placesOf(ctx, snap, m)
	if err != nil {
		return nil, nil, err
	}
	var all [][]float32
	for _, p := range m.Parameters[:len(c.Learned)] {
		all = append(all, p.Numbers)
	}
	columns := map[string][]float32{}
	if table, has := m.Matrix(trained.EmbeddingName); has {
		columns[neural.InputEmbedding] = rowsAt(table, places)
		all = append(all, columns[neural.InputEmbedding])
	}
	network := &train.Network{Compiled: c, Features: m.Features, Shape: shape, Columns: columns,
		Passes: []train.Pass{{Roots: []*dataflow.Value{root}}}}
	p = &Predictions{Model: m, Width: root.Width}
	p.Report, err = e.compute(ctx, snap, on, false, network, TrainEvents{}, func(s *train.Session) error {
		if err := s.Set(c, all); err != nil {
			return err
		}
		if err := s.Pass(0, dataflow.Dropout{}); err != nil {
			return err
		}
		p.Rows = slices.Clone(s.Result(0, root))
		return nil
	})
	p.Report.Seconds.Total, p.Report.NewVertices = time.Since(began).Seconds(), unknown
	return p, places, err
}

// placesOf are the rows that a model has learned of vertices, -1 of those that it has not met, and how many these are.
// It takes some 50 bytes for each vertex of the model while it looks.
func placesOf(ctx context.Context, snap *store.Snapshot, m *trained.Model) (places []int, unknown int, err error) {
	if m.Vertices == nil {
		return nil, 0, nil
	}
	type id struct {
		number int64
		text   string
	}
	known := make(map[id]int, m.Vertices.Len())
	for row, number := range m.Vertices.Numbers {
		if m.Vertices.Texts != nil && m.Vertices.Texts[row] != "" {
			known[id{text: m.Vertices.Texts[row]}] = row
		} else {
			known[id{number: number}] = row
		}
	}
	ids, err := snap.UserIDs(ctx, 0, snap.Manifest().Vertices)
	if err != nil {
		return nil, 0, err
	}
	places = make([]int, ids.Len())
	for v := range places {
		number, text := ids.At(v)
		row, has := known[id{number, text}]
		if !has {
			row = -1
			unknown++
		}
		places[v] = row
	}
	return places, unknown, nil
}

// rowsAt are rows of a table, zeros where there are none.
func rowsAt(table trained.Parameter, places []int) []float32 {
	rows := make([]float32, len(places)*table.Width)
	for v, at := range places {
		if at >= 0 {
			copy(rows[v*table.Width:(v+1)*table.Width], table.Numbers[at*table.Width:])
		}
	}
	return rows
}

// Unmet is an end of a pair that the graph does not have. A model of factors, which has learned a row of each vertex
// and nothing else, says of it what it says where all of the row is 0: of two such ends it says the mean.
const Unmet = math.MaxUint32

// TakesUnmet says whether a model says something of pairs with an end that the graph does not have.
func TakesUnmet(m *trained.Model) bool {
	factors, _ := neural.Lookup("factors")
	layers := m.Architecture.Layers
	return m.Schema.Features == 0 && len(layers) == 1 && layers[0].Edge == "" &&
		layers[0].Vertex == factors.Layers[0].Vertex
}

// PredictPairs has a device compute vectors of all vertices of the graph of snap, and says of pairs of them what the
// model makes of these: values, or of links how probable they are.
//
// Errors: as of Train.
func (e *Engine) PredictPairs(ctx context.Context, snap *store.Snapshot, m *trained.Model, pairs []Pair, on On) (
	values []float64, report TrainReport, err error) {
	values, report, err = e.predictPairs(ctx, snap, m, pairs, on)
	if err != nil {
		err = fmt.Errorf("predict by %s on graph %s: %w", m.Name, snap.Manifest().Graph, err)
	}
	return values, report, err
}

func (e *Engine) predictPairs(ctx context.Context, snap *store.Snapshot, m *trained.Model, pairs []Pair, on On) (
	values []float64, report TrainReport, err error) {
	s, report, err := newSayer(ctx, e, snap, m, on)
	if err != nil {
		return nil, report, err
	}
	values = make([]float64, len(pairs))
	known := make([]Pair, len(pairs))
	for i, p := range pairs {
		known[i] = Pair{Source: s.row(p.Source), Target: s.row(p.Target)}
	}
	return values, report, s.say(ctx, known, values)
}

// sayer says what a model makes of pairs of vertices. The row after those of the vertices is 0, of what is unmet.
type sayer struct {
	snap    *store.Snapshot
	unmet   uint32
	model   *trained.Model
	decoder *decode.Decoder
	rows    decode.Rows
	ordered []Pair // room for pairs
	said    []float32
}

// newSayer has a device compute vectors of all vertices.
func newSayer(ctx context.Context, e *Engine, snap *store.Snapshot, m *trained.Model, on On) (s *sayer, r TrainReport,
	err error) {
	c, err := m.Compile()
	if err != nil {
		return nil, r, err
	}
	directed := snap.Manifest().Directed
	switch {
	case c.Decoder == nil:
		return nil, r, &RequestError{Reason: "the model says something of vertices, not of pairs of them"}
	case directed != m.Directed:
		return nil, r, &RequestError{Reason: "the model was trained on a graph whose edges have a direction, and this " +
			"one's have none, or the other way around"}
	}
	p, places, err := e.vectors(ctx, snap, m, c, c.Program.Output, on)
	if err != nil {
		return nil, r, err
	}
	if err := finite(ctx, snap, p.Rows, p.Width); err != nil {
		return nil, r, err
	}
	s = &sayer{snap: snap, model: m, rows: decode.Rows{Directed: directed}, unmet: uint32(snap.Manifest().Vertices)}
	s.rows.Vectors = append(p.Rows, make([]float32, p.Width)...)
	if table, has := m.Matrix(trained.BiasName); has {
		s.rows.Biases = rowsAt(table, append(slices.Clone(places), -1))
	}
	for _, each := range m.Parameters[len(m.Parameters)-len(c.Decoder.Learned):] {
		s.rows.Parameters = append(s.rows.Parameters, each.Numbers)
	}
	s.decoder, err = decode.New(c.Decoder, on.Threads)
	return s, p.Report, err
}

// row is where a vertex has its row.
func (s *sayer) row(v uint32) uint32 {
	if v == Unmet {
		return s.unmet
	}
	return v
}

// say says the value of each pair, or of links how probable they are.
//
// Errors: *RequestError where that is not finite.
func (s *sayer) say(ctx context.Context, pairs []Pair, values []float64) error {
	s.ordered = slices.Grow(s.ordered[:0], len(pairs))[:len(pairs)]
	s.said = slices.Grow(s.said[:0], len(pairs))[:len(pairs)]
	for i, pair := range pairs {
		s.ordered[i] = dataset.PairOf(pair.Source, pair.Target, s.rows.Directed)
	}
	s.decoder.Say(&s.rows, s.ordered, s.said)
	if at := train.NotFinite(s.said); at >= 0 {
		return s.notFinite(ctx, pairs[at])
	}
	for i, x := range s.said {
		if values[i] = s.model.Mean + s.model.Deviation*float64(x); s.model.Schema.Task == neural.Links {
			values[i] = dataflow.Unary(dataflow.Sigmoid, float64(x), 0)
		}
	}
	return nil
}

// notFinite is the error of a pair of which what is said is not finite.
func (s *sayer) notFinite(ctx context.Context, p Pair) error {
	var names [2]string
	for i, v := range []uint32{p.Source, p.Target} {
		if names[i] = "(not in the graph)"; v == s.unmet {
			continue
		}
		ids, err := s.snap.UserIDs(ctx, uint64(v), uint64(v)+1)
		if err != nil {
			return err
		}
		names[i] = ids.Text(0)
	}
	return &RequestError{Reason: fmt.Sprintf("what it says of %s → %s is not finite: the numbers that it reads of them are "+
		"too large, or its output divides by 0", names[0], names[1])}
}

// Pairing is what a model says of pairs of vertices.
type Pairing struct{ of *sayer }

// NewPairing has a device compute vectors of all vertices of the graph of snap, from which it says something of pairs.
//
// Errors: as of Train.
func NewPairing(ctx context.Context, e *Engine, snap *store.Snapshot, m *trained.Model, on On) (*Pairing, TrainReport,
	error) {
	s, report, err := newSayer(ctx, e, snap, m, on)
	if err != nil {
		err = fmt.Errorf("predict by %s on graph %s: %w", m.Name, snap.Manifest().Graph, err)
	}
	return &Pairing{s}, report, err
}

// SayOf is what the model says of the edges of a chunk, in the order of its entries: the same of an edge wherever it
// stands. One goroutine calls it.
//
// Errors: *RequestError where that is not finite.
func (p *Pairing) SayOf(ctx context.Context, c *chunk.Chunk) ([]float64, error) {
	meta, pairs := c.Meta(), make([]Pair, 0, c.Edges())
	for v, list := range c.Lists() {
		for _, local := range list {
			pair := Pair{Source: uint32(v), Target: uint32(meta.Cols.Base) + local}
			if meta.Direction == chunk.In {
				pair.Source, pair.Target = pair.Target, pair.Source
			}
			pairs = append(pairs, pair)
		}
	}
	values := make([]float64, len(pairs))
	if err := p.of.say(ctx, pairs, values); err != nil {
		return nil, fmt.Errorf("predict by %s on graph %s: %w", p.of.model.Name, p.of.snap.Manifest().Graph, err)
	}
	return values, nil
}
