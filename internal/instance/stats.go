package instance

import (
	"context"

	"github.com/penstock-db/penstock/internal/stats"
)

// Stats looks at all of a graph: degrees, where its edges are in the adjacency matrix, and how
// dense the cores of its vertices of high degree are. See stats.Of for the errors.
func (db *DB) Stats(ctx context.Context, graph string, options stats.Options) (*stats.Report, error) {
	snapshot, err := db.folded(ctx, graph)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	return stats.Of(ctx, snapshot, options)
}
