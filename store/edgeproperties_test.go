package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// endsOf visits the entries of a chunk by the ends of their edges: of an undirected one the smaller first.
func endsOf(c *chunk.Chunk, visit func(source, target uint64)) {
	for v, list := range c.Lists() {
		for _, local := range list {
			a, b := v, c.Meta().Cols.Base+uint64(local)
			if d := c.Meta().Direction; d == chunk.In || d == chunk.Both && a > b {
				a, b = b, a
			}
			visit(a, b)
		}
	}
}

// told is a column of edges, times 10,000 a factor and 100 the source and the target.
func told(name string, factor float64) EdgePropertyColumn {
	return EdgePropertyColumn{Name: name, Type: arrow.PrimitiveTypes.Float64,
		Of: func(c *chunk.Chunk) (arrow.Array, error) {
			b := array.NewFloat64Builder(memory.DefaultAllocator)
			defer b.Release()
			endsOf(c, func(source, target uint64) { b.Append(tell(factor, source, target)) })
			return b.NewArray(), nil
		}}
}

func tell(factor float64, source, target uint64) float64 {
	return factor*10_000 + float64(source)*100 + float64(target)
}

// checkTold fails unless every entry of every chunk has the value of its edge, and all else of before.
func checkTold(t *testing.T, s *snapshot.Snapshot, name string, factor float64, before *snapshot.Snapshot) {
	t.Helper()
	for _, d := range []chunk.Direction{chunk.Out, chunk.In} {
		old := before.Chunks(d)
		for i, info := range s.Chunks(d) {
			must(t, s.WholeChunk(t.Context(), info, func(c *chunk.Chunk) error {
				must(t, c.Verify())
				values, _ := c.Column(name)
				at := 0
				endsOf(c, func(source, target uint64) {
					if got := values.(*array.Float64).Value(at); got != tell(factor, source, target) {
						t.Fatalf("the edge %d → %d has %v in %s-chunk %d", source, target, got, d, i)
					}
					at++
				})
				return before.WholeChunk(t.Context(), old[i], func(o *chunk.Chunk) error {
					if !slices.Equal(c.Neighbors(), o.Neighbors()) || !slices.Equal(c.Offsets(), o.Offsets()) ||
						!slices.Equal(c.Vertices(), o.Vertices()) {
						t.Fatalf("%s-chunk %d has other lists", d, i)
					}
					for _, field := range o.Columns() {
						was, _ := o.Column(field.Name)
						if is, _ := c.Column(field.Name); field.Name != name && !array.Equal(was, is) {
							t.Fatalf("%s-chunk %d has another column %s", d, i, field.Name)
						}
					}
					return nil
				})
			}))
		}
	}
}

// A property of edges is written beside what there is, and replaced, in all chunks of both directions; snapshots that
// are pinned stay as they were. Random graphs have loops, parallel edges, types and properties.
func TestWriteEdgeProperties(t *testing.T) {
	r := testseed.Rand(t)
	for round := range 6 {
		db := testDB(t)
		m := randomModel(r, db.mem, 1+r.IntN(200), r.IntN(1500))
		m.schema.Orientation = []formats.Orientation{formats.Directed, formats.Undirected}[round%2]
		_, err := db.Load(t.Context(), "g", m, load.Options{ChunkBytes: 1 << 12})
		must(t, err)
		first, err := db.Snapshot("g")
		must(t, err)
		run := manifest.Provenance{Algorithm: "predict", Snapshot: first.Manifest().ID}
		_, err = db.WriteEdgeProperties(t.Context(), first, []EdgePropertyColumn{told("said", 1), told("other", 2)}, run)
		must(t, err)
		second, err := db.Snapshot("g")
		must(t, err)
		checkTold(t, second, "said", 1, first)
		checkTold(t, second, "other", 2, first)
		_, err = db.WriteEdgeProperties(t.Context(), second, []EdgePropertyColumn{told("said", 3)}, run)
		must(t, err)
		third, err := db.Snapshot("g")
		must(t, err)
		checkTold(t, third, "said", 3, first)
		checkTold(t, third, "other", 2, first)
		checkTold(t, second, "said", 1, first) // it is pinned
		properties := len(first.Manifest().EdgeProperties)
		if is := third.Manifest().EdgeProperties; len(is) != properties+2 || is[properties+1].Name != "said" ||
			is[properties+1].Provenance.Algorithm != "predict" {
			t.Fatalf("edge properties %+v", is)
		}
		must(t, db.Verify(t.Context(), "g"))
		for _, s := range []*snapshot.Snapshot{first, second, third} {
			s.Close()
		}
		assertNothingUnnamed(t, db)
	}
}

