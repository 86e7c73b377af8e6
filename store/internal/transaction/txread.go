package transaction

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/delta"
)

// NodeCount is how many nodes there are.
func (tx *View) NodeCount() uint64 {
	return tx.Base.Vertices + uint64(tx.State.Counts.Nodes)
}

// RelationshipCount is how many relationships there are.
func (tx *View) RelationshipCount() uint64 {
	return tx.Base.Manifest.Edges + uint64(tx.State.Counts.Relationships)
}

// LabelCount is how many nodes have a label. The first call for a graph reads the labels of
// all nodes; should that fail, it is what has been counted until then.
func (tx *View) LabelCount(label base.Token) uint64 {
	n, _ := tx.Base.LabelCount(label)
	return uint64(max(0, int64(n)+tx.State.Counts.Label(label)))
}

// TypeCount is how many relationships have a type. In graphs that an earlier version loaded
// all types count as equally frequent.
func (tx *View) TypeCount(typ base.Token) uint64 {
	return uint64(max(0, int64(tx.Base.TypeCount(typ))+tx.State.Counts.Type(typ)))
}

func (tx *View) recordHasLabel(id uint64, n *delta.Node, label base.Token) (bool, error) {
	if n.Deleted {
		return false, nil
	}
	return tx.HasLabel(id, label)
}

// NodeExists tells whether there is such a node.
func (tx *View) NodeExists(id uint64) bool { return tx.State.HasNode(id) }

// RelationshipExists tells whether there is such a relationship.
func (tx *View) RelationshipExists(id uint64) bool {
	if r := tx.State.Relationships.Get(id); r != nil {
		return !r.Deleted
	}
	if tx.Base.Manifest.Directed || id >= tx.State.RelationshipBase {
		return id < tx.State.RelationshipBase
	}
	_, _, _, ok, err := tx.Base.Ends(id)
	return ok && err == nil
}

// node is the record of a node, nil where it is as in the base.
func (tx *View) node(id uint64) (*delta.Node, error) {
	n := tx.State.Nodes.Get(id)
	if n == nil && id >= tx.Base.Vertices || n != nil && n.Deleted {
		return nil, tx.nodeDeleted(id)
	}
	return n, nil
}

// labels are the labels of a node, ascending, not to be changed.
func (tx *View) labels(id uint64) ([]base.Token, error) {
	n, err := tx.node(id)
	if err != nil {
		return nil, err
	}
	if n != nil && (n.Labeled || id >= tx.Base.Vertices) {
		return n.Labels, nil
	}
	return tx.Base.LabelsOf(id)
}

// HasLabel tells whether a node has a label.
func (tx *View) HasLabel(id uint64, label base.Token) (bool, error) {
	labels, err := tx.labels(id)
	for _, l := range labels {
		if l == label {
			return true, err
		}
	}
	return false, err
}

// LabelsOf appends the labels of a node to dst.
func (tx *View) LabelsOf(id uint64, dst []base.Token) ([]base.Token, error) {
	labels, err := tx.labels(id)
	return append(dst, labels...), err
}

// NodeProperty is the value of a node's property; null: it has none.
func (tx *View) NodeProperty(id uint64, key base.Token) (value.Value, error) {
	n, err := tx.node(id)
	if err != nil {
		return value.Value{}, err
	}
	if n != nil {
		if v, ok := delta.Lookup(n.Properties, key); ok {
			return v, nil
		}
	}
	if id >= tx.Base.Vertices {
		return value.Value{}, nil
	}
	return tx.Base.NodeProperty(id, key)
}

// NodeProperties yields the properties of a node that are not null.
func (tx *View) NodeProperties(id uint64, yield func(base.Token, value.Value) bool) error {
	n, err := tx.node(id)
	if err != nil {
		return err
	}
	var changed []delta.Property
	if n != nil {
		changed = n.Properties
	}
	if ids := tx.Base.IDs; ids != nil && ids.Hidden {
		changed = slices.DeleteFunc(slices.Clone(changed), func(p delta.Property) bool { return p.Key == ids.Key })
	}
	if !eachProperty(changed, yield) || id >= tx.Base.Vertices {
		return nil
	}
	return tx.Base.EachNodeProperty(id, func(key base.Token, v value.Value) bool {
		_, overridden := delta.Lookup(changed, key)
		return overridden || v.IsNull() || yield(key, v)
	})
}

// eachProperty yields what is not null; false: yield wanted no more.
func eachProperty(properties []delta.Property, yield func(base.Token, value.Value) bool) bool {
	for _, p := range properties {
		if !p.Value.IsNull() && !yield(p.Key, p.Value) {
			return false
		}
	}
	return true
}

// relationship is the record of a relationship, nil where it is as in the base.
func (tx *View) relationship(id uint64) (*delta.Relationship, error) {
	r := tx.State.Relationships.Get(id)
	if r == nil && !tx.RelationshipExists(id) || r != nil && r.Deleted {
		return nil, tx.relationshipDeleted(id)
	}
	return r, nil
}

// Ends are where a relationship begins and ends, and its type. They are known of one that
// the transaction has deleted, too.
func (tx *View) Ends(id uint64) (start, end uint64, typ base.Token, err error) {
	if r := tx.State.Relationships.Get(id); r != nil {
		if r.Deleted && (tx.Draft == nil || !tx.Draft.OwnRelationship(r)) {
			return 0, 0, 0, tx.relationshipDeleted(id)
		}
		return r.Start, r.End, r.Type, nil
	}
	start, end, typ, ok, err := tx.Base.Ends(id)
	if err == nil && !ok {
		err = tx.relationshipDeleted(id)
	}
	return start, end, typ, err
}

// RelationshipProperty is the value of a relationship's property; null: it has none.
func (tx *View) RelationshipProperty(id uint64, key base.Token) (value.Value, error) {
	r, err := tx.relationship(id)
	if err != nil {
		return value.Value{}, err
	}
	if r != nil {
		if v, ok := delta.Lookup(r.Properties, key); ok {
			return v, nil
		}
	}
	if id >= tx.State.RelationshipBase {
		return value.Value{}, nil
	}
	return tx.edgeProperty(id, key)
}

// edgeProperty is a property that a relationship has in the base. It looks into the chunk that
// was used last before it searches for the right one.
func (tx *View) edgeProperty(id uint64, key base.Token) (_ value.Value, err error) {
	c := tx.whole
	if c == nil || !c.Has(id) {
		if c, err = tx.Base.Out.Whole(id); err != nil {
			return value.Value{}, err
		}
		tx.whole = c
	}
	return c.Property(id, key), nil
}

// RelationshipProperties yields the properties of a relationship that are not null.
func (tx *View) RelationshipProperties(id uint64, yield func(base.Token, value.Value) bool) error {
	r, err := tx.relationship(id)
	if err != nil {
		return err
	}
	var changed []delta.Property
	if r != nil {
		changed = r.Properties
	}
	if !eachProperty(changed, yield) || id >= tx.State.RelationshipBase {
		return nil
	}
	for _, key := range tx.Base.EdgeKeys {
		if _, overridden := delta.Lookup(changed, key); overridden {
			continue
		}
		v, err := tx.edgeProperty(id, key)
		if err != nil || !v.IsNull() && !yield(key, v) {
			return err
		}
	}
	return nil
}
