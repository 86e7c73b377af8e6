package instance

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/formats/exporter"
	"github.com/penstock-db/penstock/internal/stats"
)

// Export writes a graph's current snapshot to files in dir, which is made when it is
// missing. The files appear when all of them are whole. Files that are there already are
// left alone and reported, unless options say exporter.Overwrite. progress, when not
// nil, is told how many nodes and edges of how many are written.
func (db *DB) Export(ctx context.Context, graph, format, dir string, progress func(done, total int64),
	options ...exporter.Option) error {
	source, err := db.Source(ctx, graph)
	if err != nil {
		return err
	}
	return errors.Join(exporter.Write(ctx, source, format, dir, progress, options...), source.Close())
}

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
