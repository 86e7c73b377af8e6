// Package manifest is what one snapshot of a graph consists of: chunks of edges, columns of values, and how they are
// named, ordered and indexed. A manifest is read from the tree (Read), never changed, and leads to all that is stored
// (Stored).
package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// Version is the version of the manifest's JSON.
//
//	1  first version
//	2  a log of changes; graphs that statements have made
//	3  commits in the log bear their time
const Version = 3

// TypeColumn is the edge column that holds an edge's relationship type as a code, an
// index into Manifest.Types; null: the edge has no type. A ':' starts no property name.
const TypeColumn = ":type"

// Manifest names everything that one snapshot of a graph consists of. It is written
// once and never changed.
type Manifest struct {
	Version  int       `json:"version"`
	ID       uint64    `json:"snapshot"` // unique in the database, never used again
	Graph    string    `json:"graph"`
	Created  time.Time `json:"created"`          // when it was published
	Source   string    `json:"source,omitempty"` // where the graph came from, for people
	Directed bool      `json:"directed"`
	Vertices uint64    `json:"vertices"`
	Edges    uint64    `json:"edges"` // as the user counts: an undirected edge once
	Order    Ordering  `json:"order,omitzero"`
	// Log is the generation under which commits are logged that change the snapshot. See LogID.
	Log uint64 `json:"log,omitempty"`
	// Numbering names the numbering of vertices: see Numbers. 0: that of the topology.
	Numbering uint64 `json:"numbering,omitempty"`
	// Shadowed is the name that a result now has which was written under that of the users' ids; the log may have
	// commits from before. Empty: there is none. See shadowedids.go.
	Shadowed string `json:"shadowed,omitempty"`
	// Anonymous graphs have no ids of the user's: statements have made them. What reads a
	// snapshot finds 0, 1, … in their place.
	Anonymous bool `json:"anonymous,omitempty"`

	Labels         []string   `json:"labels,omitempty"`
	Types          []string   `json:"types,omitempty"`      // in the order of their codes
	TypeEdges      []uint64   `json:"type_edges,omitempty"` // how many edges have each type; not in version 1
	NodeProperties []Property `json:"node_properties,omitempty"`
	EdgeProperties []Property `json:"edge_properties,omitempty"`

	// Out and In hold the chunks of a directed graph, Both those of an undirected one.
	// The row intervals of each list follow one another and cover every vertex.
	Out  []ChunkInfo `json:"out,omitempty"`
	In   []ChunkInfo `json:"in,omitempty"`
	Both []ChunkInfo `json:"both,omitempty"`

	Indexes     []Index      `json:"indexes,omitempty"`
	Constraints []Constraint `json:"constraints,omitempty"`

	IDs       IDs       `json:"ids"`
	LabelSets LabelSets `json:"label_sets"`
	OutDegree *Column   `json:"out_degree,omitempty"` // uint32; for undirected graphs the degree
	InDegree  *Column   `json:"in_degree,omitempty"`
}

// Column is a stored sequence of values of one type, cut in blocks of BlockRows.
type Column struct {
	Generation uint64 `json:"generation"`
	Item       uint32 `json:"item"`
	Rows       uint64 `json:"rows"`
}

// Property is a node or edge property. Edge properties live in the chunks: their
// Column is zero.
type Property struct {
	Name   string `json:"name"`
	Type   string `json:"type"`  // the Arrow type, for people
	Schema []byte `json:"arrow"` // the Arrow field, as an IPC schema message
	Column Column `json:"column,omitzero"`
	// Provenance says which run wrote the property; nil: it was loaded.
	Provenance *Provenance `json:"provenance,omitempty"`
}

// Provenance is what is needed to repeat the run that wrote a property.
type Provenance struct {
	Snapshot   uint64            `json:"snapshot"` // the snapshot that the run read
	Algorithm  string            `json:"algorithm"`
	Parameters map[string]string `json:"parameters,omitempty"`
	Plugin     string            `json:"plugin"`
	Version    string            `json:"version,omitempty"` // of the plugin
	SHA256     string            `json:"sha256,omitempty"`  // of the plugin's binary, in hex
	Seed       uint64            `json:"seed"`
	Threads    int               `json:"threads"`
	Time       time.Time         `json:"time"`
}

