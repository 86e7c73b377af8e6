package store

import "github.com/penstock-db/penstock/store/internal/manifest"

// What a graph consists of; see package manifest.
type (
	// ChunkInfo describes a stored chunk.
	ChunkInfo = manifest.ChunkInfo
	// Column is a stored sequence of values of one type, cut in blocks of BlockRows.
	Column = manifest.Column
	// ColumnSize is what an edge column adds to a chunk.
	ColumnSize = manifest.ColumnSize
	// Constraint is what holds of all nodes with a label, or relationships of a type.
	Constraint = manifest.Constraint
	// ConstraintKind is what a constraint demands.
	ConstraintKind = manifest.ConstraintKind
	// IDIndex holds the user ids in ascending order (integers, then strings) and the dense id of each.
	IDIndex = manifest.IDIndex
	// IDKind says what the users' vertex ids are.
	IDKind = manifest.IDKind
	// IDs says where the user ids are.
	IDs = manifest.IDs
	// Index finds nodes by label and property, or relationships by type and property.
	Index = manifest.Index
	// LabelSets is the column of the nodes' labels: a code per vertex, an index into Sets.
	LabelSets = manifest.LabelSets
	// Manifest names everything that one snapshot of a graph consists of.
	Manifest = manifest.Manifest
	// Order is how vertices get their dense ids, and so which of them lie beside one another in memory.
	Order = manifest.Order
	// Ordering says which order a graph was stored in, and why.
	Ordering = manifest.Ordering
	// Property is a node or edge property.
	Property = manifest.Property
	// Provenance says which run wrote the property; nil: it was loaded.
	Provenance = manifest.Provenance
	// Stored is one value that a snapshot names: a chunk or a block of a column.
	Stored = manifest.Stored
)

// What a graph consists of; see package manifest.
const (
	Exists     = manifest.Exists
	IntegerIDs = manifest.IntegerIDs
	// ManifestVersion is the version of the manifest's JSON.
	ManifestVersion = manifest.Version
	MixedIDs        = manifest.MixedIDs
	NodeKey         = manifest.NodeKey
	// OrderAuto takes OrderDegree for large graphs of skewed degrees, else OrderNone; see chooseOrder.
	OrderAuto = manifest.OrderAuto
	// OrderBFS is breadth-first, along edges of either direction, from the vertex of the highest degree of each
	// component, these by descending degree; neighbors in order of loading.
	OrderBFS = manifest.OrderBFS
	// OrderDegree is by descending degree (of a directed graph, the sum of both), ties in order of loading.
	OrderDegree = manifest.OrderDegree
	// OrderNone is the order of loading: declared nodes as they were declared, then the others by ascending id.
	OrderNone = manifest.OrderNone
	// OrderRabbit puts communities, and the communities within them, on consecutive ids (package ordering).
	OrderRabbit = manifest.OrderRabbit
	StringIDs   = manifest.StringIDs
	// TypeColumn is the edge column that holds an edge's relationship type as a code, an index into Manifest.Types;
	// null: the edge has no type.
	TypeColumn = manifest.TypeColumn
	Unique     = manifest.Unique
)

// OrderError says why vertices cannot be stored in this order, and what to do.
type OrderError = manifest.OrderError

// ParseOrder is the order of that name.
//
// Errors: *OrderError.
func ParseOrder(name string) (Order, error) { return manifest.ParseOrder(name) }

// EncodeManifest is how a manifest is stored.
func EncodeManifest(m *Manifest) ([]byte, error) { return manifest.Encode(m) }

// DecodeManifest is the inverse of EncodeManifest. It refuses manifests of later versions.
func DecodeManifest(data []byte) (*Manifest, error) { return manifest.Decode(data) }
