package plan

import "github.com/penstock-db/penstock/store"

// Statistics is what planning asks of the graph.
type Statistics interface {
	Label(name string) (store.Token, bool)
	Type(name string) (store.Token, bool)
	NodeCount() uint64
	RelationshipCount() uint64
	LabelCount(label store.Token) uint64
	TypeCount(typ store.Token) uint64
	Indexes() []store.Index
	Constraints() []store.Constraint
}