// ChunkInfo describes a stored chunk.
type ChunkInfo struct {
	Generation uint64          `json:"generation"`
	Direction  chunk.Direction `json:"direction"`
	Number     uint32          `json:"number"` // 0, 1, … in row order
	Rows       chunk.Interval  `json:"rows"`
	Cols       chunk.Interval  `json:"cols"`
	Edges      uint64          `json:"edges"`    // list entries
	Bytes      int64           `json:"bytes"`    // encoded, with every column
	Topology   int64           `json:"topology"` // encoded, without any column
	Columns    []ColumnSize    `json:"columns,omitempty"`
	// Pages are checksums by which parts of the chunk can be read alone (see PageSums); empty: all is read.
	Pages []byte `json:"pages,omitempty"`
}

// ColumnSize is what an edge column adds to a chunk.
type ColumnSize struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// IDKind says what the users' vertex ids are.
type IDKind string

const (
	IntegerIDs IDKind = "integer"
	StringIDs  IDKind = "string"
	MixedIDs   IDKind = "mixed"
)

// IDs says where the user ids are. Dense ids whose user ids are Base, Base+1, … need
// no column at all. Otherwise Ints and Strings hold the id of every vertex (a row of
// Strings that is not empty wins) in dense order. When that order is ascending, Sorted
// is nil and a user id is found in them; else it is found in Sorted.
type IDs struct {
	Kind    IDKind   `json:"kind"`
	Base    *int64   `json:"base,omitempty"`
	Ints    *Column  `json:"ints,omitempty"`
	Strings *Column  `json:"strings,omitempty"`
	First   []string `json:"first,omitempty"` // first id of each block of the ascending columns
	Sorted  *IDIndex `json:"sorted,omitempty"`
	// Loaded is each vertex's place in the order of loading (OrderNone), uint32 in
	// dense order; nil: the dense id is the place.
	Loaded *Column `json:"loaded,omitempty"`
}

// IDIndex holds the user ids in ascending order (integers, then strings) and the dense id of each.
type IDIndex struct {
	Ints    *Column `json:"ints,omitempty"`
	Strings *Column `json:"strings,omitempty"`
	Dense   Column  `json:"dense"`
}

// LabelSets is the column of the nodes' labels: a code per vertex, an index into
// Sets. Sets are labels joined by ';'. Column is nil when no node has a label.
type LabelSets struct {
	Sets   []string `json:"sets,omitempty"`
	Column *Column  `json:"column,omitempty"`
}

// Chunks are the chunks of one direction; of an undirected graph there is only one set.
func (m *Manifest) Chunks(d chunk.Direction) []ChunkInfo {
	switch {
	case !m.Directed:
		return m.Both
	case d == chunk.In:
		return m.In
	default:
		return m.Out
	}
}

// NodeProperty finds a node property by name.
func (m *Manifest) NodeProperty(name string) (Property, bool) {
	for _, p := range m.NodeProperties {
		if p.Name == name {
			return p, true
		}
	}
	return Property{}, false
}

// LogID is the generation of the log of commits that change the snapshot; version 1 had none and named none.
func (m *Manifest) LogID() uint64 {
	if m.Log == 0 {
		return m.ID
	}
	return m.Log
}

func Encode(m *Manifest) ([]byte, error) { return json.Marshal(m) }

func Decode(data []byte) (*Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	if m.Version < 1 || m.Version > Version {
		return nil, fmt.Errorf("manifest version %d, this penstock reads versions 1 to %d", m.Version, Version)
	}
	m.mendIDs()
	return &m, nil
}

