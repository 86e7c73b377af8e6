package instance

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/importer"
	"github.com/penstock-db/penstock/formats/npy"
	"github.com/penstock-db/penstock/store"
)

// LoadOptions are what a user may say about an input and about how it is stored.
type LoadOptions struct {
	formats.Options
	// Orientation overrides what the files say; unknown: as they say, else directed.
	Orientation formats.Orientation
	// Weight names the edge property (column) that is stored as "weight".
	Weight string
	// Memory bounds what the load holds, in bytes; 0: half of the machine's. See
	// store.LoadOptions.
	Memory int64
	// Order is how vertices lie in memory; empty: store.OrderAuto. Results and users' ids
	// do not depend on it.
	Order store.Order
	// Replace lets Load take the place of a graph of the same name, atomically.
	Replace bool
	// Vectors are matrices beside the graph: a row for each node, as a property.
	Vectors []formats.Vectors
}

// Load reads files into a new graph. Until it returns without error the graph does
// not exist, or is what it was: a failure, a canceled ctx or a killed process leaves
// nothing behind. Bad input fails with *formats.ParseError.
func (db *DB) Load(ctx context.Context, graph string, files []string, options LoadOptions) (*store.Manifest, error) {
	options.Options.Memory = store.LoadOptions{Memory: options.Memory}.MemoryBound()
	source, err := importer.Open(ctx, files, options.Options)
	if err != nil {
		return nil, err
	}
	if len(options.Vectors) > 0 {
		if source, err = npy.Attach(source, options.Vectors, options.Options); err != nil {
			return nil, err
		}
	}
	defer source.Close()
	return db.LoadSource(ctx, graph, source, options)
}

// LoadSource is Load from any Source; files, another database's graph, a generator.
func (db *DB) LoadSource(ctx context.Context, graph string, source formats.Source,
	options LoadOptions) (*store.Manifest, error) {
	if options.Weight != "" && options.Weight != formats.WeightColumn {
		renamed, err := formats.RenameEdgeColumn(source, options.Weight, formats.WeightColumn)
		if err != nil {
			return nil, err
		}
		source = renamed
	}
	defer db.engine.Forget(graph)
	held := int64(0)
	if options.Memory > 0 {
		held = min(formats.Held(source), options.Memory-1) // what the source holds, the load cannot
	}
	m, err := db.store.Load(ctx, graph, source, store.LoadOptions{
		Orientation: options.Orientation,
		Memory:      options.Memory - held,
		Order:       options.Order,
		Replace:     options.Replace,
	})
	if short := (*store.MemoryError)(nil); errors.As(err, &short) {
		short.Memory, short.Least = short.Memory+held, short.Least+held
	}
	return m, err
}

// Generate stores a synthetic graph. Progress counts edges.
func (db *DB) Generate(ctx context.Context, graph string, source formats.Source, options LoadOptions) (*store.Manifest,
	error) {
	if options.Progress != nil {
		source = formats.CountEdges(source, options.Progress)
	}
	return db.LoadSource(ctx, graph, source, options)
}
