package store

import (
	"errors"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// ranks is a column of floats, with a null where the value is negative.
func ranks(t testing.TB, mem memory.Allocator, values ...float64) arrow.Array {
	b := array.NewFloat64Builder(mem)
	defer b.Release()
	for _, v := range values {
		if v < 0 {
			b.AppendNull()
		} else {
			b.Append(v)
		}
	}
	return b.NewArray()
}

// rankOf reads a property back.
func rankOf(t testing.TB, s *snapshot.Snapshot, name string) (values []float64) {
	t.Helper()
	must(t, s.NodeProperty(t.Context(), name, func(from uint64, a arrow.Array) error {
		for i := range a.Len() {
			v := -1.0
			if a.IsValid(i) {
				v = a.(*array.Float64).Value(i)
			}
			values = append(values, v)
		}
		return nil
	}))
	return values
}

func TestWriteProperties(t *testing.T) {
	db := testDB(t)
	_, err := db.Load(t.Context(), "g", edgeModel([2]int{1, 2}, [2]int{2, 3}), load.Options{})
	must(t, err)
	base, err := db.Snapshot("g")
	must(t, err)
	defer base.Close()
	first, second := ranks(t, db.mem, .5, -1, .25), ranks(t, db.mem, 1, 2, 3)
	defer first.Release()
	defer second.Release()
	run := manifest.Provenance{Algorithm: "pagerank", Parameters: map[string]string{"damping": "0.85"},
		Snapshot: base.Manifest().ID, Threads: 2}
	m, err := db.WriteProperties(t.Context(), base, []PropertyColumn{{"rank", first}, {"other", second}}, run)
	must(t, err)
	if p, ok := m.NodeProperty("rank"); !ok || p.Provenance.Parameters["damping"] != "0.85" || p.Type != "float64" {
		t.Errorf("%+v", p)
	}
	if len(base.Manifest().NodeProperties) != 0 {
		t.Error("the base snapshot changed")
	}
	if _, err := db.WriteProperties(t.Context(), base, []PropertyColumn{{"rank", second}}, run); !errors.Is(err,
		failure.ErrConflict) {
		t.Error(err)
	}
	next, err := db.Snapshot("g")
	must(t, err)
	defer next.Close()
	_, err = db.WriteProperties(t.Context(), next, []PropertyColumn{{"rank", second}}, run)
	must(t, err)
	if got := rankOf(t, next, "rank"); !slices.Equal(got, []float64{.5, -1, .25}) {
		t.Error("a pinned snapshot changed:", got)
	}
	last, err := db.Snapshot("g")
	must(t, err)
	defer last.Close()
	if got := rankOf(t, last, "rank"); !slices.Equal(got, []float64{1, 2, 3}) {
		t.Error(got)
	}
	must(t, db.Verify(t.Context(), "g"))
}

func TestWriteProperties_Refuses(t *testing.T) {
	db := testDB(t)
	_, err := db.Load(t.Context(), "g", edgeModel([2]int{1, 2}), load.Options{})
	must(t, err)
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	two, three := ranks(t, db.mem, 1, 2), ranks(t, db.mem, 1, 2, 3)
	defer two.Release()
	defer three.Release()
	var property *failure.PropertyError
	for _, columns := range [][]PropertyColumn{{{"", two}}, {{":ID", two}}, {{":", two}}, {{"rank", three}},
		{{"rank", two}, {"rank", two}}} {
		if _, err := db.WriteProperties(t.Context(), s, columns, manifest.Provenance{}); !errors.As(err, &property) {
			t.Error(err)
		}
	}
	var unknown *failure.UnknownPropertyError
	if err := s.NodeProperty(t.Context(), "rnak", nil); !errors.As(err, &unknown) {
		t.Error(err)
	}
	must(t, db.Drop(t.Context(), "g"))
	if _, err := db.WriteProperties(t.Context(), s, []PropertyColumn{{"rank", two}},
		manifest.Provenance{}); !errors.Is(err, failure.ErrConflict) {
		t.Error(err)
	}
}

// What was loaded stays, also beside a column that could be written; a result gives way to a result.
func TestWriteProperties_KeepsWhatWasLoaded(t *testing.T) {
	db := testDB(t)
	m := edgeModel()
	m.schema.Node = arrow.NewSchema([]arrow.Field{{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	m.mem, m.nodes = db.mem, []modelNode{{id: "1", props: []string{"a"}}, {id: "2", props: []string{"b"}}}
	_, err := db.Load(t.Context(), "g", m, load.Options{})
	must(t, err)
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	rank := ranks(t, db.mem, 1, 2)
	defer rank.Release()
	_, err = db.WriteProperties(t.Context(), s, []PropertyColumn{{"rank", rank}, {"name", rank}}, manifest.Provenance{})
	const want = `property "name" was loaded with the graph and is not replaced by a result; choose another name`
	if property := (*failure.PropertyError)(nil); !errors.As(err, &property) || err.Error() != want {
		t.Error(err)
	}
	now, err := db.Graphs()
	must(t, err)
	if now[0].ID != s.Manifest().ID {
		t.Error("something was written")
	}
}
