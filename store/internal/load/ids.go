package load

import (
	"context"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/store/internal/generation"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/ordering"
	"github.com/penstock-db/penstock/store/internal/sorting"
)

// assignDense gives the vertices that edges brought into being dense ids after the
// declared ones, by ascending user id.
func (l *loader) assignDense(context.Context) error {
	n := l.ids.len()
	l.ids.forget()
	l.makeDegrees()
	numbers := make([]uint32, 0, n-int(l.declared))
	for number := l.declared; number < uint32(n); number++ {
		if l.degree(number) > 0 { // else an integer that idTable covers and nobody named
			numbers = append(numbers, number)
		}
	}
	l.order = slices.Concat(ordering.Identity(l.declared), l.ids.ascending(numbers))
	l.manifest.Vertices = uint64(len(l.order))
	if len(l.order) == n && slices.IsSorted(l.order) {
		l.order = nil
		return nil
	}
	l.dense = ordering.Inverse(l.order, n)
	l.out = ordering.Pick(l.out, l.order)
	if l.directed {
		l.in = ordering.Pick(l.in, l.order)
	}
	return nil
}

// byDense puts values by number in the order of dense ids; the others, of vertices
// that were not declared, are 0.
func (l *loader) byDense(values []uint32) []uint32 {
	all := make([]uint32, l.manifest.Vertices)
	for number, value := range values {
		all[l.denseID(uint32(number))] = value
	}
	return all
}

// userID is the user id of a dense id.
func (l *loader) userID(dense uint64) manifest.UserID {
	if l.order == nil {
		return l.ids.at(uint32(dense))
	}
	return l.ids.at(l.order[dense])
}

// ascending sorts numbers by their ids: integers by radix sort, then strings.
func (t *idTable) ascending(numbers []uint32) []uint32 {
	var texts []uint32
	ints, keys := make([]uint32, 0, len(numbers)), make([]uint64, 0, len(numbers))
	for _, number := range numbers {
		if id := t.integerAt(number); id < 0 {
			texts = append(texts, number)
		} else {
			ints, keys = append(ints, number), append(keys, uint64(id))
		}
	}
	_, ints = new(sorting.Sorter).Sort(keys, ints)
	slices.SortFunc(texts, func(a, b uint32) int { return manifest.CompareIDs(t.at(a), t.at(b)) })
	return append(ints, texts...)
}

// writeIDs stores what is needed to go from dense ids to user ids and back.
func (l *loader) writeIDs(context.Context) (err error) {
	ids := &l.manifest.IDs
	ids.Kind = l.ids.kind()
	if l.loaded != nil {
		if ids.Loaded, err = generation.WriteColumn(l.generation, "loaded", arrow.PrimitiveTypes.Uint32, l.loaded); err != nil {
			return err
		}
	}
	if base, ok := l.consecutive(); ok {
		ids.Base = &base
		return nil
	}
	if ids.Ints, ids.Strings, err = l.writeIDColumns(l.userID); err != nil {
		return err
	}
	at := l.userID
	if !l.isAscending() {
		sorted := l.ids.ascending(l.orderOrIdentity())
		at = func(i uint64) manifest.UserID { return l.ids.at(sorted[i]) }
		if ids.Sorted, err = l.writeIndex(sorted, at); err != nil {
			return err
		}
	}
	for i := uint64(0); i < l.manifest.Vertices; i += manifest.BlockRows {
		ids.First = append(ids.First, at(i).String())
	}
	return nil
}

func (l *loader) orderOrIdentity() []uint32 {
	if l.order == nil {
		return ordering.Identity(uint32(l.manifest.Vertices))
	}
	return slices.Clone(l.order)
}

// consecutive is true when the user ids are base, base+1, … in dense order.
func (l *loader) consecutive() (base int64, ok bool) {
	if l.manifest.Vertices == 0 {
		return 0, true
	}
	first := l.userID(0)
	for i := range l.manifest.Vertices {
		if id := l.userID(i); id.Text != "" || id.N != first.N+int64(i) {
			return 0, false
		}
	}
	return first.N, first.Text == ""
}

func (l *loader) isAscending() bool {
	for i := uint64(1); i < l.manifest.Vertices; i++ {
		if manifest.CompareIDs(l.userID(i-1), l.userID(i)) >= 0 {
			return false
		}
	}
	return true
}

// writeIndex stores the ids in ascending order with their dense ids.
func (l *loader) writeIndex(sorted []uint32, at func(uint64) manifest.UserID) (index *manifest.IDIndex, err error) {
	index = new(manifest.IDIndex)
	if index.Ints, index.Strings, err = l.writeIDColumns(at); err != nil {
		return nil, err
	}
	dense := make([]uint32, len(sorted))
	for i, number := range sorted {
		dense[i] = l.denseID(number)
	}
	c, err := generation.WriteColumn(l.generation, "dense", arrow.PrimitiveTypes.Uint32, dense)
	if err != nil {
		return nil, err
	}
	index.Dense = *c
	return index, nil
}

// writeIDColumns stores the ids at(0), at(1), …: a column of the integers unless
// there are none, and one of the texts unless there are none.
func (l *loader) writeIDColumns(at func(uint64) manifest.UserID) (ints, texts *manifest.Column, err error) {
	n := l.manifest.Vertices
	if l.manifest.IDs.Kind != manifest.StringIDs {
		all := make([]int64, n)
		for i := range all {
			all[i] = at(uint64(i)).N
		}
		if ints, err = generation.WriteColumn(l.generation, "id", arrow.PrimitiveTypes.Int64, all); err != nil {
			return nil, nil, err
		}
	}
	if l.manifest.IDs.Kind != manifest.IntegerIDs {
		texts, err = generation.WriteStrings(l.generation, "id", func(yield func(string) bool) {
			for i := uint64(0); i < n && yield(at(i).Text); i++ {
			}
		})
	}
	return ints, texts, err
}

// writeDegrees stores the degrees as columns, so that reading them reads no chunk.
func (l *loader) writeDegrees(context.Context) (err error) {
	m := l.manifest
	if m.OutDegree, err = generation.WriteColumn(l.generation, "degree", arrow.PrimitiveTypes.Uint32, l.out); err != nil {
		return err
	}
	if l.directed {
		m.InDegree, err = generation.WriteColumn(l.generation, "degree", arrow.PrimitiveTypes.Uint32, l.in)
	}
	return err
}
