package delta

// Changes are what one commit changes: the records of all that it touched, as they are
// afterwards.
type Changes struct {
	Nodes         []NodeChange
	Relationships []RelationshipChange
	// NodeCount and LabelCounts are how many more nodes there are, and with a label;
	// relationships are counted as they are applied.
	NodeCount   int64
	LabelCounts []int64
}

// NodeChange is a node's new record.
type NodeChange struct {
	ID uint64
	*Node
}

// RelationshipChange is a relationship's new record.
type RelationshipChange struct {
	ID uint64
	*Relationship
}

// Changes of the draft. What it has both made and deleted is left out.
func (d *Draft) Changes() *Changes {
	c := &Changes{NodeCount: d.Counts.Nodes - d.base.Counts.Nodes}
	for _, id := range d.nodes {
		if n := d.Nodes.Get(id); !n.Deleted || d.base.HasNode(id) {
			c.Nodes = append(c.Nodes, NodeChange{id, n})
		}
	}
	for _, id := range d.relationships {
		if r := d.Relationships.Get(id); !r.Deleted || d.base.HasRelationship(id) {
			c.Relationships = append(c.Relationships, RelationshipChange{id, r})
		}
	}
	c.LabelCounts = make([]int64, len(d.Counts.Labels))
	for l := range c.LabelCounts {
		c.LabelCounts[l] = d.Counts.Labels[l] - d.base.Counts.Label(Token(l))
	}
	return c
}

// Gone are the records of all that was deleted by commits that are done: nothing but the
// deletion is of interest any more.
var (
	goneNode         = &Node{Deleted: true}
	goneRelationship = &Relationship{Deleted: true}
)

// Apply makes the version that follows s by these changes.
func (s *State) Apply(c *Changes) *State {
	d := s.Fork()
	for _, n := range c.Nodes {
		d.applyNode(n)
	}
	for _, r := range c.Relationships {
		d.applyRelationship(r)
	}
	d.Counts.Nodes += c.NodeCount
	for l, n := range c.LabelCounts {
		d.Counts.Labels = add(d.Counts.Labels, Token(l), n)
	}
	return &d.State
}

func (d *Draft) applyNode(c NodeChange) {
	n := c.Node
	if n.Deleted {
		n = goneNode
	}
	if d.Nodes.Get(c.ID) == nil {
		d.Bytes += nodeBytes
	}
	d.Nodes.set(d.owner, c.ID, n)
	d.Bytes += propertiesBytes(n.Properties) + d.NodePostings.addAll(d.owner, n.Properties, c.ID)
}

func (d *Draft) applyRelationship(c RelationshipChange) {
	exists := d.HasRelationship(c.ID)
	r := c.Relationship
	switch {
	case r.Deleted && exists:
		d.disconnect(r)
	case !r.Deleted && !exists:
		d.connect(c.ID, r.Start, r.End, r.Type)
	}
	if r.Deleted {
		r = goneRelationship
	}
	if d.Relationships.Get(c.ID) == nil {
		d.Bytes += relationBytes
	}
	d.Relationships.set(d.owner, c.ID, r)
	d.Bytes += propertiesBytes(r.Properties) + d.RelationshipPostings.addAll(d.owner, r.Properties, c.ID)
}

func propertiesBytes(properties []Property) int64 {
	total := int64(0)
	for _, p := range properties {
		total += propertyBytes + ValueBytes(p.Value)
	}
	return total
}
