package store

import "context"

// CreateGraph makes an empty directed graph, to be filled by transactions. Its nodes have no
// ids of the user's.
//
// Errors: *GraphNameError, *GraphExistsError, *DiskFullError.
func (db *DB) CreateGraph(ctx context.Context, graph string) error {
	if err := checkName(graph); err != nil {
		return err
	}
	_, err := db.write(ctx, graph, func(g *generation) (*Manifest, error) {
		if err := db.checkReplace(graph, false); err != nil {
			return nil, err
		}
		zero := int64(0)
		return &Manifest{
			Version: ManifestVersion, ID: g.number, Log: g.number, Graph: graph, Anonymous: true,
			Directed: true,
			Order:    Ordering{Asked: OrderNone, Taken: OrderNone, Why: "it was created empty"},
			IDs:      IDs{Kind: IntegerIDs, Base: &zero},
		}, nil
	})
	return err
}
