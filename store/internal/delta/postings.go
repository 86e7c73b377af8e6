package delta

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
)

// Postings lead from the values of some properties to who has been given them: a hash index
// that is only ever added to. Who asks must look whether what it names still has the value.
type Postings struct {
	keys  []Token // ascending
	lists Trie[posting]
}

type posting struct {
	owner *owner
	ids   runs[uint64]
}

// slotBits are enough that lists seldom hold what has another value, and few enough that
// the trie stays low.
const slotBits = 30

func slotOf(key Token, v value.Value) uint64 {
	const golden = 0x9e3779b97f4a7c15
	return (value.Hash(v) ^ uint64(key)*golden) >> (64 - slotBits)
}

// Find are the ids that may have this value, ascending.
func (p *Postings) Find(key Token, v value.Value) []uint64 {
	list := p.lists.Get(slotOf(key, v))
	if list == nil {
		return nil
	}
	var ids []uint64
	list.ids.all(func(id uint64) bool {
		ids = append(ids, id)
		return true
	})
	slices.Sort(ids)
	return slices.Compact(ids)
}

func (p *Postings) add(o *owner, key Token, v value.Value, id uint64) (bytes int64) {
	if _, ok := slices.BinarySearch(p.keys, key); !ok || v.IsNull() {
		return 0
	}
	slot := slotOf(key, v)
	list := p.lists.Get(slot)
	if list == nil || list.owner != o {
		fresh := &posting{owner: o}
		if list != nil {
			fresh.ids = list.ids
		}
		list = fresh
		p.lists.set(o, slot, list)
	}
	list.ids.add(o, id)
	return postingBytes
}

func (p *Postings) addAll(o *owner, properties []Property, id uint64) (bytes int64) {
	for _, property := range properties {
		bytes += p.add(o, property.Key, property.Value, id)
	}
	return bytes
}

// Reindex is the same version with postings for the properties of these keys. missing tells
// which properties of a node, though they are the base's, belong among the changes: those
// under which nobody would find it there.
func (s *State) Reindex(nodes, relationships []Token, missing func(id uint64, n *Node) ([]Property, error)) (*State,
	error) {
	d := s.Fork()
	d.NodePostings, d.RelationshipPostings = Postings{keys: ascending(nodes)}, Postings{keys: ascending(relationships)}
	for id, n, ok := s.Nodes.Next(0); ok; id, n, ok = s.Nodes.Next(id + 1) {
		if n.Deleted {
			continue
		}
		d.Bytes += d.NodePostings.addAll(d.owner, n.Properties, id)
		more, err := missing(id, n)
		if err != nil {
			return nil, err
		}
		for _, p := range more {
			d.SetNodeProperty(id, p.Key, p.Value)
		}
	}
	for id, r, ok := s.Relationships.Next(0); ok; id, r, ok = s.Relationships.Next(id + 1) {
		d.Bytes += d.RelationshipPostings.addAll(d.owner, r.Properties, id)
	}
	return &d.State, nil
}

func ascending(tokens []Token) []Token {
	tokens = slices.Clone(tokens)
	slices.Sort(tokens)
	return slices.Compact(tokens)
}
