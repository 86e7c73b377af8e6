package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/ordering"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"pgregory.net/rapid"
)

// ordered loads m in order o and opens it.
func ordered(t fataler, db *DB, m *model, o manifest.Order) *snapshot.Snapshot {
	t.Helper()
	_, err := db.Load(context.Background(), "g", m, load.Options{Order: o, Replace: true, ChunkBytes: 200})
	check(t, err)
	s, err := db.Snapshot("g")
	check(t, err)
	return s
}

// neighborsOf are the lists of both directions in one, by dense id.
func neighborsOf(t fataler, s *snapshot.Snapshot) [][]uint32 {
	lists := readLists(t, s, chunk.Out)
	if s.Manifest().Directed {
		for v, list := range readLists(t, s, chunk.In) {
			lists[v] = append(lists[v], list...)
		}
	}
	return lists
}

// The orders are what they are said to be, computed anew from the order of loading.
func TestOrder_IsAsDefined(t *testing.T) {
	db := testDB(t)
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		m := randomModel(r, memory.DefaultAllocator, 1+r.IntN(60), rapid.IntRange(0, 150).Draw(t, "edges"))
		loaded := ordered(t, db, m, manifest.OrderNone)
		lists := neighborsOf(t, loaded)
		loaded.Close()
		for order, want := range map[manifest.Order][]uint32{manifest.OrderDegree: byDegree(lists),
			manifest.OrderBFS: breadthFirst(lists)} {
			s := ordered(t, db, m, order)
			got, err := s.LoadPlaces(context.Background())
			check(t, err)
			s.Close()
			if got == nil {
				got = ordering.Identity(uint32(len(want)))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s: places %v, not %v", order, got, want)
			}
		}
	})
}

func byDegree(lists [][]uint32) []uint32 {
	order := ordering.Identity(uint32(len(lists)))
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(len(lists[b]), len(lists[a])) })
	return order
}

// breadthFirst is by level: what is new in the lists of one level is the next.
func breadthFirst(lists [][]uint32) (order []uint32) {
	seen := map[uint32]bool{}
	for _, root := range byDegree(lists) {
		for level := []uint32{root}; len(level) > 0; {
			var next []uint32
			for _, v := range level {
				if !seen[v] {
					seen[v] = true
					order = append(order, v)
					next = append(next, slices.Sorted(slices.Values(lists[v]))...)
				}
			}
			level = next
		}
	}
	return order
}

// The manifest says what was asked and taken; a graph loaded before there was a choice has none.
func TestOrder_InTheManifest(t *testing.T) {
	db := testDB(t)
	for asked, want := range map[manifest.Order]string{
		"":                   "none (auto: fewer than 65536 vertices)",
		manifest.OrderNone:   "none (as asked)",
		manifest.OrderDegree: "degree (as asked)",
		manifest.OrderBFS:    "bfs (as asked)",
		manifest.OrderRabbit: "rabbit (as asked)",
	} {
		m, err := db.Load(t.Context(), "g", edgeModel([2]int{1, 2}, [2]int{3, 2}), load.Options{Order: asked, Replace: true})
		must(t, err)
		s, err := db.Snapshot("g")
		must(t, err)
		if got := s.Manifest().Order; got.String() != want || got != m.Order {
			t.Errorf("order %s (%+v), not %s", got, m.Order, want)
		}
		s.Close()
	}
	if got := (manifest.Ordering{}).String(); got != "none" {
		t.Error(got)
	}
}

// Neighbors that were far apart share cache lines in an order that puts them together.
func TestOrder_Locality(t *testing.T) {
	const hubs, leaves = 8, 4000
	m := edgeModel()
	for leaf := range leaves {
		for hub := range hubs {
			m.edges = append(m.edges, modelEdge{src: fmt.Sprint(hub * 500), dst: fmt.Sprint(leaf)})
		}
	}
	m.typedFrom = len(m.edges)
	for order, lines := range map[manifest.Order]float64{manifest.OrderNone: 1, manifest.OrderDegree: 1. / hubs} {
		loaded, err := testDB(t).Load(t.Context(), "g", m, load.Options{Order: order})
		must(t, err)
		if o := loaded.Order; o.Lines != lines || o.LinesBefore != 1 {
			t.Errorf("%s: %g lines an entry, %g before; not %g, 1", order, o.Lines, o.LinesBefore, lines)
		}
	}
}

