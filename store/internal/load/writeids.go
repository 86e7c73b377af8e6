package load

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/store/internal/generation"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// writeIDs stores what is needed to go from dense ids to user ids and back.
func writeIDs(g *generation.Generation, p *places) (ids manifest.IDs, err error) {
	ids.Kind = p.ids.kind()
	if p.loaded != nil {
		if ids.Loaded, err = generation.WriteColumn(g, "loaded", arrow.PrimitiveTypes.Uint32, p.loaded); err != nil {
			return ids, err
		}
	}
	if base, ok := p.consecutive(); ok {
		ids.Base = &base
		return ids, nil
	}
	if ids.Ints, ids.Strings, err = writeIDColumns(g, ids.Kind, p.count, p.userID); err != nil {
		return ids, err
	}
	at := p.userID
	if !p.ascending() {
		sorted := p.ids.ascending(p.numbers())
		at = func(i uint64) manifest.UserID { return p.ids.at(sorted[i]) }
		if ids.Sorted, err = writeIDIndex(g, ids.Kind, p, sorted, at); err != nil {
			return ids, err
		}
	}
	for i := uint64(0); i < p.count; i += manifest.BlockRows {
		ids.First = append(ids.First, at(i).String())
	}
	return ids, nil
}

// writeIDIndex stores the ids at(0), at(1), …, which ascend, with their dense ids. sorted are their numbers.
func writeIDIndex(
	g *generation.Generation, kind manifest.IDKind, p *places, sorted []uint32, at func(uint64) manifest.UserID,
) (index *manifest.IDIndex, err error) {
	index = new(manifest.IDIndex)
	if index.Ints, index.Strings, err = writeIDColumns(g, kind, p.count, at); err != nil {
		return nil, err
	}
	dense := make([]uint32, len(sorted))
	for i, number := range sorted {
		dense[i] = p.denseID(number)
	}
	c, err := generation.WriteColumn(g, "dense", arrow.PrimitiveTypes.Uint32, dense)
	if err != nil {
		return nil, err
	}
	index.Dense = *c
	return index, nil
}

// writeIDColumns stores the ids at(0) … at(n-1): a column of the integers unless
// there are none, and one of the texts unless there are none.
func writeIDColumns(
	g *generation.Generation, kind manifest.IDKind, n uint64, at func(uint64) manifest.UserID,
) (ints, texts *manifest.Column, err error) {
	if kind != manifest.StringIDs {
		all := make([]int64, n)
		for i := range all {
			all[i] = at(uint64(i)).N
		}
		if ints, err = generation.WriteColumn(g, "id", arrow.PrimitiveTypes.Int64, all); err != nil {
			return nil, nil, err
		}
	}
	if kind != manifest.IntegerIDs {
		texts, err = generation.WriteStrings(g, "id", func(yield func(string) bool) {
			for i := uint64(0); i < n && yield(at(i).Text); i++ {
			}
		})
	}
	return ints, texts, err
}
