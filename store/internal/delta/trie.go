package delta

import (
	"math/bits"
	"slices"
)

// owner marks what one Draft has made and may change in place; all else it copies before.
type owner struct{ _ byte }

// Trie is an ordered map from numbers, as a persistent radix tree: 64 children a branch,
// of which only those present are stored. Copies of a Trie are versions that share the
// branches that are the same in both (Driscoll et al., Making Data Structures Persistent,
// 1989; Bagwell, Ideal Hash Trees, 2001). The zero Trie is empty.
type Trie[V any] struct {
	root  *branch[V]
	shift uint // of the root: it tells ids apart by the bits from here on
}

// branch has either children or, at the bottom, values.
type branch[V any] struct {
	owner    *owner
	present  uint64
	children []*branch[V]
	values   []*V
}

const radixBits = 6

// slot is where bit i lies among those present.
func (b *branch[V]) slot(i uint64) (at int, ok bool) {
	bit := uint64(1) << i
	return bits.OnesCount64(b.present & (bit - 1)), b.present&bit != 0
}

// Get is the value of id; nil: it has none.
func (t *Trie[V]) Get(id uint64) *V {
	b := t.root
	if b == nil || id>>t.shift>>radixBits != 0 {
		return nil
	}
	for shift := t.shift; shift > 0; shift -= radixBits {
		at, ok := b.slot(id >> shift & 63)
		if !ok {
			return nil
		}
		b = b.children[at]
	}
	if at, ok := b.slot(id & 63); ok {
		return b.values[at]
	}
	return nil
}

// set gives id a value.
func (t *Trie[V]) set(o *owner, id uint64, v *V) {
	for t.root != nil && id>>t.shift>>radixBits != 0 {
		t.root = &branch[V]{owner: o, present: 1, children: []*branch[V]{t.root}}
		t.shift += radixBits
	}
	if t.root == nil {
		for id>>t.shift>>radixBits != 0 {
			t.shift += radixBits
		}
		t.root = &branch[V]{owner: o}
	}
	t.root = t.root.set(o, t.shift, id, v)
}

// set is b, or its copy, with the value of id.
func (b *branch[V]) set(o *owner, shift uint, id uint64, v *V) *branch[V] {
	b = b.own(o)
	i := id >> shift & 63
	at, ok := b.slot(i)
	b.present |= 1 << i
	switch {
	case shift == 0 && ok:
		b.values[at] = v
	case shift == 0:
		b.values = slices.Insert(b.values, at, v)
	case ok:
		b.children[at] = b.children[at].set(o, shift-radixBits, id, v)
	default:
		child := (&branch[V]{owner: o}).set(o, shift-radixBits, id, v)
		b.children = slices.Insert(b.children, at, child)
	}
	return b
}

// own is b if o made it, else a copy that o may change.
func (b *branch[V]) own(o *owner) *branch[V] {
	if b.owner == o {
		return b
	}
	return &branch[V]{owner: o, present: b.present, children: slices.Clone(b.children), values: slices.Clone(b.values)}
}

// Next is the first id from at on that has a value. Walks that ask for one after another
// stand changes on the way.
func (t *Trie[V]) Next(at uint64) (id uint64, v *V, ok bool) {
	if t.root == nil || at>>t.shift>>radixBits != 0 {
		return 0, nil, false
	}
	return t.root.next(t.shift, 0, at)
}

// next searches below b, where all ids begin with the bits of prefix.
func (b *branch[V]) next(shift uint, prefix, at uint64) (uint64, *V, bool) {
	first := uint64(0)
	if at > prefix {
		first = (at - prefix) >> shift
	}
	if first > 63 {
		return 0, nil, false
	}
	for left := b.present >> first << first; left != 0; left &= left - 1 {
		i := uint64(bits.TrailingZeros64(left))
		slot, _ := b.slot(i)
		if shift == 0 {
			return prefix + i, b.values[slot], true
		}
		if id, v, ok := b.children[slot].next(shift-radixBits, prefix+i<<shift, at); ok {
			return id, v, ok
		}
	}
	return 0, nil, false
}
