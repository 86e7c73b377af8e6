package base

import (
	"sort"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// idReader reads user ids as values.
type idReader struct {
	Key         Token
	Hidden      bool // key is of hiddenIDProperty
	base        *int64
	vertices    uint64
	ints, texts *blockReader
	sorted      *sortedIDs // nil: ids ascend
}

// sortedIDs are the ids in ascending order, and whose they are.
type sortedIDs struct {
	ints, texts, dense *blockReader
}

func newIDReader(s *snapshot.Snapshot, kept *Cache, keys *Vocabulary) *idReader {
	ids := s.Manifest().IDs
	r := &idReader{base: ids.Base, vertices: s.Manifest().Vertices}
	name := manifest.IdProperty
	if _, r.Hidden = s.Manifest().NodeProperty(manifest.IdProperty); r.Hidden {
		name = manifest.HiddenIDProperty
	}
	r.Key = keys.Token(name)
	r.ints, r.texts = idColumns(s, kept, ids.Ints, ids.Strings)
	if ids.Sorted != nil {
		r.sorted = &sortedIDs{dense: newBlockReader(s, kept,
			manifest.NamedColumn{Column: &ids.Sorted.Dense, Name: "id index"}, arrow.Field{Type: arrow.PrimitiveTypes.Uint32})}
		r.sorted.ints, r.sorted.texts = idColumns(s, kept, ids.Sorted.Ints, ids.Sorted.Strings)
	}
	return r
}

// idColumns reads a pair of columns of ids, either of which may be nil.
func idColumns(s *snapshot.Snapshot, kept *Cache, ints, texts *manifest.Column) (i, t *blockReader) {
	if ints != nil {
		i = newBlockReader(s, kept, manifest.NamedColumn{Column: ints, Name: "integer id"},
			arrow.Field{Type: arrow.PrimitiveTypes.Int64})
	}
	if texts != nil {
		t = newBlockReader(s, kept, manifest.NamedColumn{Column: texts, Name: "string id"},
			arrow.Field{Type: arrow.BinaryTypes.String})
	}
	return i, t
}

// at is the user id of a node.
func (r *idReader) at(node uint64) (value.Value, error) {
	if r.base != nil {
		return value.OfInt(*r.base + int64(node)), nil
	}
	return idAtRow(r.ints, r.texts, node)
}

// idAtRow is the id in a row of a pair of columns.
func idAtRow(ints, texts *blockReader, row uint64) (value.Value, error) {
	if texts != nil {
		if text, err := texts.at(row); err != nil || text.Str() != "" {
			return text, err
		}
	}
	return ints.at(row)
}

// Find is the node with a user id, by binary search.
func (r *idReader) Find(v value.Value) (node uint64, ok bool, err error) {
	id, ok := userIDOf(v)
	if !ok {
		return 0, false, nil
	}
	if r.base != nil {
		node = uint64(id.N - *r.base)
		return node, id.Text == "" && node < r.vertices, nil
	}
	ints, texts := r.ints, r.texts
	if r.sorted != nil {
		ints, texts = r.sorted.ints, r.sorted.texts
	}
	at, found := sort.Find(int(r.vertices), func(row int) int {
		found, failed := idAtRow(ints, texts, uint64(row))
		if failed != nil {
			err = failed
			return 0
		}
		there, _ := userIDOf(found)
		return manifest.CompareIDs(id, there)
	})
	if err != nil || !found || r.sorted == nil {
		return uint64(at), found, err
	}
	dense, err := r.sorted.dense.code(uint64(at))
	return uint64(dense), err == nil, err
}

// userIDOf is a value as user id; whole floats equal integers.
func userIDOf(v value.Value) (id manifest.UserID, ok bool) {
	switch v.Kind() {
	case value.Int:
		return manifest.UserID{N: v.Int()}, true
	case value.Float:
		n := int64(v.Float())
		return manifest.UserID{N: n}, float64(n) == v.Float()
	case value.String:
		return manifest.UserID{Text: v.Str()}, v.Str() != ""
	}
	return manifest.UserID{}, false
}
