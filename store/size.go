package store

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/store/internal/transaction"
	"github.com/penstock-db/penstock/store/internal/tree"
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

// errEnough ends a loop.
var errEnough = errors.New("enough")

// HasChanges tells whether commits have changed a graph since its snapshot: Compact makes
// them part of one.
func (db *DB) HasChanges(graph string) (changed bool, err error) {
	m, err := db.current(graph)
	if err != nil {
		return false, err
	}
	err = db.view(func(t tree.Tree) error {
		return transaction.EachCommit(t, graph, m.LogID(), func(uint64) error {
			changed = true
			return errEnough
		})
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return changed, err
}
