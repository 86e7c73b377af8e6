package plan

import (
	"strings"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// NewNode is a node to create.
type NewNode struct {
	Slot       int
	Labels     []string
	Properties ast.Expression // a map; nil: none
}

// NewRelationship is a relationship to create between nodes of the row.
type NewRelationship struct {
	Slot, Start, End int
	Type             string
	Properties       ast.Expression
}

// Pattern is nodes and relationships to create, and paths through them.
type Pattern struct {
	Nodes         []NewNode
	Relationships []NewRelationship
	Paths         []Path
	written       []*ast.PathPattern
}

func (p *Pattern) text() string {
	all := make([]string, len(p.written))
	for i, path := range p.written {
		all[i] = patternText(path)
	}
	return strings.Join(all, ", ")
}

// Create creates a pattern for each row.
type Create struct {
	Step
	Pattern Pattern
}

// Merge finds what Match finds for a row, or else creates the pattern.
type Merge struct {
	Step
	Match             Operator
	Pattern           Pattern
	OnCreate, OnMatch []Change
	Live              []int // the slots of the pattern that Match sets
}

// Change sets or removes a property, all properties, or labels.
type Change struct {
	Target  ast.Expression
	Key     string         // the property; empty: all properties, or labels
	Labels  []string       // to set or remove
	Value   ast.Expression // nil: remove
	Add     bool           // +=
	Removes bool
}

// Set makes changes for each row.
type Set struct {
	Step
	Changes []Change
	Removes bool // it is a REMOVE
}

// Delete deletes nodes, relationships and paths.
type Delete struct {
	Step
	Expressions []ast.Expression
	Detach      bool
}

// Foreach runs a plan for each element of a list, for what it changes.
type Foreach struct {
	Step
	Slot int
	Name string
	List ast.Expression
	Plan Operator
}

func (*Create) Title() string  { return "Create" }
func (*Merge) Title() string   { return "Merge" }
func (*Foreach) Title() string { return "Foreach" }

func (o *Set) Title() string {
	if o.Removes {
		return "Remove"
	}
	return "Set"
}

func (o *Delete) Title() string {
	if o.Detach {
		return "DetachDelete"
	}
	return "Delete"
}

func (o *Merge) Inner() []Operator   { return []Operator{o.Match} }
func (o *Foreach) Inner() []Operator { return []Operator{o.Plan} }

func (o *Create) Detail() string  { return o.Pattern.text() }
func (o *Merge) Detail() string   { return o.Pattern.text() }
func (o *Delete) Detail() string  { return texts(o.Expressions) }
func (o *Foreach) Detail() string { return o.Name + " IN " + Text(o.List) }

func (o *Set) Detail() string {
	all := make([]string, len(o.Changes))
	for i, c := range o.Changes {
		all[i] = changeText(&c)
	}
	return commas(all)
}

func changeText(c *Change) string {
	text := Text(c.Target)
	switch {
	case c.Key != "":
		text += "." + c.Key
	case len(c.Labels) > 0:
		return text + colons(c.Labels, ":")
	}
	if c.Value == nil {
		return text
	}
	if c.Add {
		return text + " += " + Text(c.Value)
	}
	return text + " = " + Text(c.Value)
}
