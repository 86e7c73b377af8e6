package base

import (
	"slices"
	"sync"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/delta"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// Index is an index on a base: the values there in order, collected when somebody asks.
// Changes have postings of their own (see delta.Postings).
type Index struct {
	manifest.Index
	LabelToken Token // or the type
	KeyToken   Token
	ByID       bool // of the user's ids, which the base finds by itself

	once    sync.Once
	entries []Entry // ascending by value; those with the same by id
	small   bool    // entries are all there are, not too many to be kept
	err     error
}

type Entry struct {
	Value value.Value
	Id    uint64
}

// openIndexes prepares the indexes of the manifest, one for each constraint that asks who
// else has a value, and one of the user's ids.
func (b *Base) openIndexes(labels, types, keys *Vocabulary) {
	open := func(i manifest.Index, byID bool) {
		names := labels
		if i.OnRelationship {
			names = types
		}
		o := &Index{Index: i, KeyToken: keys.Token(i.Key), ByID: byID}
		if i.Label != "" {
			o.LabelToken = names.Token(i.Label)
		}
		b.Indexes = append(b.Indexes, o)
	}
	for _, i := range b.Manifest.Indexes {
		open(i, false)
	}
	for _, c := range b.Manifest.Constraints {
		b.Constraints = append(b.Constraints, NewConstraint(c, labels, types, keys))
		if c.Kind != manifest.Exists {
			open(manifest.Index{Name: c.Name, OnRelationship: c.OnRelationship, Label: c.Label, Key: c.Keys[0]}, false)
		}
	}
	if b.IDs != nil {
		open(manifest.Index{Name: idIndex, Key: keys.Name(b.IDs.Key)}, true)
	}
}

// idIndex is the name of the index of the user's ids.
const idIndex = ":ids"

func (b *Base) Index(i manifest.Index) *Index {
	for _, o := range b.Indexes {
		if o.Index == i {
			return o
		}
	}
	return nil
}

// Collected are the values of the base in order; all is false where they take too much memory: then look at each.
func (o *Index) Collected(b *Base) (entries []Entry, all bool, err error) {
	o.once.Do(func() { o.collect(b) })
	return o.entries, o.small, o.err
}

// collect reads all values of the base, unless they take too much memory.
func (o *Index) collect(b *Base) {
	limit, held := b.indexBytes, int64(0)
	o.small = true
	o.err = o.Each(b, func(id uint64, v value.Value) (bool, error) {
		if held += 32 + delta.ValueBytes(v); held > limit {
			o.small = false
			return false, nil
		}
		o.entries = append(o.entries, Entry{v, id})
		return true, nil
	})
	if !o.small {
		o.entries = nil
	}
	slices.SortStableFunc(o.entries, func(a, b Entry) int { return value.Order(a.Value, b.Value) })
}

// Each yields all nodes or relationships of the base with the label or type that have the property.
func (o *Index) Each(b *Base, yield func(uint64, value.Value) (bool, error)) error {
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
		b.EachRelationship(o.LabelToken, func(id uint64, err error) bool {
			var v value.Value
			if err == nil {
				v, err = b.edgeProperty(id, o.KeyToken)
			}
			return offer(id, v, err)
		})
		return failed
	}
	visit := func(id uint64) bool {
		v, err := b.NodeProperty(id, o.KeyToken)
		return offer(id, v, err)
	}
	if o.ByID {
		for id := uint64(0); id < b.Vertices && visit(id); id++ {
		}
		return failed
	}
	if _, err := b.EachWith([]Token{o.LabelToken}, 0, b.Vertices, visit); err != nil {
		return err
	}
	return failed
}

// EachRelationship yields the relationships of a type.
func (b *Base) EachRelationship(typ Token, yield func(id uint64, err error) bool) {
	for i, start := range b.Out.Starts[:len(b.Out.Chunks)] {
		c, err := b.Out.chunk(i)
		if err != nil {
			yield(0, err)
			return
		}
		for at := range c.Neighbors {
			id := start + uint64(at)
			if c.Types.At(at) != typ {
				continue
			}
			if _, _, _, ok, err := b.Ends(id); ok || err != nil {
				if !yield(id, err) {
					return
				}
			}
		}
	}
}

// Unindexed are the properties that a node has in the base, under which an index of a label
// that it has got since would not find it.
func (b *Base) Unindexed(node uint64, label Token, changed []delta.Property) (missing []delta.Property, err error) {
	for _, i := range b.Indexes {
		if i.OnRelationship || i.ByID || i.LabelToken != label || HasKey(changed, i.KeyToken) {
			continue
		}
		v, err := b.NodeProperty(node, i.KeyToken)
		if err != nil {
			return nil, err
		}
		if !v.IsNull() {
			missing = append(missing, delta.Property{Key: i.KeyToken, Value: v})
		}
	}
	return missing, nil
}

func HasKey(properties []delta.Property, key Token) bool {
	_, ok := delta.Lookup(properties, key)
	return ok
}

// Constraint is a constraint in tokens.
type Constraint struct {
	manifest.Constraint
	LabelToken Token
	KeyTokens  []Token
}

func NewConstraint(c manifest.Constraint, labels, types, keys *Vocabulary) Constraint {
	names := labels
	if c.OnRelationship {
		names = types
	}
	o := Constraint{Constraint: c, LabelToken: names.Token(c.Label)}
	for _, key := range c.Keys {
		o.KeyTokens = append(o.KeyTokens, keys.Token(key))
	}
	return o
}
