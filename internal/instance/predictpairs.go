package instance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/result"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/store"
)

// PairPredictions are what a model says of pairs of vertices, in the order in which these were named.
type PairPredictions struct {
	Sources, Targets formats.IDs // as the user calls them
	Values           []float64   // what was learned; of links, how probable they are
	Unmet            int         // pairs with an end that the graph does not have, see host.Unmet
	Report           host.TrainReport
}

// PredictPairs asks a model about the pairs of vertices that the edges of source name; they need not be edges of the
// graph. It holds some 40 bytes of each pair, and ids that are texts; where pairs name many vertices,
// the ids of all that the graph has as well.
//
// Errors: *formats.ParseError where source names a vertex that the graph does not have, unless the graph is bipartite
// and host.TakesUnmet; as of Predict.
func PredictPairs(ctx context.Context, db *DB, graph string, m *trained.Model, source formats.Source, on host.On) (
	*PairPredictions, error) {
	p := &PairPredictions{}
	var err error
	p.Values, p.Report, err = predictPairs(ctx, db, graph, m, on, func(snapshot *store.Snapshot) ([]host.Pair, error) {
		return p.read(ctx, snapshot, source, sidesOf(snapshot.Manifest()) != nil && host.TakesUnmet(m))
	})
	return p, err
}

// PredictIDs asks a model about pairs of vertices, source and target as the user calls them.
//
// Errors: *store.UnknownVertexError; as of Predict.
func PredictIDs(ctx context.Context, db *DB, graph string, m *trained.Model, ids [][2]string, on host.On) (
	values []float64, err error) {
	values, _, err = predictPairs(ctx, db, graph, m, on, func(snapshot *store.Snapshot) ([]host.Pair, error) {
		pairs := make([]host.Pair, len(ids))
		for i, of := range ids {
			for end, to := range []*uint32{&pairs[i].Source, &pairs[i].Target} {
				v, err := snapshot.Vertex(ctx, of[end])
				if err != nil {
					return nil, err
				}
				*to = uint32(v) // networks are computed over graphs whose vertices 32 bits number
			}
		}
		return pairs, nil
	})
	return values, err
}

// predictPairs asks a model about pairs that are found in the graph's current snapshot.
func predictPairs(ctx context.Context, db *DB, graph string, m *trained.Model, on host.On,
	find func(*store.Snapshot) ([]host.Pair, error)) (values []float64, r host.TrainReport, err error) {
	snapshot, err := db.folded(ctx, graph)
	if err != nil {
		return nil, r, err
	}
	defer snapshot.Close()
	place(db, &on.PluginDir, &on.Allowed)
	pairs, err := find(snapshot)
	if err != nil {
		return nil, r, err
	}
	return db.engine.PredictPairs(db.accounted(ctx), snapshot, m, pairs, on)
}

// read finds the vertices that source names. unmet says whether there may be some that the graph does not have.
func (p *PairPredictions) read(ctx context.Context, snapshot *store.Snapshot, source formats.Source, unmet bool) (
	pairs []host.Pair, err error) {
	ends := vertexFinder{snapshot: snapshot, unmet: unmet, seen: map[string]uint32{}}
	err = source.Edges(ctx, func(b *formats.EdgeBatch) error {
		for row := range b.Src.Len() {
			var pair [2]uint32
			for i, ids := range []formats.IDs{b.Src, b.Dst} {
				var err error
				if pair[i], err = ends.find(ctx, unprefixed(ids.Text(row))); err != nil {
					var unknown *store.UnknownVertexError
					if errors.As(err, &unknown) {
						err = &formats.ParseError{Position: b.Where(row), Found: fmt.Sprintf("vertex %s", ids.Text(row)),
							Expected: "a vertex of graph " + snapshot.Manifest().Graph, Err: err}
					}
					return err
				}
			}
			if slices.Contains(pair[:], host.Unmet) {
				p.Unmet++
			}
			p.Sources.Append(unprefixed(b.Src.Text(row)))
			p.Targets.Append(unprefixed(b.Dst.Text(row)))
			pairs = append(pairs, host.Pair{Source: pair[0], Target: pair[1]})
		}
		return ctx.Err()
	})
	return pairs, err
}

// manyIDs is how many vertices are looked up one by one, each in a block of ids that has to be decoded. Then all are
// read.
const manyIDs = 256

// vertexFinder finds vertices by what the user calls them. Where there may be some that the graph does not have, these
// are host.Unmet.
type vertexFinder struct {
	snapshot *store.Snapshot
	unmet    bool
	seen     map[string]uint32
	every    bool // seen has all that there are
}

func (f *vertexFinder) find(ctx context.Context, id string) (uint32, error) {
	if v, known := f.seen[id]; known {
		return v, nil
	}
	if !f.every && len(f.seen) >= manyIDs {
		if err := f.readAll(ctx); err != nil {
			return 0, err
		}
		return f.find(ctx, id)
	}
	v, err := f.lookUp(ctx, id)
	if err == nil {
		f.seen[strings.Clone(id)] = v
	}
	return v, err
}

// lookUp finds a vertex that has not been seen.
func (f *vertexFinder) lookUp(ctx context.Context, id string) (uint32, error) {
	var v uint64
	var err error = &store.UnknownVertexError{Graph: f.snapshot.Manifest().Graph, Vertex: id}
	if !f.every {
		v, err = f.snapshot.Vertex(ctx, id)
	}
	var unknown *store.UnknownVertexError
	if errors.As(err, &unknown) && f.unmet {
		return host.Unmet, nil
	}
	return uint32(v), err // networks are computed over graphs whose vertices 32 bits number
}

// readAll adds the vertices of the graph.
func (f *vertexFinder) readAll(ctx context.Context) error {
	ids, err := f.snapshot.UserIDs(ctx, 0, f.snapshot.Manifest().Vertices)
	if err != nil {
		return err
	}
	for v := range ids.Len() {
		f.seen[ids.Text(v)] = uint32(v)
	}
	f.every = true
	return nil
}

// WriteFile writes a row for each pair: source, target, value. The file appears when it is whole.
func (p *PairPredictions) WriteFile(ctx context.Context, file string) error {
	return result.Write(ctx, file, result.Table{Rows: uint64(len(p.Values)), Columns: []result.Column{
		{Name: "source", IDs: readerOf(p.Sources)}, {Name: "target", IDs: readerOf(p.Targets)},
		{Name: "value", Floats: p.Values}}})
}

// readerOf reads ids that are held.
func readerOf(ids formats.IDs) result.ReadIDs {
	return func(_ context.Context, from, to uint64) (part formats.IDs, _ error) {
		for row := from; row < to; row++ {
			part.AppendRow(ids, int(row))
		}
		return part, nil
	}
}
