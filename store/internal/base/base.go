// Package base is a snapshot as transactions read it, under the changes that were committed since: single rows of its
// chunks (rows.go) and columns (blocks.go), decoded and kept in a cache (cache.go), the users' ids (idreader.go) and
// the indexes (openindex.go). Names are tokens of a vocabulary that outlives it (vocabulary.go).
package base

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// Base is the snapshot that a graph's changes are changes of, as transactions read it.
type Base struct {
	Snapshot   *snapshot.Snapshot
	cache      *Cache // of what is read of it
	indexBytes int64  // that an index may take
	Manifest   *manifest.Manifest
	holders    atomic.Int32 // the graph and its transactions

	Vertices   uint64
	Out, In    *RowReader     // of an undirected graph the same
	properties []*blockReader // of nodes, by key; nil: there is none
	EdgeKeys   []Token        // of edge properties
	labels     *blockReader   // nil: no node has a label
	labelSets  [][]Token      // by code, ascending
	IDs        *idReader      // nil: nodes have no ids of the user's

	Indexes     []*Index
	Constraints []Constraint

	counted     sync.Once
	labelCounts []uint64
	countErr    error
}

// Open prepares a snapshot, which it closes in the end, for reading.
func Open(s *snapshot.Snapshot, kept *Cache, indexBytes int64, labels, types, keys *Vocabulary) (*Base, error) {
	m := s.Manifest()
	b := &Base{Snapshot: s, cache: kept, indexBytes: indexBytes, Manifest: m, Vertices: m.Vertices}
	b.holders.Store(1)
	for _, name := range m.Labels {
		labels.Token(name)
	}
	var tokens []Token
	for _, name := range m.Types {
		tokens = append(tokens, types.Token(name))
	}
	untyped := Token(0)
	if m.Edges > 0 {
		untyped = types.Token("")
	}
	b.Out = newRowReader(s, kept, chunk.Out, tokens, untyped)
	b.In = b.Out
	if m.Directed {
		b.In = newRowReader(s, kept, chunk.In, tokens, untyped)
	}
	b.openLabels(labels)
	if err := b.openProperties(keys); err != nil {
		return nil, err
	}
	b.openIndexes(labels, types, keys)
	return b, nil
}

func (b *Base) openLabels(labels *Vocabulary) {
	m := b.Manifest
	if m.LabelSets.Column == nil {
		return
	}
	b.labels = newBlockReader(b.Snapshot, b.cache, manifest.NamedColumn{Column: m.LabelSets.Column, Name: "label"},
		arrow.Field{Type: arrow.PrimitiveTypes.Uint32})
	for _, set := range m.LabelSets.Sets {
		var tokens []Token
		for name := range strings.SplitSeq(set, ";") {
			if name != "" {
				tokens = append(tokens, labels.Token(name))
			}
		}
		slices.Sort(tokens)
		b.labelSets = append(b.labelSets, slices.Compact(tokens))
	}
}

func (b *Base) openProperties(keys *Vocabulary) error {
	m := b.Manifest
	for i := range m.NodeProperties {
		p := &m.NodeProperties[i]
		field, err := p.Field()
		if err != nil {
			return err
		}
		key := int(keys.Token(p.Name))
		for len(b.properties) <= key {
			b.properties = append(b.properties, nil)
		}
		b.properties[key] = newBlockReader(b.Snapshot, b.cache, manifest.NamedColumn{Column: &p.Column, Name: p.Name}, field)
	}
	for _, p := range m.EdgeProperties {
		field, err := p.Field()
		if err != nil {
			return err
		}
		key := keys.Token(p.Name)
		b.Out.fields[p.Name] = keyedField{field, key}
		b.EdgeKeys = append(b.EdgeKeys, key)
	}
	if !m.Anonymous {
		b.IDs = newIDReader(b.Snapshot, b.cache, keys)
	}
	return nil
}

// Hold keeps the base open for one more.
func (b *Base) Hold() { b.holders.Add(1) }

// Release lets go of it; the last one closes it.
func (b *Base) Release() {
	if b.holders.Add(-1) == 0 {
		b.cache.forget(b.Snapshot)
		b.Snapshot.Close()
	}
}

// LabelsOf are the labels of a node, not to be changed.
func (b *Base) LabelsOf(node uint64) ([]Token, error) {
	if b.labels == nil {
		return nil, nil
	}
	code, err := b.labels.code(node)
	if err != nil {
		return nil, err
	}
	if int(code) >= len(b.labelSets) {
		return nil, b.Snapshot.Mistyped("label column")
	}
	return b.labelSets[code], nil
}

