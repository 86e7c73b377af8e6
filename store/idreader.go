package store

import (
	"context"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats/value"
)

// idProperty is the property by which nodes have the ids that they were loaded with. Where a
// property was loaded that has this name, they have them under one that none can have.
const (
	idProperty       = "id"
	hiddenIDProperty = ":id"
)

// idReader reads user ids as values.
type idReader struct {
	key         Token
	hidden      bool // key is of hiddenIDProperty
	base        *int64
	ints, texts *blockReader
}

func newIDReader(s *Snapshot, keys *vocabulary) *idReader {
	ids := s.manifest.IDs
	r := &idReader{base: ids.Base}
	name := idProperty
	if _, r.hidden = s.manifest.NodeProperty(idProperty); r.hidden {
		name = hiddenIDProperty
	}
	r.key = keys.Token(name)
	if ids.Ints != nil {
		r.ints = newBlockReader(s, namedColumn{ids.Ints, "integer id"}, arrow.Field{Type: arrow.PrimitiveTypes.Int64})
	}
	if ids.Strings != nil {
		r.texts = newBlockReader(s, namedColumn{ids.Strings, "string id"}, arrow.Field{Type: arrow.BinaryTypes.String})
	}
	return r
}

// at is the user id of a node.
func (r *idReader) at(node uint64) (value.Value, error) {
	if r.base != nil {
		return value.OfInt(*r.base + int64(node)), nil
	}
	if r.texts != nil {
		if text, err := r.texts.at(node); err != nil || text.Str() != "" {
			return text, err
		}
	}
	return r.ints.at(node)
}

// nextID is an integer above all ids of the snapshot.
func (s *Snapshot) nextID(ctx context.Context) (int64, error) {
	ids := s.manifest.IDs
	switch {
	case ids.Base != nil:
		return *ids.Base + int64(s.manifest.Vertices), nil
	case ids.Ints == nil:
		return 0, nil
	}
	next := int64(0)
	buffer := make([]int64, blockRows)
	for from := uint64(0); from < s.manifest.Vertices; from += blockRows {
		some := buffer[:min(blockRows, s.manifest.Vertices-from)]
		if err := s.copyInts(ctx, *ids.Ints, "integer id", from, from+uint64(len(some)), some); err != nil {
			return 0, err
		}
		for _, n := range some {
			next = max(next, n+1)
		}
	}
	return next, nil
}
