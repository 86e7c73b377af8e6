package instance

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/result"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/store"
)

// RecommendRequest says what is to be recommended.
type RecommendRequest struct {
	Top int
	// For is a condition of openCypher on vertices u, such as u.name = "x"; empty: all vertices that an edge leads from.
	For string
	On  host.On
}

// NobodyError says that nothing can be recommended, for no vertex that an edge leads from meets the condition.
type NobodyError struct {
	Graph, For string
	Properties []string // that vertices of the graph have
}

func (e *NobodyError) Error() string {
	return fmt.Sprintf("no vertex u of graph %s that an edge leads from meets %s; vertices have the properties %s", e.Graph,
		e.For, strings.Join(e.Properties, ", "))
}

// Recommendations are suggestions for vertices, in the order in which these are stored, the best first.
type Recommendations struct {
	Vertices, Items formats.IDs // as the user calls them
	Scores          []float64
	Report          host.TrainReport
}

// Recommend finds what a model recommends to vertices of the graph's current snapshot. It holds all that it finds: some
// 40 bytes for each suggestion, and ids that are texts.
//
// Errors: *NobodyError, a *fault.Error of the condition; as of Predict.
func Recommend(ctx context.Context, db *DB, graph string, m *trained.Model, req RecommendRequest) (*Recommendations,
	error) {
	snapshot, err := db.folded(ctx, graph)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	var vertices []uint32
	if req.For != "" {
		if vertices, err = matching(ctx, db, snapshot, req.For); err != nil {
			return nil, err
		}
	}
	ids, err := snapshot.UserIDs(ctx, 0, snapshot.Manifest().Vertices)
	if err != nil {
		return nil, err
	}
	r := &Recommendations{}
	r.Report, err = recommend(ctx, db, snapshot, m, host.RecommendRequest{Top: req.Top, For: vertices, On: req.On},
		func(vertex uint32, best []host.Suggestion) error {
			for _, s := range best {
				r.Vertices.AppendRow(ids, int(vertex))
				r.Items.AppendRow(ids, int(s.Vertex))
				r.Scores = append(r.Scores, s.Score)
			}
			return nil
		})
	if err == nil && req.For != "" && len(r.Scores) == 0 {
		nobody := &NobodyError{Graph: graph, For: req.For}
		for _, p := range snapshot.Manifest().NodeProperties {
			nobody.Properties = append(nobody.Properties, p.Name)
		}
		err = nobody
	}
	return r, err
}

func recommend(ctx context.Context, db *DB, snapshot *store.Snapshot, m *trained.Model, req host.RecommendRequest,
	yield func(vertex uint32, best []host.Suggestion) error) (host.TrainReport, error) {
	place(db, &req.PluginDir, &req.Allowed)
	return db.engine.Recommend(db.accounted(ctx), snapshot, m, req, yield)
}

// matching finds the vertices u that meet a condition, by ascending dense ids, in a transaction that cannot write.
func matching(ctx context.Context, db *DB, snapshot *store.Snapshot, condition string) (vertices []uint32, err error) {
	tx, err := db.Begin(ctx, snapshot.Manifest().Graph, store.ReadAccess)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	if err := unchanged(db, snapshot); err != nil {
		return nil, err
	}
	rows, err := tx.Run(ctx, "MATCH (u) WHERE ("+condition+"\n) RETURN u", nil)
	if err != nil {
		return nil, err
	}
	vertices = []uint32{}
	for rows.Next() {
		vertices = append(vertices, uint32(rows.Row()[0].ID()))
	}
	slices.Sort(vertices)
	return vertices, rows.Err()
}

// unchanged fails where a transaction that has begun may see another graph than the snapshot.
func unchanged(db *DB, snapshot *store.Snapshot) error {
	m := snapshot.Manifest()
	now, err := db.store.Snapshot(m.Graph)
	if err != nil {
		return err
	}
	defer now.Close()
	changed, err := db.store.HasChanges(m.Graph)
	if err == nil && (changed || now.Manifest().ID != m.ID) {
		err = &store.ConflictError{Graph: m.Graph, Base: m.ID, Current: now.Manifest().ID}
	}
	return err
}

// WriteFile writes a row for each suggestion: node, item, score. The file appears when it is whole.
func (r *Recommendations) WriteFile(ctx context.Context, file string) error {
	return result.Write(ctx, file, result.Table{Rows: uint64(len(r.Scores)), Columns: []result.Column{
		{Name: "node", IDs: readerOf(r.Vertices)}, {Name: "item", IDs: readerOf(r.Items)}, {Name: "score", Floats: r.Scores}}})
}