// NodeProperty is a property of a node.
func (b *Base) NodeProperty(node uint64, key Token) (value.Value, error) {
	switch {
	case int(key) < len(b.properties) && b.properties[key] != nil:
		return b.properties[key].at(node)
	case b.IDs != nil && key == b.IDs.Key:
		return b.IDs.at(node)
	}
	return value.Value{}, nil
}

// edgeProperty is a property of a relationship.
func (b *Base) edgeProperty(id uint64, key Token) (value.Value, error) {
	c, err := b.Out.Whole(id)
	if err != nil {
		return value.Value{}, err
	}
	return c.Property(id, key), nil
}

// Ends of a relationship; ok is false where id is an entry that is none: in an undirected
// graph each relationship stands in two lists, and has its id from the lower end's.
func (b *Base) Ends(id uint64) (start, end uint64, typ Token, ok bool, err error) {
	if id >= b.Out.Entries() {
		return 0, 0, 0, false, nil
	}
	v, c, at, err := b.Out.place(id)
	if err != nil {
		return 0, 0, 0, false, err
	}
	end = uint64(c.Neighbors[at])
	return v, end, c.Types.At(at), b.Manifest.Directed || end >= v, nil
}

// LabelCount is how many nodes have a label. The first call reads the labels of all nodes.
func (b *Base) LabelCount(label Token) (uint64, error) {
	b.counted.Do(b.countLabels)
	if int(label) >= len(b.labelCounts) {
		return 0, b.countErr
	}
	return b.labelCounts[label], b.countErr
}

func (b *Base) countLabels() {
	if b.labels == nil {
		return
	}
	sets := make([]uint64, len(b.labelSets))
	for at := uint64(0); at < b.Vertices; at += manifest.BlockRows {
		block, err := b.labels.block(at)
		if err != nil {
			b.countErr = err
			return
		}
		for _, code := range block.codes {
			if int(code) < len(sets) {
				sets[code]++
			}
		}
	}
	for code, n := range sets {
		for _, l := range b.labelSets[code] {
			for len(b.labelCounts) <= int(l) {
				b.labelCounts = append(b.labelCounts, 0)
			}
			b.labelCounts[l] += n
		}
	}
}

// TypeCount is how many relationships have a type.
func (b *Base) TypeCount(typ Token) uint64 {
	m := b.Manifest
	at := slices.Index(b.Out.Types, typ)
	switch {
	case m.TypeEdges == nil && at >= 0:
		return m.Edges / uint64(len(m.Types)) // nobody counted: as if all types were equally frequent
	case at >= 0:
		return m.TypeEdges[at]
	case m.Edges == 0 || typ != b.Out.Untyped || m.TypeEdges == nil && len(m.Types) > 0:
		return 0
	}
	untyped := m.Edges
	for _, n := range m.TypeEdges {
		untyped -= n
	}
	return untyped
}

// EachWith yields the nodes [from, to) that have one of some labels; false: yield wanted no more.
func (b *Base) EachWith(labels []Token, from, to uint64, yield func(uint64) bool) (more bool, err error) {
	if b.labels == nil {
		return true, nil
	}
	has := make([]bool, len(b.labelSets))
	for code, set := range b.labelSets {
		has[code] = slices.ContainsFunc(labels, func(label Token) bool {
			_, ok := slices.BinarySearch(set, label)
			return ok
		})
	}
	if !slices.Contains(has, true) {
		return true, nil
	}
	for from < to {
		block, err := b.labels.block(from)
		if err != nil {
			return false, err
		}
		for end := min(to, from/manifest.BlockRows*manifest.BlockRows+manifest.BlockRows); from < end; from++ {
			code := block.codes[from%manifest.BlockRows]
			if int(code) >= len(has) {
				return false, b.Snapshot.Mistyped("label column")
			}
			if has[code] && !yield(from) {
				return false, nil
			}
		}
	}
	return true, nil
}

// EachNodeProperty yields all properties of a node, null or not.
func (b *Base) EachNodeProperty(node uint64, yield func(Token, value.Value) bool) error {
	if b.IDs != nil && !b.IDs.Hidden {
		id, err := b.IDs.at(node)
		if err != nil || !yield(b.IDs.Key, id) {
			return err
		}
	}
	for key, column := range b.properties {
		if column == nil {
			continue
		}
		v, err := column.at(node)
		if err != nil || !yield(Token(key), v) {
			return err
		}
	}
	return nil
}
