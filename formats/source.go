// Package formats is the border between graph files and the store.
//
//	files ──importer.Open──▶ Source ──store.Load──▶ chunks and columns
//	files ◀──exporter.Write── Source ◀──store.Snapshot.Source
//
// A Source streams a graph in batches and never holds more than one of them. A
// stored snapshot is a Source too, so that an exporter can write whatever an
// importer can read. One sub-package reads or writes one format; chunk holds the
// form in which the store and the devices keep topology.
package formats

import (
	"context"

	"github.com/apache/arrow/go/v15/arrow"
)

// BatchRows is how many nodes or edges a Source puts in one batch at the most.
const BatchRows = 1 << 16

// Orientation says what a format declares about the direction of its edges.
type Orientation uint8

const (
	// OrientationUnknown leaves the choice to the user; the store then takes edges as directed.
	OrientationUnknown Orientation = iota
	// Directed edges lead from their source to their target only.
	Directed
	// Undirected edges are given once and lead both ways.
	Undirected
)

// Schema is what a Source knows of its graph before the first batch.
type Schema struct {
	// Orientation as the format declares it; a user's choice overrides it.
	Orientation Orientation
	// NodesDeclared is true when every node is declared by Nodes, so that an edge
	// to any other node is an error. When false, edges bring their end points into being.
	NodesDeclared bool
	// Node and Edge list the property columns that batches may carry, over all files.
	// Property fields are nullable. Either may be nil: no properties.
	Node, Edge *arrow.Schema
	// IntegerIDs promises that every id is an integer, so that a writer may give ids an
	// integer column. False promises nothing.
	IntegerIDs bool
	// Vertices and Edges are the counts the input promises, or -1 when it promises
	// none. Edges counts edges as the user does: an undirected edge counts once.
	Vertices, Edges int64
	// Declared is where the input states Vertices, of a Source whose Nodes makes that many
	// nodes out of the number alone. The zero Position: each node is read from the input.
	Declared Position
}

// Source streams one graph. Nodes is called first and at most once, then Edges, at
// most once. Batches belong to the Source and are valid only until yield returns;
// a consumer that keeps Props retains the record. An error from yield ends the
// stream and is returned as it is.
type Source interface {
	Schema() Schema
	Nodes(ctx context.Context, yield func(*NodeBatch) error) error
	Edges(ctx context.Context, yield func(*EdgeBatch) error) error
	Close() error
}

// IDs are user ids. A row is an integer id, unless Strings is not nil and its entry
// there is not empty. ParseID decides which of the two a token is.
type IDs struct {
	Ints    []int64
	Strings []string
}

// NodeBatch is a run of declared nodes.
type NodeBatch struct {
	ID IDs
	// Labels has one entry a row: labels in the order given, joined by ';'. Nil: no labels.
	Labels []string
	// Props has one row a node and a subset of Schema.Node's columns. Nil: no properties.
	Props arrow.Record
	// Where names the origin of a row for error messages: file and line. Never nil.
	Where func(row int) Position
}

// EdgeBatch is a run of edges.
type EdgeBatch struct {
	Src, Dst IDs
	// SrcNumbers and DstNumbers have one entry a row: which node an end is, counted from 0 in the order in which
	// Nodes yields them. They spare a consumer looking up ids. Nil: the source does not know.
	SrcNumbers, DstNumbers []int64
	// Types has one relationship type a row. Nil: untyped.
	Types []string
	// Props has one row an edge and a subset of Schema.Edge's columns. Nil: no properties.
	Props arrow.Record
	// Where names the origin of a row for error messages: file and line. Never nil.
	Where func(row int) Position
}
