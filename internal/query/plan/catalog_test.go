package plan_test

import (
	"maps"
	"slices"

	"github.com/penstock-db/penstock/store"
)

// catalog is the statistics of a graph that there is not.
type catalog struct {
	nodes, relationships uint64
	labels, types        map[string]uint64 // how many have them
	indexes              []store.Index
	constraints          []store.Constraint
}

// tokenOf numbers names in their order, from 1.
func tokenOf(counts map[string]uint64, name string) (store.Token, bool) {
	i, ok := slices.BinarySearch(slices.Sorted(maps.Keys(counts)), name)
	return store.Token(i + 1), ok
}

func countOf(counts map[string]uint64, token store.Token) uint64 {
	return counts[slices.Sorted(maps.Keys(counts))[token-1]]
}

func (c *catalog) Label(name string) (store.Token, bool) { return tokenOf(c.labels, name) }
func (c *catalog) Type(name string) (store.Token, bool)  { return tokenOf(c.types, name) }
func (c *catalog) NodeCount() uint64                     { return c.nodes }
func (c *catalog) RelationshipCount() uint64             { return c.relationships }
func (c *catalog) LabelCount(label store.Token) uint64   { return countOf(c.labels, label) }
func (c *catalog) TypeCount(typ store.Token) uint64      { return countOf(c.types, typ) }
func (c *catalog) Indexes() []store.Index                { return c.indexes }
func (c *catalog) Constraints() []store.Constraint       { return c.constraints }

var catalogs = map[string]*catalog{
	// social is skewed: many persons, few of whom administer or are famous; some types lead to many nodes, others to one.
	"social": {
		nodes: 1_000_000, relationships: 35_990_000,
		labels: map[string]uint64{"Person": 900_000, "Admin": 50, "Famous": 100, "City": 2_000, "Post": 90_000},
		types: map[string]uint64{"KNOWS": 20_000_000, "LIVES_IN": 900_000, "WROTE": 90_000, "LIKES": 5_000_000,
			"FOLLOWS": 10_000_000},
		indexes: []store.Index{
			{Label: "Person", Key: "name"}, {Label: "Person", Key: "email"}, {Label: "Post", Key: "created"},
			{Label: "KNOWS", Key: "since", OnRelationship: true},
		},
		constraints: []store.Constraint{
			{Kind: store.Unique, Label: "Person", Keys: []string{"email"}},
			{Kind: store.Exists, Label: "Person", Keys: []string{"name"}},
			{Kind: store.Unique, Label: "KNOWS", Keys: []string{"since"}, OnRelationship: true},
		},
	},
	// uniform has labels and types that are equally frequent: what is written first wins.
	"uniform": {
		nodes: 10_000, relationships: 30_000,
		labels:  map[string]uint64{"A": 3_000, "B": 3_000, "C": 3_000},
		types:   map[string]uint64{"R": 10_000, "S": 10_000, "T": 10_000},
		indexes: []store.Index{{Label: "A", Key: "k"}, {Label: "B", Key: "k"}},
	},
	// small has unique indexes, one of ids among them, and a label that no node has yet.
	"small": {
		nodes: 100, relationships: 150,
		labels: map[string]uint64{"User": 60, "Item": 30, "Tag": 10, "Pair": 0},
		types:  map[string]uint64{"HAS": 120, "OF": 30},
		indexes: []store.Index{
			{Label: "User", Key: "id"}, {Label: "Item", Key: "id"}, {Label: "Pair", Key: "id"}, {Label: "Tag", Key: "id"},
			{Label: "User", Key: "name"}, {Key: "key"},
		},
		constraints: []store.Constraint{
			{Kind: store.Unique, Label: "User", Keys: []string{"id"}},
			{Kind: store.NodeKey, Label: "Item", Keys: []string{"id"}},
			{Kind: store.Unique, Label: "Pair", Keys: []string{"id", "no"}},
		},
	},
	// empty has nothing: no count may be divided by.
	"empty": {},
}
