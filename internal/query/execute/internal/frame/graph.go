package frame

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// Graph is the transaction that a plan runs in: what it reads and changes.
type Graph interface {
	plan.Statistics
	procedure.Graph
	reader
	writer
}

type reader interface {
	Key(name string) (store.Token, bool)
	LabelName(label store.Token) string
	TypeName(typ store.Token) string
	KeyName(key store.Token) string

	Nodes(yield func(id uint64) bool) error
	NodesWithAny(labels []store.Token, from, to uint64, yield func(id uint64) bool) error
	NodeExists(id uint64) bool
	RelationshipExists(id uint64) bool
	HasLabel(id uint64, label store.Token) (bool, error)
	LabelsOf(id uint64, dst []store.Token) ([]store.Token, error)
	NodeProperty(id uint64, key store.Token) (value.Value, error)
	NodeProperties(id uint64, yield func(key store.Token, v value.Value) bool) error
	Expand(id uint64, dir store.Direction, types []store.Token, yield func(rel, other uint64) bool) error
	Neighbors(id uint64, dir store.Direction, types []store.Token, yield func(other uint64) bool) error
	Degree(id uint64, dir store.Direction, types []store.Token) (uint64, error)
	Ends(rel uint64) (start, end uint64, typ store.Token, err error)
	RelationshipProperty(rel uint64, key store.Token) (value.Value, error)
	Seek(index store.Index, v value.Value, yield func(id uint64) bool) error
	Range(index store.Index, from, to *store.Bound, yield func(id uint64) bool) error
	RelationshipProperties(rel uint64, yield func(key store.Token, v value.Value) bool) error
}

type writer interface {
	NewLabel(name string) store.Token
	NewType(name string) store.Token
	NewKey(name string) store.Token

	CreateNode(labels []store.Token) (uint64, error)
	CreateRelationship(start, end uint64, typ store.Token) (uint64, error)
	SetNodeProperty(id uint64, key store.Token, v value.Value) error
	SetRelationshipProperty(rel uint64, key store.Token, v value.Value) error
	AddLabel(id uint64, label store.Token) (changed bool, err error)
	RemoveLabel(id uint64, label store.Token) (changed bool, err error)
	DeleteNode(id uint64) error
	DeleteRelationship(id uint64) error
	CheckDeleted() error
}
