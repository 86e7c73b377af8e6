// Package dataset reads what a model learns from out of node properties.
//
//	property of lists ──Measure, Stream──▶ rows of features, dense or sparse
//	property ──ReadTargets──▶ a class, labels or numbers for each vertex that has some
//	property, or shares ──ReadSplit──▶ train, validation, test
//
// Properties are read block by block, so that no more than a block of them is in memory beside what is made of them.
package dataset

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/store"
)

// PropertyError is a value of a node property that nothing can be learned from.
type PropertyError struct {
	Graph, Property string
	Vertex          string // the user's id; empty: all of the property is wrong
	Message         string
}

func (e *PropertyError) Error() string {
	if e.Vertex == "" {
		return fmt.Sprintf("property %q of graph %s %s", e.Property, e.Graph, e.Message)
	}
	return fmt.Sprintf("property %q of vertex %s %s", e.Property, e.Vertex, e.Message)
}

// wrong makes the error of a property of a snapshot.
func wrong(snap *store.Snapshot, property, format string, args ...any) error {
	return &PropertyError{Graph: snap.Manifest().Graph, Property: property, Message: fmt.Sprintf(format, args...)}
}

// wrongAt makes the error of a vertex.
func wrongAt(ctx context.Context, snap *store.Snapshot, property string, vertex uint64, format string,
	args ...any) error {
	ids, err := snap.UserIDs(ctx, vertex, vertex+1)
	if err != nil {
		return err
	}
	return &PropertyError{Graph: snap.Manifest().Graph, Property: property, Vertex: ids.Text(0),
		Message: fmt.Sprintf(format, args...)}
}
