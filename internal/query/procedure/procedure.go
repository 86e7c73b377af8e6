// Package procedure is what CALL can call: its name, what goes in and what comes out.
package procedure

import (
	"context"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store"
)

// Procedure gives out rows for its arguments.
type Procedure struct {
	Name        string // with its namespace: "db.labels"
	Description string
	Arguments   []Field
	Columns     []Field
	Writes      bool // it changes the graph
	// Folds: it works on the graph's snapshot, into which changes are folded before it is called.
	Folds bool
	// Gather makes it a function of many rows as well, called by the same name; nil: it is none. Its arguments are
	// Gathered.
	Gather   func(ctx context.Context, g Graph, charge func(bytes int64) error) Gathering
	Gathered Arity
	// Call gives out a value for each column, row by row. Rows are not kept: they may be reused.
	Call func(ctx context.Context, g Graph, arguments []value.Value, yield func(row []value.Value) error) error
}

// Arity is how many arguments there are, and what they are: "name :: STRING, source :: NODE".
type Arity struct {
	Min, Max int
	Text     string
}

// Gathering is what a function of many rows has of one group of them.
type Gathering interface {
	// Add takes the arguments of a row, the first of which is not null. What it keeps of them it has charged.
	Add(arguments []value.Value) error
	Result() (value.Value, error)
}

// Field is an argument or a column.
type Field struct {
	Name     string
	Type     string // BOOLEAN, INTEGER, FLOAT, NUMBER, STRING, MAP, LIST, NODE, RELATIONSHIP, PATH, ANY
	Nullable bool
	Default  *value.Value // of an argument that may be left out; nil: it may not
}

// Graph is the graph that a procedure is called on, as the statement's transaction sees it.
type Graph interface {
	Name() string
	Topology() uint64 // of its snapshot
	Numbers() uint64  // by which its nodes have their ids: see store.Manifest
	Labels() []string
	Types() []string
	Keys() []string

	// Type, Key and Label are what stands for a relationship type, for the name of a property, and for a label, if there
	// is one.
	Type(name string) (store.Token, bool)
	Key(name string) (store.Token, bool)
	Label(name string) (store.Token, bool)
	NodeExists(node uint64) bool
	HasLabel(node uint64, label store.Token) (bool, error)
	NodeProperty(node uint64, key store.Token) (value.Value, error)
	// Expand yields the relationships of a node that have one of the types (none: any), with their other ends.
	Expand(node uint64, dir store.Direction, types []store.Token, yield func(relationship, other uint64) bool) error
	RelationshipProperty(relationship uint64, key store.Token) (value.Value, error)
}

// Procedures are found by name, whatever the case, and so are functions.
type Procedures struct {
	byName    map[string]*Procedure
	functions map[string]*Function
}

// New makes procedures known; later ones replace earlier ones of the same name.
func New(all ...*Procedure) *Procedures {
	p := &Procedures{byName: make(map[string]*Procedure, len(all)), functions: map[string]*Function{}}
	for _, one := range all {
		p.byName[strings.ToLower(one.Name)] = one
	}
	return p
}

// Lookup finds a procedure.
func (p *Procedures) Lookup(name string) (*Procedure, bool) {
	one, ok := p.byName[strings.ToLower(name)]
	return one, ok
}

// Gathers finds one that is a function of many rows, too.
func (p *Procedures) Gathers(name string) (*Procedure, bool) {
	one, ok := p.Lookup(name)
	return one, ok && one.Gather != nil
}

// All procedures, by name.
func (p *Procedures) All() []*Procedure {
	all := make([]*Procedure, 0, len(p.byName))
	for _, one := range p.byName {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b *Procedure) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Signature shows how to call it, as Neo4j does: db.labels() :: (label :: STRING).
func (p *Procedure) Signature() string {
	return p.Name + "(" + join(p.Arguments) + ") :: (" + join(p.Columns) + ")"
}

// GatheredSignature shows how to call it as a function of many rows.
func (p *Procedure) GatheredSignature() string { return p.Name + "(" + p.Gathered.Text + ") :: ANY" }

func join(fields []Field) string {
	texts := make([]string, len(fields))
	for i, f := range fields {
		texts[i] = f.Name + " :: " + f.Type
		if f.Nullable {
			texts[i] += "?"
		}
	}
	return strings.Join(texts, ", ")
}
