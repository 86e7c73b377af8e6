package store

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/generation"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/space"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// Compact makes one new snapshot of a graph's snapshot and its changes, and empties the log
// in the same step; without changes it returns the snapshot there is. Nodes keep their order,
// and the ids that transactions know them by close ranks; those of relationships become the
// order of starts, ends and former ids. Commits wait meanwhile; open transactions go on with
// what they see, but one that has changed something conflicts. Compact takes what a load of
// the graph takes (see LoadOptions), 8 bytes a node for user ids, and one chunk.
//
// A property that got values of several types, or of one that Arrow columns do not have, is
// stored as binary column of encoded values (see package formats/value), until all have one type
// again. Integers and floats, as 1 and 2.5, are a column of floats where no float among them is
// integral, as 2.0 is.
//
// Errors: *UnknownGraphError, *DamagedError, *TooLargeError, *DiskFullError.
func (db *DB) Compact(ctx context.Context, graph string) (*manifest.Manifest, error) {
	if changed, err := db.HasChanges(graph); err != nil || !changed {
		if err != nil {
			return nil, err
		}
		return db.current(graph)
	}
	opened, err := db.graphs.Open(ctx, graph)
	if err != nil {
		return nil, err
	}
	m, err := db.write(ctx, graph, func(g *writing) (*manifest.Manifest, error) {
		if err := opened.Acquire(ctx); err != nil {
			return nil, err
		}
		g.holds = opened
		return compactGraph(ctx, db.dir, g.Generation, opened)
	})
	if errors.Is(err, errReplaced) {
		return db.current(graph)
	}
	return m, err
}

// errReplaced says that a graph was compacted, replaced or dropped while Compact waited.
var errReplaced = errors.New("the graph was replaced")

// compactGraph loads, into the database at dir, what a transaction that begins now sees.
func compactGraph(
	ctx context.Context, dir string, g *generation.Generation, opened *transaction.Graph,
) (*manifest.Manifest, error) {
	v := opened.Current()
	if v == nil {
		return nil, errReplaced
	}
	tx := transaction.NewTx(ctx, opened, v, transaction.ReadAccess)
	defer tx.Rollback()
	old := v.Base.Manifest
	src, err := transaction.NewCompaction(tx)
	if err != nil {
		return nil, err
	}
	again := &load.Again{Places: src.Places()}
	opts := load.Options{Order: manifest.OrderNone, Source: old.Source}
	m, err := load.Run(ctx, g, src, opts, again, directory.Temp(dir))
	if err != nil {
		return nil, space.DiskFull(dir, err)
	}
	if m.Anonymous, m.Indexes, m.Constraints = old.Anonymous, old.Indexes, old.Constraints; !tx.DeletesOfBase() {
		m.Numbering = old.Numbers()
	}
	m.Order.Asked, m.Order.Taken, m.Order.Why, m.Order.TopShare = old.Order.Asked, old.Order.Taken, old.Order.Why,
		old.Order.TopShare
	keepProvenance(m.NodeProperties, old.NodeProperties)
	keepProvenance(m.EdgeProperties, old.EdgeProperties)
	return m, nil
}

// keepProvenance has properties be of the runs that wrote them.
func keepProvenance(properties, old []manifest.Property) {
	for i := range properties {
		for _, p := range old {
			if p.Name == properties[i].Name {
				properties[i].Provenance = p.Provenance
			}
		}
	}
}
