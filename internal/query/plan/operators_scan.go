package plan

import (
	"strings"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/store"
)

// Argument is the row that a plan is run for.
type Argument struct{ Step }

// AllNodes gives every node to a slot.
type AllNodes struct {
	Step
	Slot int
	Name string
}

// NodesByLabel gives the nodes that have one of some labels, each once.
type NodesByLabel struct {
	Step
	Slot   int
	Name   string
	Labels []string
}

// NodesByID gives the nodes whose ids are the value of IDs, or in that list.
type NodesByID struct {
	Step
	Slot int
	Name string
	IDs  ast.Expression
	List bool
}

// NodeBySeek gives the nodes whose property an index says is equal to a value, or to one of a list.
type NodeBySeek struct {
	Step
	Slot  int
	Name  string
	Index store.Index
	Value ast.Expression
	List  bool
}

// NodeByRange gives the nodes whose property an index says is between two values. One of them may
// be nil. A Filter looks at the values again.
type NodeByRange struct {
	Step
	Slot     int
	Name     string
	Index    store.Index
	From, To *Limiting
	Same     bool // for each row: neither end depends on it
}

// Limiting is one end of a range.
type Limiting struct {
	Value     ast.Expression
	Inclusive bool
}

// RelationshipEnds gives the ends of a relationship that the row has already.
type RelationshipEnds struct {
	Step
	Relationship, From, To int
	FromKnown, ToKnown     bool
	Types                  []string
	Direction              ast.Direction
	Unlike                 []Trail
	Text                   string
}

func (*Argument) Title() string         { return "Argument" }
func (*AllNodes) Title() string         { return "AllNodes" }
func (*NodesByLabel) Title() string     { return "NodesByLabel" }
func (*NodesByID) Title() string        { return "NodesByID" }
func (*NodeBySeek) Title() string       { return "NodeBySeek" }
func (*NodeByRange) Title() string      { return "NodeByRange" }
func (*RelationshipEnds) Title() string { return "RelationshipEnds" }

func (o *AllNodes) Detail() string         { return o.Name }
func (o *NodesByLabel) Detail() string     { return o.Name + colons(o.Labels, "|") }
func (o *RelationshipEnds) Detail() string { return o.Text }

func (o *NodesByID) Detail() string { return "id(" + o.Name + ")" + by(o.List) + Text(o.IDs) }

func (o *NodeBySeek) Detail() string {
	return indexed(o.Name, o.Index) + by(o.List) + Text(o.Value)
}

func (o *NodeByRange) Detail() string {
	text := indexed(o.Name, o.Index)
	if o.From != nil {
		text = Text(o.From.Value) + " < " + text
	}
	if o.To != nil {
		text += " < " + Text(o.To.Value)
	}
	return text
}

func by(list bool) string {
	if list {
		return " IN "
	}
	return " = "
}

func indexed(name string, i store.Index) string {
	if i.Label == "" {
		return name + "." + i.Key
	}
	return name + ":" + i.Label + "." + i.Key
}

// Expand follows the relationships of a node, one row for each.
type Expand struct {
	Step
	From, Relationship, To int
	Into                   bool // To is known: only relationships between both
	Direction              ast.Direction
	Types                  []string // none: any
	Unlike                 []Trail  // relationships of the same MATCH, which must differ
	Anonymous              bool     // nothing asks which relationship it is: its slot stays as it is
	Text                   string
}

// Trail is a relationship, or a list of them, that the row has, and its ends.
type Trail struct {
	Slot      int
	List      bool
	From, To  int
	Direction ast.Direction // from From to To
	Types     []string      // it is of one of these; none: of any
}

// Degree is an Expand whose rows are only counted: it sets Weight to their number.
type Degree struct {
	Step
	From, Weight int
	Direction    ast.Direction
	Types        []string
	Unlike       []Trail
	Text         string
}

// VarExpand follows paths of relationships, Min to Max of them, that all differ.
type VarExpand struct {
	Step
	From, Relationships, To int
	Into                    bool
	Known                   bool // the relationships are: a list that the row has
	Anonymous               bool // nothing asks for the relationships: their slot stays as it is
	Direction               ast.Direction
	Reverse                 bool // the list of relationships begins at To
	Types                   []string
	Min, Max                int64 // Max < 0: no limit
	Each                    int   // the slot that Where has the relationship in
	Where                   ast.Expression
	Unlike                  []Trail
	Text                    string
}

// Shortest finds shortest paths between two nodes that the row has.
type Shortest struct {
	Step
	From, Relationships, To int
	All, Single             bool  // all of them; a pattern of one relationship, not a list
	Count                   int64 // > 0: so many, or, of Groups, all of so many lengths
	Groups                  bool
	Direction               ast.Direction
	Types                   []string
	Min, Max                int64
	Each                    int
	Where                   ast.Expression
	Text                    string
}

// Path joins nodes and relationships to a path.
type Path struct {
	Step
	Slot  int
	Name  string
	Parts []int // slots: node, relationship or list of them, node, …
}

func (*Expand) Title() string    { return "Expand" }
func (*Degree) Title() string    { return "Degree" }
func (*VarExpand) Title() string { return "VarExpand" }
func (*Path) Title() string      { return "Path" }

func (o *Shortest) Title() string {
	switch {
	case o.Groups:
		return "ShortestGroups"
	case o.Count > 0:
		return "ShortestPaths"
	case o.All:
		return "AllShortestPaths"
	}
	return "ShortestPath"
}

func (o *Expand) Detail() string {
	if o.Into {
		return o.Text + " into"
	}
	return o.Text
}

func (o *Degree) Detail() string    { return o.Text }
func (o *VarExpand) Detail() string { return o.Text }
func (o *Shortest) Detail() string  { return o.Text }
func (o *Path) Detail() string      { return o.Name }

func commas(names []string) string { return strings.Join(names, ", ") }
