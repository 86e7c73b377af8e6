package store

import (
	"context"

	"github.com/penstock-db/penstock/store/internal/manifest"
)

// CreateGraph makes an empty directed graph, to be filled by transactions. Its nodes have no
// ids of the user's.
//
// Errors: *GraphNameError, *GraphExistsError, *DiskFullError.
func (db *DB) CreateGraph(ctx context.Context, graph string) error {
	if err := checkName(graph); err != nil {
		return err
	}
	_, err := db.write(ctx, graph, func(g *writing) (*manifest.Manifest, error) {
		if err := db.checkReplace(graph, false); err != nil {
			return nil, err
		}
		zero := int64(0)
		return &manifest.Manifest{
			Version: manifest.Version, ID: g.Number, Log: g.Number, Graph: graph, Anonymous: true,
			Directed: true,
			Order:    manifest.Ordering{Asked: manifest.OrderNone, Taken: manifest.OrderNone, Why: "it was created empty"},
			IDs:      manifest.IDs{Kind: manifest.IntegerIDs, Base: &zero},
		}, nil
	})
	return err
}
