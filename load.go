package penstock

import (
	"context"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/exporter"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/store"
)

// LoadOptions are what a program may say about an input and about how it is stored. The zero value finds out the
// format.
type LoadOptions struct {
	formats.Options
	// Orientation overrides what the files say; unknown: as they say, else directed.
	Orientation formats.Orientation
	// Weight names the edge property (column) that is stored as "weight".
	Weight string
	// Memory bounds what the load holds, in bytes; 0: half of the machine's.
	Memory int64
	// Order is how vertices lie in memory: none, degree, bfs, rabbit; empty or auto: what suits the graph. Results and
	// users' ids do not depend on it.
	Order string
	// Replace lets Load take the place of a graph of the same name, atomically.
	Replace bool
	// Vectors are matrices beside the graph, as NumPy writes them: a row for each node, which becomes a property. Without
	// ids beside them, rows are in the order of the nodes or, where files have edges alone, of the nodes 0, 1, 2 and so
	// on.
	Vectors []formats.Vectors
}

func (o LoadOptions) inner() instance.LoadOptions {
	return instance.LoadOptions{
		Options: o.Options, Orientation: o.Orientation, Weight: o.Weight, Memory: o.Memory,
		Order: store.Order(o.Order), Replace: o.Replace, Vectors: o.Vectors,
	}
}

// Load reads files into a new graph. Until it returns without an error the graph does not exist, or is what it was: a
// failure, a canceled ctx or a killed process leaves nothing behind.
//
// Errors: *formats.ParseError, ErrGraphExists, ErrReadOnly.
func (db *DB) Load(ctx context.Context, graph string, files []string, options LoadOptions) (Graph, error) {
	return loaded(db.inner.Load(ctx, graph, files, options.inner()))
}

// LoadSource is Load from any Source: another database's graph, a reader or a generator of the program's own.
func (db *DB) LoadSource(ctx context.Context, graph string, source formats.Source, options LoadOptions) (Graph, error) {
	return loaded(db.inner.LoadSource(ctx, graph, source, options.inner()))
}

func loaded(m *store.Manifest, err error) (Graph, error) {
	if err != nil {
		return Graph{}, public(err)
	}
	return graphOf(m), nil
}

// Source streams a graph with the user's ids. The caller closes it.
//
// Errors: ErrUnknownGraph, and ErrReadOnly where changes would have to be folded in first.
func (db *DB) Source(ctx context.Context, graph string) (formats.Source, error) {
	source, err := db.inner.Source(ctx, graph)
	if err != nil {
		return nil, public(err)
	}
	return source, nil
}

// ExportOptions say how a graph is exported. The zero value leaves files alone that are there already, and fails.
type ExportOptions struct {
	Overwrite bool // replaces an earlier export of the same format
	// Progress is called with how many nodes and edges of how many are written; nil: it is not.
	Progress func(done, total int64)
}

// Export writes a graph to files in dir, which is made when it is missing. The formats are csv, parquet, arrow and mtx.
// The files appear when all of them are whole.
func (db *DB) Export(ctx context.Context, graph, format, dir string, options ExportOptions) error {
	var how []exporter.Option
	if options.Overwrite {
		how = append(how, exporter.Overwrite())
	}
	return public(db.inner.Export(ctx, graph, format, dir, options.Progress, how...))
}
