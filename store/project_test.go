package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// A part has the nodes and relationships that its definition says, in the order of the whole, and nothing else; and
// nothing of it stays.
func TestProject_IsWhatItSays(t *testing.T) {
	db := testDB(t)
	rapid.Check(t, func(t *rapid.T) {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		defer mem.AssertSize(t, 0)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		in := randomModel(r, mem, rapid.IntRange(0, 30).Draw(t, "vertices"), rapid.IntRange(0, 150).Draw(t, "edges"))
		loadWithin(t, db, in, randomOptions(r))
		whole, err := db.Snapshot("g")
		check(t, err)
		p := randomProjection(r, whole.Manifest())
		part, err := db.Project(context.Background(), whole, p)
		check(t, err)
		wantNodes, wantEdges := projected(t, whole, p)
		nodes, edges := drain(t, part.Source(mem))
		slices.Sort(wantEdges)
		slices.Sort(edges)
		compare(t, "nodes of "+p.String(), wantNodes, nodes)
		compare(t, "edges of "+p.String(), wantEdges, edges)
		checkLookups(t, part.Snapshot)
		checkOrder(t, part)
		part.Close()
		live, err := db.live()
		check(t, err)
		keys, err := live.Unnamed(context.Background(), db.badger)
		if check(t, err); len(keys) > 0 {
			t.Fatalf("%d values of the part stay", len(keys))
		}
	})
}

func randomProjection(r *rand.Rand, m *manifest.Manifest) (p Projection) {
	some := func(names []string) (chosen []string) {
		for _, name := range names {
			if r.IntN(2) == 0 {
				chosen = append(chosen, name)
			}
		}
		return chosen
	}
	var labels []string
	for _, label := range []string{"Person", "City", "Place"} {
		if slices.ContainsFunc(m.LabelSets.Sets, func(set string) bool {
			return slices.Contains(strings.Split(set, ";"), label)
		}) {
			labels = append(labels, label)
		}
	}
	p.Labels, p.Types = some(labels), some(m.Types)
	p.Orientation = Orientation(append(Orientations, "")[r.IntN(4)])
	return p
}

// projected is the definition of a part, as drain tells a source.
func projected(t fataler, whole *snapshot.Snapshot, p Projection) (nodes, edges []string) {
	in := map[string]int{} // by id, the order
	one := func(set string, of []string) bool {
		return len(of) == 0 || slices.ContainsFunc(strings.Split(set, ";"), func(name string) bool {
			return name != "" && slices.Contains(of, name)
		})
	}
	src := whole.Source(nil)
	check(t, src.Nodes(context.Background(), func(b *formats.NodeBatch) error {
		for i := range b.ID.Len() {
			labels := ""
			if b.Labels != nil {
				labels = b.Labels[i]
			}
			if one(labels, p.Labels) {
				in[b.ID.Text(i)] = len(in)
				nodes = append(nodes, fmt.Sprint(b.ID.Text(i), labels, spell(b.Props, i)))
			}
		}
		return nil
	}))
	check(t, src.Edges(context.Background(), func(b *formats.EdgeBatch) error {
		for i := range b.Src.Len() {
			from, to, typ := b.Src.Text(i), b.Dst.Text(i), ""
			if b.Types != nil {
				typ = b.Types[i]
			}
			a, has := in[from]
			z, have := in[to]
			if !has || !have || !one(typ, p.Types) {
				continue
			}
			undirected := !whole.Manifest().Directed || p.Orientation == "undirected"
			if undirected && a > z || !undirected && p.Orientation == "reverse" {
				from, to = to, from
			}
			edges = append(edges, fmt.Sprint(from, " ", to, " ", typ, spell(b.Props, i)))
		}
		return nil
	}))
	return nodes, edges
}

// checkOrder: the order of loading is that of the whole.
func checkOrder(t fataler, part *Part) {
	ctx := context.Background()
	of := func(s *snapshot.Snapshot) func(uint64) uint64 {
		places, err := s.LoadPlaces(ctx)
		check(t, err)
		return func(dense uint64) uint64 {
			if places == nil {
				return dense
			}
			return uint64(places[dense])
		}
	}
	inPart, inWhole := of(part.Snapshot), of(part.Whole())
	for a := range part.Manifest().Vertices {
		for b := range a {
			if (inPart(a) < inPart(b)) != (inWhole(part.Vertex(a)) < inWhole(part.Vertex(b))) {
				t.Fatalf("vertices %d and %d are loaded in another order than in the whole", a, b)
			}
		}
	}
}

