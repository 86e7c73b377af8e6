package projection

import (
	"fmt"

	"github.com/penstock-db/penstock/formats/value"
)

// Drawn is a graph of its own among vertices of a snapshot, which a statement has drawn up: it says which these are,
// and what leads where. It takes 8 bytes a relationship and 4 a vertex, and what names and values take.
type Drawn struct {
	Numbers  uint64   // of the snapshot that the dense ids are of: see manifest.Manifest
	Vertices []uint32 // their dense ids, ascending
	Labels   []string // of each vertex, as formats.NodeBatch has them; nil: those of the snapshot
	From, To []uint32 // of each relationship the places of its ends in Vertices
	Types    []string // of each relationship; nil: none has one
	// Relationships are properties of relationships, which have no others.
	Relationships []Column
	Undirected    bool // relationships lead both ways
}

// Column is a property: a value of each, null where there is none.
type Column struct {
	Name   string
	Values []value.Value
}

// Added is a property of vertices of a snapshot that the graph does not have, or has other values of.
type Added struct {
	Column
	Numbers  uint64   // of the snapshot that the dense ids are of: see manifest.Manifest
	Vertices []uint32 // by value, the dense ids, ascending; others have none
}

// OutdatedError says that a projection has something of an earlier state of a graph, whose vertices have other numbers
// since.
type OutdatedError struct{ Graph string }

func (e *OutdatedError) Error() string {
	return fmt.Sprintf("nodes of graph %q have been deleted since this was projected, and others have their numbers: "+
		"drop the projection, and project again", e.Graph)
}

// Current fails with an *OutdatedError where anything is of another numbering.
func (p Projection) Current(graph string, numbers uint64) error {
	outdated := p.Drawn != nil && p.Drawn.Numbers != numbers
	for _, a := range p.Added {
		outdated = outdated || a.Numbers != numbers
	}
	for _, l := range p.Linked {
		outdated = outdated || l.Numbers != numbers
	}
	if outdated {
		return &OutdatedError{graph}
	}
	return nil
}