// Auto takes the degrees of large skewed graphs, and leaves even and small ones alone.
func TestOrder_Auto(t *testing.T) {
	const n = load.OrderMinVertices
	db := testDB(t)
	ring := func(i int) int { return i + 1 }
	for want, target := range map[manifest.Order]func(int) int{manifest.OrderNone: ring,
		manifest.OrderDegree: func(i int) int { return i % 100 }} {
		m := edgeModel()
		for i := range n {
			m.edges = append(m.edges, modelEdge{src: fmt.Sprint(i), dst: fmt.Sprint(target(i) % n)})
		}
		m.typedFrom = len(m.edges)
		loaded, err := db.Load(t.Context(), "g", m, load.Options{Replace: true})
		must(t, err)
		if o := loaded.Order; o.Taken != want || o.Asked != manifest.OrderAuto ||
			(o.TopShare > load.OrderMinShare) != (want == manifest.OrderDegree) {
			t.Errorf("%+v, not %s", o, want)
		}
	}
}

// Properties and labels stay with their vertices, also by way of files.
func TestOrder_PropertiesFollow(t *testing.T) {
	const n = manifest.BlockRows + 1000
	db := testDB(t)
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	m := &model{mem: mem, batch: 50000}
	m.schema.Node = arrow.NewSchema([]arrow.Field{{Name: "p", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	for i := range n {
		m.nodes = append(m.nodes, modelNode{id: fmt.Sprint(i), labels: "L", props: []string{fmt.Sprint(i)}})
	}
	m.edges = []modelEdge{{src: "66000", dst: "undeclared"}, {src: "66000", dst: "5"}}
	loadWithin(t, db, m, load.Options{Order: manifest.OrderDegree, Memory: tiny})
	must(t, db.Verify(t.Context(), "g"))
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	nodes, _ := drain(t, s.Source(mem))
	if len(nodes) != n+1 || nodes[0] != "66000L[66000]" || nodes[1] != "5L[5]" || nodes[2] != "undeclared[(null)]" {
		t.Fatalf("%d nodes, %v …", len(nodes), nodes[:3])
	}
	for i, node := range nodes[3:] {
		id, rest, _ := strings.Cut(node, "L")
		if rest != "["+id+"]" {
			t.Fatalf("vertex %d is %s", i+3, node)
		}
	}
}

func TestOrder_Refused(t *testing.T) {
	db := testDB(t)
	nested := edgeModel([2]int{1, 2})
	nested.schema.Node = arrow.NewSchema([]arrow.Field{{Name: "p", Nullable: true,
		Type: arrow.StructOf(arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Int64})}}, nil)
	dense := edgeModel()
	for v := range 300 {
		for i := range 60 {
			dense.edges = append(dense.edges, modelEdge{src: fmt.Sprint(v), dst: fmt.Sprint((v + i) % 300)})
		}
	}
	dense.typedFrom = len(dense.edges)
	for want, c := range map[string]struct {
		*model
		load.Options
	}{
		`order "hare" is unknown; take auto, none, degree, bfs or rabbit`: {edgeModel(), load.Options{Order: "hare"}},
		`order "bfs" needs 152 KiB for the lists of all vertices, more than the 100 KiB allowed; allow more memory, or take degree or none`: {
			dense, load.Options{Order: manifest.OrderBFS, Memory: tiny + 100<<10, ChunkBytes: 1}},
		`order "degree" is not possible: node property "p" of type struct<x: int64> keeps the order of loading; take none`: {
			nested, load.Options{Order: manifest.OrderDegree}},
	} {
		_, err := db.Load(t.Context(), "g", c.model, c.Options)
		var refused *manifest.OrderError
		if !errors.As(err, &refused) || err.Error() != want {
			t.Errorf("error %v, not %s", err, want)
		}
		assertNothingUnnamed(t, db)
	}
	m, err := db.Load(t.Context(), "g", nested, load.Options{})
	must(t, err)
	if m.Order.Taken != manifest.OrderNone || !strings.Contains(m.Order.Why, `"p"`) {
		t.Errorf("%+v", m.Order)
	}
}

// Verify does not believe an order of loading in which a vertex is missing.
func TestOrder_VerifyChecksPlaces(t *testing.T) {
	db := testDB(t)
	s := ordered(t, db, edgeModel([2]int{1, 2}, [2]int{3, 2}), manifest.OrderDegree)
	defer s.Close()
	places := arrays.Wrap(arrow.PrimitiveTypes.Uint32, []uint32{1, 0, 1})
	defer places.Release()
	payload, err := arrays.EncodeBlock(db.mem, arrow.Field{Name: "loaded", Type: arrow.PrimitiveTypes.Uint32}, places)
	must(t, err)
	key := manifest.NamedColumn{Column: s.Manifest().IDs.Loaded, Name: ""}.Piece().Key(0)
	must(t, db.badger.Update(func(txn *badger.Txn) error { return txn.Set(key, layout.Seal(key, payload)) }))
	var damage *failure.DamagedError
	if err := db.Verify(t.Context(), "g"); !errors.As(err, &damage) || damage.Kind != "load order" {
		t.Error(err)
	}
}