// What is not there is named, with what is, and nothing is begun.
func TestProject_Unknown(t *testing.T) {
	db := testDB(t)
	mustLoad(t, db, townsAndPeople())
	for _, c := range []struct {
		p    Projection
		want string
	}{
		{Projection{Labels: []string{"Person", "Persn"}},
			`graph "g" has no label "Persn" (did you mean "Person"?); it has Person, City, Place`},
		{Projection{Types: []string{"LIKES"}}, `graph "g" has no relationship type "LIKES"; it has KNOWS, IN`},
		{Projection{Orientation: "both"}, `orientation "both": expected natural, reverse, undirected`},
	} {
		whole, err := db.Snapshot("g")
		must(t, err)
		if _, err = db.Project(t.Context(), whole, c.p); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v; want %s", c.p, err, c.want)
		}
		whole.Close()
	}
}

// townsAndPeople is a graph of two people who know each other and live in two cities.
func townsAndPeople() *model {
	return &model{mem: memory.DefaultAllocator, batch: 100,
		schema: formats.Schema{Orientation: formats.Directed, Vertices: -1, Edges: -1},
		nodes:  []modelNode{{"1", "Person", nil}, {"2", "City;Place", nil}, {"3", "Person", nil}, {"4", "City;Place", nil}},
		edges:  []modelEdge{{"1", "3", "KNOWS", nil}, {"1", "2", "IN", nil}, {"3", "4", "IN", nil}},
	}
}

func mustLoad(t *testing.T, db *DB, m *model) {
	t.Helper()
	_, err := db.Load(t.Context(), "g", m, load.Options{})
	must(t, err)
}

// What a part's vertices got, others keep, as far as they have it of the same name and type.
func TestProject_WritesBesideOthers(t *testing.T) {
	db := testDB(t)
	mustLoad(t, db, townsAndPeople())
	write := func(label string, values arrow.Array) {
		t.Helper()
		defer values.Release()
		whole, err := db.Snapshot("g")
		must(t, err)
		part, err := db.Project(t.Context(), whole, Projection{Labels: []string{label}})
		must(t, err)
		defer part.Close()
		_, err = part.WriteProperties(t.Context(), []PropertyColumn{{"rank", values}}, manifest.Provenance{})
		must(t, err)
	}
	ints := func(values ...int64) arrow.Array { return arrays.Wrap(arrow.PrimitiveTypes.Int64, values) }
	check := func(want string) {
		t.Helper()
		whole, err := db.Snapshot("g")
		must(t, err)
		defer whole.Close()
		must(t, whole.NodeProperty(t.Context(), "rank", func(_ uint64, values arrow.Array) error {
			if got := fmt.Sprint(values); got != want {
				t.Errorf("the property is %s; want %s", got, want)
			}
			return nil
		}))
	}
	write("Person", ints(10, 30))
	check("[10 (null) 30 (null)]")
	write("City", ints(20, 40))
	check("[10 20 30 40]")
	write("Person", ints(11, 31))
	check("[11 20 31 40]")
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	b.AppendValues([]string{"x", "y"}, nil)
	write("City", b.NewArray())
	check(`[(null) "x" (null) "y"]`)
}

// Writing what was computed on a part fails when the whole has changed.
func TestProject_WriteOfOldIsAConflict(t *testing.T) {
	db := testDB(t)
	mustLoad(t, db, townsAndPeople())
	whole, err := db.Snapshot("g")
	must(t, err)
	part, err := db.Project(t.Context(), whole, Projection{Labels: []string{"Person"}})
	must(t, err)
	defer part.Close()
	must(t, writeMark(db, whole, 1))
	column := arrays.Wrap(arrow.PrimitiveTypes.Int64, []int64{1, 2})
	defer column.Release()
	_, err = part.WriteProperties(t.Context(), []PropertyColumn{{"rank", column}}, manifest.Provenance{})
	if !errors.Is(err, ErrConflict) {
		t.Fatalf("wrote to a graph that has changed: %v", err)
	}
}

// A part of a process that was killed is gone when the database is opened again.
func TestProject_Killed(t *testing.T) {
	dir := scratch(t)
	reopen(t, dir, func(db *DB) { must(t, crashLoad(db, "old", 1)) })
	for _, delay := range []time.Duration{0, 10 * time.Millisecond, 200 * time.Millisecond} {
		if !runAndKill(t, dir, "project", 1, delay) {
			t.Fatal("the child ended by itself")
		}
		reopen(t, dir, func(db *DB) {
			assertNothingUnnamed(t, db)
			must(t, db.Verify(t.Context(), "old"))
		})
	}
}
