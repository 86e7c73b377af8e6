package transaction

import (
	"slices"
	"sort"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/delta"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// Bound is one end of a range; nil: there is none.
type Bound struct {
	Value     value.Value
	Inclusive bool
}

// Indexes are the indexes that Seek and Range can use. One without a label is of all nodes.
func (tx *Indexed) Indexes() []manifest.Index {
	var all []manifest.Index
	for _, i := range tx.Base.Indexes {
		if !i.ByID || !tx.Base.IDs.Hidden {
			all = append(all, i.Index)
		}
	}
	return all
}

// Constraints are what commits must keep to.
func (tx *Indexed) Constraints() []manifest.Constraint {
	return slices.Clone(tx.Base.Manifest.Constraints)
}

// Seek yields the nodes, or relationships, whose property equals v.
//
// Errors: *UnknownSchemaError, *DamagedError.
func (tx *Indexed) Seek(index manifest.Index, v value.Value, yield func(id uint64) bool) error {
	o := tx.Base.Index(index)
	if o == nil {
		return &UnknownSchemaError{Graph: tx.Graph.Name, What: "index", Name: index.Name}
	}
	return tx.seek(o, v, yield)
}

func (tx *Indexed) seek(o *base.Index, v value.Value, yield func(id uint64) bool) error {
	s := search{tx: tx, index: o, yield: yield, matches: func(found value.Value) bool {
		eq, known := value.Equal(found, v)
		return eq && known
	}}
	if o.ByID {
		id, ok, err := tx.Base.IDs.Find(v)
		if ok && err == nil {
			err = s.inBase(id)
		}
		if err != nil {
			return err
		}
	} else if err := s.base(func(e base.Entry) int { return value.Order(e.Value, v) }); err != nil {
		return err
	}
	postings := &tx.State.NodePostings
	if o.OnRelationship {
		postings = &tx.State.RelationshipPostings
	}
	for _, id := range postings.Find(o.KeyToken, v) {
		if err := s.changed(id); err != nil {
			return err
		}
	}
	return nil
}

// Range yields the nodes, or relationships, whose property is between from and to. Of two
// bounds one may be nil. It looks at all changes since the base.
//
// Errors: *UnknownSchemaError, *DamagedError.
func (tx *Indexed) Range(index manifest.Index, from, to *Bound, yield func(id uint64) bool) error {
	o := tx.Base.Index(index)
	if o == nil {
		return &UnknownSchemaError{Graph: tx.Graph.Name, What: "index", Name: index.Name}
	}
	s := search{tx: tx, index: o, yield: yield, matches: func(v value.Value) bool {
		return from.above(v, -1) && to.above(v, 1)
	}}
	err := s.base(func(e base.Entry) int {
		switch {
		case from != nil && value.Order(e.Value, from.Value) < 0:
			return -1
		case to != nil && value.Order(e.Value, to.Value) > 0:
			return 1
		}
		return 0
	})
	if err != nil || s.stopped {
		return err
	}
	if o.OnRelationship {
		return eachChanged(&tx.State.Relationships, s.changed)
	}
	return eachChanged(&tx.State.Nodes, s.changed)
}

// above tells whether the bound is on this side of v: 1 above it, -1 below.
func (b *Bound) above(v value.Value, side int) bool {
	if b == nil {
		return true
	}
	c, ok := value.Compare(b.Value, v)
	return ok && (c == side || c == 0 && b.Inclusive)
}

func eachChanged[V any](t *delta.Trie[V], use func(id uint64) error) error {
	for id, _, ok := t.Next(0); ok; id, _, ok = t.Next(id + 1) {
		if err := use(id); err != nil {
			return err
		}
	}
	return nil
}

// search is a Seek or Range on its way.
type search struct {
	tx      *Indexed
	index   *base.Index
	matches func(value.Value) bool
	yield   func(uint64) bool
	stopped bool
}

// base yields what the base has, where cmp is 0.
func (s *search) base(cmp func(base.Entry) int) error {
	o, b := s.index, s.tx.Base
	entries, all, err := o.Collected(b)
	if err != nil {
		return err
	}
	if !all {
		return o.Each(b, func(id uint64, v value.Value) (bool, error) {
			if s.matches(v) {
				if err := s.inBase(id); err != nil {
					return false, err
				}
			}
			return !s.stopped, nil
		})
	}
	at := sort.Search(len(entries), func(i int) bool { return cmp(entries[i]) >= 0 })
	for ; at < len(entries) && cmp(entries[at]) == 0 && !s.stopped; at++ {
		if !s.matches(entries[at].Value) {
			continue
		}
		if err := s.inBase(entries[at].Id); err != nil {
			return err
		}
	}
	return nil
}

// inBase yields what has a matching value in the base, unless changes say otherwise.
func (s *search) inBase(id uint64) error {
	if s.index.OnRelationship {
		r := s.tx.State.Relationships.Get(id)
		if r != nil && (r.Deleted || base.HasKey(r.Properties, s.index.KeyToken)) {
			return nil
		}
		s.stopped = !s.yield(id)
		return nil
	}
	if n := s.tx.State.Nodes.Get(id); n != nil {
		if n.Deleted || base.HasKey(n.Properties, s.index.KeyToken) {
			return nil
		}
		if has, err := s.tx.HasLabel(id, s.index.LabelToken); !s.index.ByID && !has {
			return err
		}
	}
	s.stopped = !s.yield(id)
	return nil
}

// changed yields what changes have given the property, if the value matches.
func (s *search) changed(id uint64) error {
	if s.stopped {
		return nil
	}
	if s.index.OnRelationship {
		r := s.tx.State.Relationships.Get(id)
		if r == nil || r.Deleted || r.Type != s.index.LabelToken {
			return nil
		}
		s.offer(id, r.Properties)
		return nil
	}
	n := s.tx.State.Nodes.Get(id)
	if n == nil || n.Deleted {
		return nil
	}
	if has, err := s.tx.HasLabel(id, s.index.LabelToken); !s.index.ByID && !has {
		return err
	}
	s.offer(id, n.Properties)
	return nil
}

func (s *search) offer(id uint64, properties []delta.Property) {
	if v, ok := delta.Lookup(properties, s.index.KeyToken); ok && !v.IsNull() && s.matches(v) {
		s.stopped = !s.yield(id)
	}
}

// reindexed is v with postings of the changes for its base's indexes.
func (v *version) reindexed() (*version, error) {
	if len(v.Base.Indexes) == 0 {
		return v, nil
	}
	var nodes, relationships []base.Token
	for _, i := range v.Base.Indexes {
		if i.OnRelationship {
			relationships = append(relationships, i.KeyToken)
		} else {
			nodes = append(nodes, i.KeyToken)
		}
	}
	state, err := v.state.Reindex(nodes, relationships,
		func(id uint64, n *delta.Node) (missing []delta.Property, err error) {
			if !n.Labeled || id >= v.Base.Vertices {
				return nil, nil
			}
			for _, label := range n.Labels {
				some, err := v.Base.Unindexed(id, label, n.Properties)
				if err != nil {
					return nil, err
				}
				missing = append(missing, some...)
			}
			return missing, nil
		})
	return &version{v.Base, state}, err
}
