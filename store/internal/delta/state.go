package delta

import "slices"

// State is one version of the changes since the base.
type State struct {
	Nodes         Trie[Node]
	Relationships Trie[Relationship]
	Adjacent      Trie[Adjacency] // by node
	Counts        Counts

	NodePostings, RelationshipPostings Postings // of indexed properties

	Bytes int64 // about what it takes

	// NodeBase and RelationshipBase are the first ids that are not the base's.
	NodeBase, RelationshipBase uint64
}

// HasNode tells whether there is a node.
func (s *State) HasNode(id uint64) bool {
	if n := s.Nodes.Get(id); n != nil {
		return !n.Deleted
	}
	return id < s.NodeBase
}

// HasRelationship tells whether there is a relationship.
func (s *State) HasRelationship(id uint64) bool {
	if r := s.Relationships.Get(id); r != nil {
		return !r.Deleted
	}
	return id < s.RelationshipBase
}

// Deleted tells whether a relationship, which some list names, has been deleted.
func (s *State) Deleted(relationship uint64) bool {
	r := s.Relationships.Get(relationship)
	return r != nil && r.Deleted
}

// Counts are how many more (or fewer) there are than in the base.
type Counts struct {
	Nodes, Relationships int64
	Labels, Types        []int64 // by token, as far as any has changed
}

// Label is how many more nodes have a label.
func (c *Counts) Label(t Token) int64 { return at(c.Labels, t) }

// Type is how many more relationships have a type.
func (c *Counts) Type(t Token) int64 { return at(c.Types, t) }

func at(counts []int64, t Token) int64 {
	if int(t) < len(counts) {
		return counts[t]
	}
	return 0
}

func add(counts []int64, t Token, n int64) []int64 {
	for len(counts) <= int(t) {
		counts = append(counts, 0)
	}
	counts[t] += n
	return counts
}

func (c Counts) clone() Counts {
	c.Labels, c.Types = slices.Clone(c.Labels), slices.Clone(c.Types)
	return c
}

// Fork begins a version that follows s.
func (s *State) Fork() *Draft {
	d := &Draft{State: *s, base: s, owner: new(owner)}
	d.Counts = s.Counts.clone()
	return d
}
