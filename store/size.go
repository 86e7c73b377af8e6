package store

import (
	"context"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// Size is how much a graph has, with what has been changed since its snapshot.
type Size struct {
	Vertices uint64 `json:"vertices"`
	Edges    uint64 `json:"edges"`
	// Changes is about what changes that are not compacted take in memory while the
	// graph is open, in bytes; 0: there are none.
	Changes int64 `json:"changes"`
}

// Size counts what a graph has. If it has changes that no transaction has looked at yet,
// they are read from its log.
//
// Errors: *UnknownGraphError, *DamagedError.
func (db *DB) Size(ctx context.Context, graph string) (Size, error) {
	changed, err := db.HasChanges(graph)
	if err != nil {
		return Size{}, err
	}
	if !changed {
		m, err := db.current(graph)
		if err != nil {
			return Size{}, err
		}
		return Size{Vertices: m.Vertices, Edges: m.Edges}, nil
	}
	tx, err := db.Begin(ctx, graph, transaction.ReadAccess)
	if err != nil {
		return Size{}, err
	}
	defer tx.Rollback()
	return Size{tx.NodeCount(), tx.RelationshipCount(), tx.State.Bytes}, nil
}