func TestWriteEdgeProperties_Refuses(t *testing.T) {
	db := testDB(t)
	m := randomModel(rand.New(rand.NewPCG(4, 4)), db.mem, 20, 50)
	_, err := db.Load(t.Context(), "g", m, load.Options{})
	must(t, err)
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	text := told("text", 1)
	text.Type = arrow.BinaryTypes.String
	lies := told("lies", 1)
	lies.Type = arrow.PrimitiveTypes.Int64
	var property *failure.PropertyError
	columns := [][]EdgePropertyColumn{{told("", 1)}, {told(":type", 1)}, {text}, {lies}, {told("a", 1), told("a", 2)}}
	for _, p := range s.Manifest().EdgeProperties {
		columns = append(columns, []EdgePropertyColumn{told(p.Name, 1)})
	}
	for _, each := range columns {
		if _, err := db.WriteEdgeProperties(t.Context(), s, each, manifest.Provenance{}); !errors.As(err, &property) {
			t.Errorf("%s: %v", each[0].Name, err)
		}
	}
	failing, wrong := told("x", 1), fmt.Errorf("no")
	failing.Of = func(*chunk.Chunk) (arrow.Array, error) { return nil, wrong }
	if _, err := db.WriteEdgeProperties(t.Context(), s, []EdgePropertyColumn{failing},
		manifest.Provenance{}); !errors.Is(err, wrong) {
		t.Error(err)
	}
	must(t, writeMark(db, s, 1))
	if _, err := db.WriteEdgeProperties(t.Context(), s, []EdgePropertyColumn{told("x", 1)},
		manifest.Provenance{}); !errors.Is(err, failure.ErrConflict) {
		t.Error(err)
	}
	assertNothingUnnamed(t, db)
}

// Changes that statements have committed above the snapshot stay above what is written: a value that one has set, an
// edge that is new and has none, one that is gone. So it is after a reopening, and after compaction; and a later result
// replaces this one.
func TestWriteEdgeProperties_BelowChanges(t *testing.T) {
	for _, orientation := range []formats.Orientation{formats.Directed, formats.Undirected} {
		dir := scratch(t)
		var set, gone uint64
		reopen(t, dir, func(db *DB) {
			m := edgeModel([2]int{0, 1}, [2]int{1, 2}, [2]int{1, 2}, [2]int{2, 0}, [2]int{3, 3}, [2]int{2, 3})
			m.schema.Orientation = orientation
			_, err := db.Load(t.Context(), "g", m, load.Options{})
			must(t, err)
			s, err := db.Snapshot("g")
			must(t, err)
			defer s.Close()
			tx := begin(t, db, "g")
			rels := relationships(t, tx)
			set, gone = rels[1], rels[3]
			must(t, tx.SetRelationshipProperty(set, tx.NewKey("said"), value.OfFloat(-5)))
			must(t, tx.SetRelationshipProperty(rels[0], tx.NewKey("else"), value.OfInt(1)))
			must(t, tx.DeleteRelationship(gone))
			_, err = tx.CreateRelationship(0, 3, tx.NewType("NEW"))
			must(t, err)
			must(t, tx.Commit(context.Background()))
			_, err = db.WriteEdgeProperties(t.Context(), s, []EdgePropertyColumn{told("said", 1)}, manifest.Provenance{})
			must(t, err)
			checkBelow(t, db, set)
		})
		reopen(t, dir, func(db *DB) {
			checkBelow(t, db, set)
			_, err := db.Compact(t.Context(), "g")
			must(t, err)
			s, err := db.Snapshot("g")
			must(t, err)
			defer s.Close()
			_, err = db.WriteEdgeProperties(t.Context(), s, []EdgePropertyColumn{told("said", 2)}, manifest.Provenance{})
			must(t, err)
			after, err := db.Snapshot("g")
			must(t, err)
			defer after.Close()
			checkTold(t, after, "said", 2, s)
		})
	}
}

// relationships are those that a transaction sees, each once, ascending.
func relationships(t *testing.T, tx *transaction.Tx) (all []uint64) {
	t.Helper()
	must(t, tx.Nodes(func(id uint64) bool {
		must(t, tx.Expand(id, transaction.Out, nil, func(rel, _ uint64) bool {
			all = append(all, rel)
			return true
		}))
		return true
	}))
	slices.Sort(all)
	return slices.Compact(all)
}

// checkBelow fails unless every relationship has what was written, but for the one that was set and the new one.
func checkBelow(t *testing.T, db *DB, set uint64) {
	t.Helper()
	tx := begin(t, db, "g")
	defer tx.Rollback()
	counts := map[string]int{}
	for _, rel := range relationships(t, tx) {
		start, end, typ, err := tx.Ends(rel)
		must(t, err)
		said, err := tx.RelationshipProperty(rel, tx.NewKey("said"))
		must(t, err)
		switch {
		case rel == set && said.Kind() == value.Float && said.Float() == -5:
			counts["set"]++
		case tx.TypeName(typ) == "NEW":
			if said.IsNull() {
				counts["new"]++
			}
		case said.Kind() == value.Float && said.Float() == tell(1, start, end):
			counts["written"]++
		}
	}
	if want := map[string]int{"set": 1, "new": 1, "written": 4}; fmt.Sprint(counts) != fmt.Sprint(want) {
		t.Errorf("%v, not %v", counts, want)
	}
}
