package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/query/plan"
	"github.com/penstock-db/penstock/query/procedure"
)

// Token is a label, relationship type or property key within the graph.
type Token = plan.Token

// Direction of relationships as seen from a node.
type Direction uint8

const (
	Out Direction = iota
	In
	Both
)

// Graph is the transaction that a plan runs in: what it reads and changes.
type Graph interface {
	plan.Statistics
	procedure.Graph
	reader
	writer
}

type reader interface {
	Key(name string) (Token, bool)
	LabelName(label Token) string
	TypeName(typ Token) string
	KeyName(key Token) string

	Nodes(yield func(id uint64) bool) error
	NodesWith(label Token, yield func(id uint64) bool) error
	NodeExists(id uint64) bool
	RelationshipExists(id uint64) bool
	HasLabel(id uint64, label Token) (bool, error)
	LabelsOf(id uint64, dst []Token) ([]Token, error)
	NodeProperty(id uint64, key Token) (value.Value, error)
	NodeProperties(id uint64, yield func(key Token, v value.Value) bool) error
	Expand(id uint64, dir Direction, types []Token, yield func(rel, other uint64) bool) error
	Degree(id uint64, dir Direction, types []Token) (uint64, error)
	Ends(rel uint64) (start, end uint64, typ Token, err error)
	RelationshipProperty(rel uint64, key Token) (value.Value, error)
	RelationshipProperties(rel uint64, yield func(key Token, v value.Value) bool) error
}

type writer interface {
	NewLabel(name string) Token
	NewType(name string) Token
	NewKey(name string) Token

	CreateNode(labels []Token) (uint64, error)
	CreateRelationship(start, end uint64, typ Token) (uint64, error)
	SetNodeProperty(id uint64, key Token, v value.Value) error
	SetRelationshipProperty(rel uint64, key Token, v value.Value) error
	AddLabel(id uint64, label Token) (changed bool, err error)
	RemoveLabel(id uint64, label Token) (changed bool, err error)
	DeleteNode(id uint64) error
	DeleteRelationship(id uint64) error
	CheckDeleted() error
}
