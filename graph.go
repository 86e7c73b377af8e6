package penstock

import (
	"cmp"
	"context"
	"time"

	"github.com/penstock-db/penstock/store"
)

// Graph describes a graph. What statements have changed is in Vertices, Edges and Changes at once, and in the other
// fields once it is folded into the snapshot (DB.Compact).
type Graph struct {
	Name     string
	Snapshot uint64    // its number: unique in the database, never used again
	Created  time.Time // when the snapshot was made
	Source   string    // where the graph came from, for people
	Directed bool
	Vertices uint64
	Edges    uint64 // an undirected edge counts once
	Changes  int64  // bytes of memory that changes since the snapshot take, about; 0: there are none
	Order    string // in which vertices are stored: none, degree, bfs, rabbit
	Labels   []string
	Types    []string // of relationships
	// NodeProperties and EdgeProperties are names with Arrow types.
	NodeProperties map[string]string
	EdgeProperties map[string]string
}

// Graphs describes all graphs, by name.
func (db *DB) Graphs(ctx context.Context) ([]Graph, error) {
	manifests, err := db.inner.Graphs()
	if err != nil {
		return nil, public(err)
	}
	graphs := make([]Graph, len(manifests))
	for i, m := range manifests {
		if graphs[i], err = db.describe(ctx, m); err != nil {
			return nil, err
		}
	}
	return graphs, nil
}

// Graph describes a graph.
//
// Errors: ErrUnknownGraph.
func (db *DB) Graph(ctx context.Context, name string) (Graph, error) {
	m, err := db.inner.Graph(name)
	if err != nil {
		return Graph{}, public(err)
	}
	return db.describe(ctx, m)
}

func (db *DB) describe(ctx context.Context, m *store.Manifest) (Graph, error) {
	size, err := db.inner.Size(ctx, m.Graph)
	if err != nil {
		return Graph{}, public(err)
	}
	g := graphOf(m)
	g.Vertices, g.Edges, g.Changes = size.Vertices, size.Edges, size.Changes
	return g, nil
}

// graphOf is what a snapshot's manifest says of a graph.
func graphOf(m *store.Manifest) Graph {
	return Graph{
		Name: m.Graph, Snapshot: m.ID, Created: m.Created, Source: m.Source, Directed: m.Directed,
		Vertices: m.Vertices, Edges: m.Edges, Order: string(cmp.Or(m.Order.Taken, store.OrderNone)), Labels: m.Labels,
		Types:          m.Types,
		NodeProperties: propertyTypes(m.NodeProperties), EdgeProperties: propertyTypes(m.EdgeProperties),
	}
}

func propertyTypes(properties []store.Property) map[string]string {
	types := make(map[string]string, len(properties))
	for _, p := range properties {
		types[p.Name] = p.Type
	}
	return types
}

// CreateGraph makes an empty directed graph, to be filled by statements.
//
// Errors: ErrGraphExists, ErrReadOnly.
func (db *DB) CreateGraph(ctx context.Context, name string) error {
	return public(db.inner.CreateGraph(ctx, name))
}

// Compact folds what statements have changed into the graph's chunks and columns, and gives back space that is wasted.
// That is done in the background, too, before the changes take more memory and the files more space than they may.
func (db *DB) Compact(ctx context.Context, graph string) error {
	_, err := db.inner.Compact(ctx, graph)
	return public(err)
}

// Drop removes a graph and gives its space back.
func (db *DB) Drop(ctx context.Context, graph string) error { return public(db.inner.Drop(ctx, graph)) }
