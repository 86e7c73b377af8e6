package delta

// Entity is a node or a relationship.
type Entity struct {
	Relationship bool
	ID           uint64
}

// Conflict finds an entity that the draft and a commit since it began have both changed:
// first committer wins (Berenson et al., A Critique of ANSI SQL Isolation Levels, 1995). A
// relationship made conflicts with its end deleted.
func (d *Draft) Conflict(now *State) (e Entity, conflict bool) {
	if now == d.base {
		return e, false
	}
	for _, id := range d.nodes {
		if now.Nodes.Get(id) != d.base.Nodes.Get(id) || d.Nodes.Get(id).Deleted &&
			now.Adjacent.Get(id) != d.base.Adjacent.Get(id) {
			return Entity{ID: id}, true
		}
	}
	for _, id := range d.relationships {
		if now.Relationships.Get(id) != d.base.Relationships.Get(id) {
			return Entity{Relationship: true, ID: id}, true
		}
		r := d.Relationships.Get(id)
		for _, end := range [2]uint64{r.Start, r.End} {
			if n := now.Nodes.Get(end); n != nil && n.Deleted {
				return Entity{ID: end}, true
			}
		}
	}
	return e, false
}

// Commit is the version that follows now by the draft.
func (d *Draft) Commit(now *State, c *Changes) *State {
	if now == d.base {
		return &d.State
	}
	return now.Apply(c)
}
