package penstock

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/formats/exporter"
)

// Export writes a graph's current snapshot to files in dir, which is made when it is
// missing. The files appear when all of them are whole.
func (db *DB) Export(ctx context.Context, graph, format, dir string) error {
	source, err := db.Source(graph)
	if err != nil {
		return err
	}
	return errors.Join(exporter.Write(ctx, source, format, dir, nil), source.Close())
}