// Pieces are all chunk lists and columns that m names.
func (m *Manifest) Pieces() iter.Seq[layout.Piece] {
	return func(yield func(layout.Piece) bool) {
		for _, list := range [][]ChunkInfo{m.Out, m.In, m.Both} {
			if len(list) > 0 && !yield(list[0].Piece()) {
				return
			}
		}
		for _, c := range m.Columns() {
			if !yield(c.Piece()) {
				return
			}
		}
	}
}

// NamedColumn is a column and what to call it in an error.
type NamedColumn struct {
	*Column
	Name string
}

// Columns are all columns that m names.
func (m *Manifest) Columns() []NamedColumn {
	all := []NamedColumn{
		{m.IDs.Ints, "integer id"}, {m.IDs.Strings, "string id"}, {m.IDs.Loaded, "load order"}, {m.LabelSets.Column, "label"},
		{m.OutDegree, "out-degree"}, {m.InDegree, "in-degree"},
	}
	if s := m.IDs.Sorted; s != nil {
		all = append(all, NamedColumn{s.Ints, "sorted integer id"}, NamedColumn{s.Strings, "sorted string id"},
			NamedColumn{&s.Dense, "id index"})
	}
	for i := range m.NodeProperties {
		all = append(all, NamedColumn{&m.NodeProperties[i].Column, m.NodeProperties[i].Name})
	}
	return slices.DeleteFunc(all, func(c NamedColumn) bool { return c.Column == nil })
}

// Topology names the lists of edges, and with them the dense ids: snapshots that share it differ
// in properties alone.
func (m *Manifest) Topology() uint64 {
	for _, list := range [][]ChunkInfo{m.Out, m.Both} {
		if len(list) > 0 {
			return list[0].Generation
		}
	}
	return m.ID
}

// Numbers names the numbering of vertices: of snapshots that share it, a dense id that both have is of the same vertex.
// Later ones have relationships of their own, and further vertices.
func (m *Manifest) Numbers() uint64 {
	if m.Numbering != 0 {
		return m.Numbering
	}
	return m.Topology()
}

// Next is a manifest of the same vertices under another id, which goes on with the log.
func (m *Manifest) Next(id uint64) Manifest {
	next := *m
	next.Version, next.ID, next.Log, next.Numbering = Version, id, m.LogID(), m.Numbers()
	return next
}

// ChunkBytes is what the topology takes in the store, with its edge columns.
func (m *Manifest) ChunkBytes() uint64 {
	var total uint64
	for _, list := range [][]ChunkInfo{m.Out, m.In, m.Both} {
		for _, c := range list {
			total += uint64(c.Bytes)
		}
	}
	return total
}

func (c Column) Piece() layout.Piece {
	return layout.Piece{Generation: c.Generation, Kind: layout.ColumnKind, Item: c.Item}
}

func (c ChunkInfo) Piece() layout.Piece { return chunkPiece(c.Generation, c.Direction) }

func chunkPiece(generation uint64, d chunk.Direction) layout.Piece {
	return layout.Piece{Generation: generation, Kind: layout.ChunkKind, Item: uint32(d)}
}

// Read reads a manifest; errMissing when there is none.
func Read(t tree.Tree, graph string) (*Manifest, error) {
	payload, err := tree.ReadSealed(t, layout.GraphKey(graph))
	if errors.Is(err, layout.ErrMissing) {
		return nil, err
	}
	var m *Manifest
	if err == nil {
		m, err = Decode(payload)
	}
	if err != nil {
		return nil, &failure.DamagedError{Graph: graph, Kind: "manifest", Number: -1, Err: err}
	}
	return m, nil
}

func Names(t tree.Tree) (names []string, err error) {
	err = t.EachKey([]byte{layout.GraphPrefix}, func(key []byte) error {
		names = append(names, string(key[1:]))
		return nil
	})
	return names, err
}

// LabelSeparator stands between the labels of a set.
const LabelSeparator = ";"

// LastGeneration is the last that the manifest names.
func (m *Manifest) LastGeneration() uint64 {
	last := max(m.ID, m.LogID())
	for p := range m.Pieces() {
		last = max(last, p.Generation)
	}
	return last
}
