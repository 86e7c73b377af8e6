package store

import (
	"errors"

	"github.com/penstock-db/penstock/store/internal/transaction"
	"github.com/penstock-db/penstock/store/internal/tree"
)

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
