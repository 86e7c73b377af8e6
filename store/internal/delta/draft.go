package delta

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
)

// Draft is the State that a transaction is making of the one it began with. What it is
// told about must exist: its caller knows the base.
type Draft struct {
	State
	base  *State
	owner *owner

	nodes         []uint64 // whose records it has changed, each once
	relationships []uint64
}

// Changed tells whether there is anything to commit.
func (d *Draft) Changed() bool { return len(d.nodes)+len(d.relationships) > 0 }

// Own tells whether this draft has made or changed a node.
func (d *Draft) Own(n *Node) bool { return n.owner == d.owner }

// OwnRelationship is the same of a relationship.
func (d *Draft) OwnRelationship(r *Relationship) bool { return r.owner == d.owner }

// About what records and their places in the tries take.
const (
	nodeBytes     = 160
	relationBytes = 320
	propertyBytes = 40
	postingBytes  = 48
)

// node is the record of a node, to be changed.
func (d *Draft) node(id uint64) *Node {
	old := d.Nodes.Get(id)
	if old != nil && old.owner == d.owner {
		return old
	}
	n := new(Node)
	if old != nil {
		*n = *old
		n.Labels, n.Properties = slices.Clone(n.Labels), slices.Clone(n.Properties)
	}
	n.owner = d.owner
	d.nodes = append(d.nodes, id)
	d.Nodes.set(d.owner, id, n)
	d.Bytes += nodeBytes
	return n
}

// relationship is the record of a relationship, to be changed; from is what it is where it has none yet.
func (d *Draft) relationship(id uint64, from Relationship) *Relationship {
	old := d.Relationships.Get(id)
	if old != nil && old.owner == d.owner {
		return old
	}
	r := &from
	if old != nil {
		*r = *old
		r.Properties = slices.Clone(r.Properties)
	}
	r.owner = d.owner
	d.relationships = append(d.relationships, id)
	d.Relationships.set(d.owner, id, r)
	d.Bytes += relationBytes
	return r
}

func (d *Draft) adjacency(node uint64) *Adjacency {
	old := d.Adjacent.Get(node)
	if old != nil && old.owner == d.owner {
		return old
	}
	a := new(Adjacency)
	if old != nil {
		*a = *old
	}
	a.owner = d.owner
	d.Adjacent.set(d.owner, node, a)
	return a
}

// CreateNode makes a node with labels, ascending.
func (d *Draft) CreateNode(id uint64, labels []Token) {
	n := d.node(id)
	n.Labeled, n.Labels = true, slices.Clone(labels)
	d.Counts.Nodes++
	d.countLabels(labels, 1)
}

// SetLabels gives a node, which has old ones, other labels.
func (d *Draft) SetLabels(id uint64, old, labels []Token) {
	n := d.node(id)
	d.countLabels(old, -1)
	d.countLabels(labels, 1)
	n.Labeled, n.Labels = true, slices.Clone(labels)
}

func (d *Draft) countLabels(labels []Token, n int64) {
	for _, l := range labels {
		d.Counts.Labels = add(d.Counts.Labels, l, n)
	}
}

// SetNodeProperty gives a node's property a value.
func (d *Draft) SetNodeProperty(id uint64, key Token, v value.Value) {
	n := d.node(id)
	n.Properties = with(n.Properties, key, v)
	d.Bytes += propertyBytes + ValueBytes(v) + d.NodePostings.add(d.owner, key, v, id)
}

// DeleteNode deletes a node, which has labels.
func (d *Draft) DeleteNode(id uint64, labels []Token) {
	n := d.node(id)
	d.countLabels(labels, -1)
	d.Counts.Nodes--
	n.Deleted, n.Properties = true, nil
}

// CreateRelationship makes a relationship.
func (d *Draft) CreateRelationship(id, start, end uint64, typ Token) {
	d.relationship(id, Relationship{Start: start, End: end, Type: typ})
	d.connect(id, start, end, typ)
}

// connect enters a relationship in the lists of its ends.
func (d *Draft) connect(id, start, end uint64, typ Token) {
	d.adjacency(start).Out.add(d.owner, Entry{id, end, typ})
	d.adjacency(end).In.add(d.owner, Entry{id, start, typ})
	d.Counts.Relationships++
	d.Counts.Types = add(d.Counts.Types, typ, 1)
}

// disconnect notes that a relationship is in the lists of its ends no more.
func (d *Draft) disconnect(r *Relationship) {
	d.adjacency(r.Start).Out.Removed++
	d.adjacency(r.End).In.Removed++
	d.Counts.Relationships--
	d.Counts.Types = add(d.Counts.Types, r.Type, -1)
}

// SetRelationshipProperty gives a relationship's property a value; from is what it is in the base.
func (d *Draft) SetRelationshipProperty(id uint64, from Relationship, key Token, v value.Value) {
	r := d.relationship(id, from)
	r.Properties = with(r.Properties, key, v)
	d.Bytes += propertyBytes + ValueBytes(v) + d.RelationshipPostings.add(d.owner, key, v, id)
}

// DeleteRelationship deletes a relationship.
func (d *Draft) DeleteRelationship(id uint64, from Relationship) {
	r := d.relationship(id, from)
	r.Deleted, r.Properties = true, nil
	d.disconnect(r)
}

// ValueBytes is about what a value takes beside its three words.
func ValueBytes(v value.Value) int64 {
	switch v.Kind() {
	case value.String:
		return int64(len(v.Str()))
	case value.List:
		total := int64(0)
		for _, e := range v.List() {
			total += 24 + ValueBytes(e)
		}
		return total
	case value.Map:
		total := int64(0)
		for _, e := range v.Map() {
			total += propertyBytes + int64(len(e.Key)) + ValueBytes(e.Value)
		}
		return total
	}
	return 32
}

// New tells whether the draft has made a node, which there was not before.
func (d *Draft) New(node uint64) bool { return d.HasNode(node) && !d.base.HasNode(node) }

// Base is the version that the draft began with.
func (d *Draft) Base() *State { return d.base }

// ChangedNodes are the nodes whose records the draft has changed.
func (d *Draft) ChangedNodes() []uint64 { return d.nodes }

// ChangedRelationships are the relationships whose records the draft has changed.
func (d *Draft) ChangedRelationships() []uint64 { return d.relationships }
