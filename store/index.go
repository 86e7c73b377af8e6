package store

import (
	"slices"
	"sort"
	"sync"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/delta"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// openIndex is an index on a base: the values there in order, collected when somebody asks.
// Changes have postings of their own (see delta.Postings).
type openIndex struct {
	manifest.Index
	label Token // or the type
	key   Token
	byID  bool // of the user's ids, which the base finds by itself

	once    sync.Once
	entries []indexEntry // ascending by value; those with the same by id
	small   bool         // entries are all there are, not too many to be kept
	err     error
}

type indexEntry struct {
	value value.Value
	id    uint64
}

// Bound is one end of a range; nil: there is none.
type Bound struct {
	Value     value.Value
	Inclusive bool
}

// openIndexes prepares the indexes of the manifest, one for each constraint that asks who
// else has a value, and one of the user's ids.
func (b *base) openIndexes(labels, types, keys *vocabulary) {
	open := func(i manifest.Index, byID bool) {
		names := labels
		if i.OnRelationship {
			names = types
		}
		o := &openIndex{Index: i, key: keys.Token(i.Key), byID: byID}
		if i.Label != "" {
			o.label = names.Token(i.Label)
		}
		b.indexes = append(b.indexes, o)
	}
	for _, i := range b.manifest.Indexes {
		open(i, false)
	}
	for _, c := range b.manifest.Constraints {
		b.constraints = append(b.constraints, newOpenConstraint(c, labels, types, keys))
		if c.Kind != manifest.Exists {
			open(manifest.Index{Name: c.Name, OnRelationship: c.OnRelationship, Label: c.Label, Key: c.Keys[0]}, false)
		}
	}
	if b.ids != nil {
		open(manifest.Index{Name: idIndex, Key: keys.Name(b.ids.key)}, true)
	}
}

// idIndex is the name of the index of the user's ids.
const idIndex = ":ids"

// Indexes are the indexes that Seek and Range can use. One without a label is of all nodes.
func (tx *Tx) Indexes() []manifest.Index {
	var all []manifest.Index
	for _, i := range tx.base.indexes {
		if !i.byID || !tx.base.ids.hidden {
			all = append(all, i.Index)
		}
	}
	return all
}

// Constraints are what commits must keep to.
func (tx *Tx) Constraints() []manifest.Constraint { return slices.Clone(tx.base.manifest.Constraints) }

func (b *base) index(i manifest.Index) *openIndex {
	for _, o := range b.indexes {
		if o.Index == i {
			return o
		}
	}
	return nil
}

// Seek yields the nodes, or relationships, whose property equals v.
//
// Errors: *UnknownSchemaError, *DamagedError.
func (tx *Tx) Seek(index manifest.Index, v value.Value, yield func(id uint64) bool) error {
	o := tx.base.index(index)
	if o == nil {
		return &UnknownSchemaError{Graph: tx.graph.name, What: "index", Name: index.Name}
	}
	return tx.seek(o, v, yield)
}

func (tx *Tx) seek(o *openIndex, v value.Value, yield func(id uint64) bool) error {
	s := search{tx: tx, index: o, yield: yield, matches: func(found value.Value) bool {
		eq, known := value.Equal(found, v)
		return eq && known
	}}
	if o.byID {
		id, ok, err := tx.base.ids.find(v)
		if ok && err == nil {
			err = s.inBase(id)
		}
		if err != nil {
			return err
		}
	} else if err := s.base(func(e indexEntry) int { return value.Order(e.value, v) }); err != nil {
		return err
	}
	postings := &tx.state.NodePostings
	if o.OnRelationship {
		postings = &tx.state.RelationshipPostings
	}
	for _, id := range postings.Find(o.key, v) {
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
func (tx *Tx) Range(index manifest.Index, from, to *Bound, yield func(id uint64) bool) error {
	o := tx.base.index(index)
	if o == nil {
		return &UnknownSchemaError{Graph: tx.graph.name, What: "index", Name: index.Name}
	}
	s := search{tx: tx, index: o, yield: yield, matches: func(v value.Value) bool {
		return from.above(v, -1) && to.above(v, 1)
	}}
	err := s.base(func(e indexEntry) int {
		switch {
		case from != nil && value.Order(e.value, from.Value) < 0:
			return -1
		case to != nil && value.Order(e.value, to.Value) > 0:
			return 1
		}
		return 0
	})
	if err != nil || s.stopped {
		return err
	}
	if o.OnRelationship {
		return eachChanged(&tx.state.Relationships, s.changed)
	}
	return eachChanged(&tx.state.Nodes, s.changed)
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
	tx      *Tx
	index   *openIndex
	matches func(value.Value) bool
	yield   func(uint64) bool
	stopped bool
}

// base yields what the base has, where cmp is 0.
func (s *search) base(cmp func(indexEntry) int) error {
	o, b := s.index, s.tx.base
	o.once.Do(func() { o.collect(b) })
	if o.err != nil {
		return o.err
	}
	if !o.small {
		return o.each(b, func(id uint64, v value.Value) (bool, error) {
			if s.matches(v) {
				if err := s.inBase(id); err != nil {
					return false, err
				}
			}
			return !s.stopped, nil
		})
	}
	at := sort.Search(len(o.entries), func(i int) bool { return cmp(o.entries[i]) >= 0 })
	for ; at < len(o.entries) && cmp(o.entries[at]) == 0 && !s.stopped; at++ {
		if !s.matches(o.entries[at].value) {
			continue
		}
		if err := s.inBase(o.entries[at].id); err != nil {
			return err
		}
	}
	return nil
}

// inBase yields what has a matching value in the base, unless changes say otherwise.
func (s *search) inBase(id uint64) error {
	if s.index.OnRelationship {
		r := s.tx.state.Relationships.Get(id)
		if r != nil && (r.Deleted || hasKey(r.Properties, s.index.key)) {
			return nil
		}
		s.stopped = !s.yield(id)
		return nil
	}
	if n := s.tx.state.Nodes.Get(id); n != nil {
		if n.Deleted || hasKey(n.Properties, s.index.key) {
			return nil
		}
		if has, err := s.tx.HasLabel(id, s.index.label); !s.index.byID && !has {
			return err
		}
	}
	s.stopped = !s.yield(id)
	return nil
}

func hasKey(properties []delta.Property, key Token) bool {
	_, ok := delta.Lookup(properties, key)
	return ok
}

// changed yields what changes have given the property, if the value matches.
func (s *search) changed(id uint64) error {
	if s.stopped {
		return nil
	}
	if s.index.OnRelationship {
		r := s.tx.state.Relationships.Get(id)
		if r == nil || r.Deleted || r.Type != s.index.label {
			return nil
		}
		s.offer(id, r.Properties)
		return nil
	}
	n := s.tx.state.Nodes.Get(id)
	if n == nil || n.Deleted {
		return nil
	}
	if has, err := s.tx.HasLabel(id, s.index.label); !s.index.byID && !has {
		return err
	}
	s.offer(id, n.Properties)
	return nil
}

func (s *search) offer(id uint64, properties []delta.Property) {
	if v, ok := delta.Lookup(properties, s.index.key); ok && !v.IsNull() && s.matches(v) {
		s.stopped = !s.yield(id)
	}
}

// collect reads all values of the base, unless they take too much memory.
func (o *openIndex) collect(b *base) {
	limit, held := b.indexBytes, int64(0)
	o.small = true
	o.err = o.each(b, func(id uint64, v value.Value) (bool, error) {
		if held += 32 + delta.ValueBytes(v); held > limit {
			o.small = false
			return false, nil
		}
		o.entries = append(o.entries, indexEntry{v, id})
		return true, nil
	})
	if !o.small {
		o.entries = nil
	}
	slices.SortStableFunc(o.entries, func(a, b indexEntry) int { return value.Order(a.value, b.value) })
}

// each yields all nodes or relationships of the base with the label or type that have the property.
func (o *openIndex) each(b *base, yield func(uint64, value.Value) (bool, error)) error {
	var failed error
	offer := func(id uint64, v value.Value, err error) bool {
		if err == nil && v.IsNull() {
			return true
		}
		more := false
		if err == nil {
			more, err = yield(id, v)
		}
		failed = err
		return more && err == nil
	}
	if o.OnRelationship {
		b.eachRelationship(o.label, func(id uint64, err error) bool {
			var v value.Value
			if err == nil {
				v, err = b.edgeProperty(id, o.key)
			}
			return offer(id, v, err)
		})
		return failed
	}
	visit := func(id uint64) bool {
		v, err := b.nodeProperty(id, o.key)
		return offer(id, v, err)
	}
	if o.byID {
		for id := uint64(0); id < b.vertices && visit(id); id++ {
		}
		return failed
	}
	if _, err := b.eachWith(o.label, 0, b.vertices, visit); err != nil {
		return err
	}
	return failed
}

// eachRelationship yields the relationships of a type.
func (b *base) eachRelationship(typ Token, yield func(id uint64, err error) bool) {
	for i, start := range b.out.starts[:len(b.out.chunks)] {
		c, err := b.out.chunk(i)
		if err != nil {
			yield(0, err)
			return
		}
		for at := range c.neighbours {
			id := start + uint64(at)
			if c.types.at(at) != typ {
				continue
			}
			if _, _, _, ok, err := b.ends(id); ok || err != nil {
				if !yield(id, err) {
					return
				}
			}
		}
	}
}

// reindexed is v with postings of the changes for its base's indexes.
func (v *version) reindexed() (*version, error) {
	if len(v.base.indexes) == 0 {
		return v, nil
	}
	var nodes, relationships []Token
	for _, i := range v.base.indexes {
		if i.OnRelationship {
			relationships = append(relationships, i.key)
		} else {
			nodes = append(nodes, i.key)
		}
	}
	state, err := v.state.Reindex(nodes, relationships, func(id uint64, n *delta.Node) (missing []delta.Property, err error) {
		if !n.Labelled || id >= v.base.vertices {
			return nil, nil
		}
		for _, label := range n.Labels {
			some, err := v.base.unindexed(id, label, n.Properties)
			if err != nil {
				return nil, err
			}
			missing = append(missing, some...)
		}
		return missing, nil
	})
	return &version{v.base, state}, err
}

// unindexed are the properties that a node has in the base, under which an index of a label
// that it has got since would not find it.
func (b *base) unindexed(node uint64, label Token, changed []delta.Property) (missing []delta.Property, err error) {
	for _, i := range b.indexes {
		if i.OnRelationship || i.byID || i.label != label || hasKey(changed, i.key) {
			continue
		}
		v, err := b.nodeProperty(node, i.key)
		if err != nil {
			return nil, err
		}
		if !v.IsNull() {
			missing = append(missing, delta.Property{Key: i.key, Value: v})
		}
	}
	return missing, nil
}
