package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

func TestLoad_BadInputLeavesNothing(t *testing.T) {
	db := testDB(t)
	declared := func(edges ...[2]int) *model {
		m := edgeModel(edges...)
		m.schema.NodesDeclared = true
		m.nodes = []modelNode{{id: "1"}, {id: "2"}}
		return m
	}
	twice := declared()
	twice.nodes = append(twice.nodes, modelNode{id: "1"})
	broken := declared([2]int{1, 2}, [2]int{2, 1})
	broken.batch, broken.failAfter, broken.failure = 1, 1, errors.New("the disk was unplugged")
	for want, m := range map[string]*model{
		"nodes:3: node 1 is declared a second time; expected each node once": twice,
		"edges:2: edge 2 → 7 names node 7, which is not declared; expected only nodes of the node files": declared([2]int{1,
			2}, [2]int{2, 7}),
		"the disk was unplugged": broken,
	} {
		_, err := db.Load(t.Context(), "g", m, load.Options{Memory: tiny + 1<<10})
		if err == nil || err.Error() != want {
			t.Errorf("error %v, not %s", err, want)
		}
		assertNothingUnnamed(t, db)
	}
	if graphs, err := db.Graphs(); err != nil || len(graphs) > 0 {
		t.Error(graphs, err)
	}
}

func TestLoad_RefusesNegativeIDs(t *testing.T) {
	src := &idSource{edgeModel(), -4}
	var parse *formats.ParseError
	if _, err := testDB(t).Load(t.Context(), "g", src, load.Options{}); !errors.As(err, &parse) ||
		parse.Found != "vertex id -4" {
		t.Error(err)
	}
}

// idSource yields one edge, from id to itself.
type idSource struct {
	*model
	id int64
}

func (s *idSource) Edges(_ context.Context, yield func(*formats.EdgeBatch) error) error {
	b := &formats.EdgeBatch{Where: modelPosition("edges")}
	b.Src.AppendInt(s.id)
	b.Dst.AppendInt(s.id)
	return yield(b)
}

func TestLoad_RefusesNumbersOfNoNode(t *testing.T) {
	for _, number := range []int64{-1, 2, math.MaxInt64} {
		db := testDB(t)
		m := edgeModel([2]int{0, 1})
		m.schema.NodesDeclared = true
		m.nodes = []modelNode{{id: "0"}, {id: "1"}}
		_, err := db.Load(t.Context(), "g", &misnumbered{m, number}, load.Options{})
		var parse *formats.ParseError
		want := fmt.Sprintf("edges:1: an edge of node number %d; expected numbers below 2, of declared nodes", number)
		if !errors.As(err, &parse) || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// misnumbered gives the sources of a model's edges this number.
type misnumbered struct {
	*model
	number int64
}

func (s *misnumbered) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	return s.model.Edges(ctx, func(b *formats.EdgeBatch) error {
		b.SrcNumbers, b.DstNumbers = slices.Repeat([]int64{s.number}, b.Src.Len()), make([]int64, b.Src.Len())
		return yield(b)
	})
}

func TestLoad_RefusesNames(t *testing.T) {
	db := testDB(t)
	var bad *failure.GraphNameError
	for _, name := range []string{"", "a\nb", "\xff", strings.Repeat("x", 256)} {
		if _, err := db.Load(t.Context(), name, edgeModel(), load.Options{}); !errors.As(err, &bad) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestLoad_RefusesTypesItCannotStore(t *testing.T) {
	db := testDB(t)
	dictionary := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	schema := arrow.NewSchema([]arrow.Field{{Name: "p", Type: dictionary}}, nil)
	node, edge := edgeModel(), edgeModel()
	node.schema.Node, edge.schema.Edge = schema, schema
	var property *failure.PropertyError
	if _, err := db.Load(t.Context(), "g", node, load.Options{}); !errors.As(err, &property) {
		t.Error(err)
	}
	var typ *chunk.TypeError
	if _, err := db.Load(t.Context(), "g", edge, load.Options{}); !errors.As(err, &typ) {
		t.Error(err)
	}
}

func TestLoad_Canceled(t *testing.T) {
	db := testDB(t)
	ctx, cancel := context.WithCancel(t.Context())
	m := randomModel(rand.New(rand.NewPCG(1, 1)), memory.DefaultAllocator, 100, 1000)
	m.afterBatch = cancel
	if _, err := db.Load(ctx, "g", m, load.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	assertNothingUnnamed(t, db)
}

func TestLoad_Replace(t *testing.T) {
	db := testDB(t)
	_, err := db.Load(t.Context(), "g", edgeModel([2]int{1, 2}), load.Options{})
	must(t, err)
	var exists *failure.GraphExistsError
	if _, err := db.Load(t.Context(), "g", edgeModel(), load.Options{}); !errors.As(err, &exists) {
		t.Error(err)
	}
	if want := `graph "g" exists already; drop it first, or put the new one in its place with --replace (LoadOptions.Replace)`; exists.Error() != want {
		t.Error(exists)
	}
	m, err := db.Load(t.Context(), "g", edgeModel([2]int{1, 2}, [2]int{2, 3}), load.Options{Replace: true, Source: "test"})
	must(t, err)
	graphs, err := db.Graphs()
	if err != nil || len(graphs) != 1 || graphs[0].ID != m.ID || graphs[0].Edges != 2 || graphs[0].Source != "test" {
		t.Error(graphs, err)
	}
	assertNothingUnnamed(t, db)
}

func TestLoad_Orientation(t *testing.T) {
	db := testDB(t)
	for _, c := range []struct {
		source, user formats.Orientation
		directed     bool
	}{
		{formats.OrientationUnknown, formats.OrientationUnknown, true},
		{formats.Undirected, formats.OrientationUnknown, false},
		{formats.Undirected, formats.Directed, true},
		{formats.Directed, formats.Undirected, false},
	} {
		src := edgeModel([2]int{0, 1}, [2]int{1, 1})
		src.schema.Orientation = c.source
		m, err := db.Load(t.Context(), "g", src, load.Options{Orientation: c.user, Replace: true})
		if err != nil || m.Directed != c.directed || m.Edges != 2 {
			t.Error(c, m, err)
		}
	}
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	degrees := make([]int64, 2)
	for _, d := range []chunk.Direction{chunk.Out, chunk.In, chunk.Both} {
		if err := s.FillDegrees(t.Context(), d, degrees); err != nil || degrees[0] != 1 || degrees[1] != 2 {
			t.Error("a self-loop counts once in a degree:", degrees, err)
		}
	}
}

// More vertices than a block has, declared in an order that is none, with a label, a
// property and an isolated vertex each.
func TestLoad_ManyBlocks(t *testing.T) {
	const n = 2*manifest.BlockRows + 1000
	for _, id := range []func(int) string{
		func(i int) string { return fmt.Sprint(i * 7919 % 1000003) },
		func(i int) string { return fmt.Sprintf("v%d", i*7919%1000003) },
	} {
		db := testDB(t)
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		defer mem.AssertSize(t, 0)
		m := &model{mem: mem, batch: 50000, schema: formats.Schema{
			NodesDeclared: true, Node: arrow.NewSchema([]arrow.Field{{Name: "p", Type: arrow.BinaryTypes.String,
				Nullable: true}}, nil),
		}}
		for i := range n {
			m.nodes = append(m.nodes, modelNode{id: id(i), labels: "L", props: []string{id(i)}})
		}
		m.edges = []modelEdge{{src: id(n - 1), dst: id(0)}}
		_, err := db.Load(t.Context(), "g", m, load.Options{Order: manifest.OrderNone})
		must(t, err)
		must(t, db.Verify(t.Context(), "g"))
		s, err := db.Snapshot("g")
		must(t, err)
		defer s.Close()
		for _, i := range []int{0, 1, manifest.BlockRows - 1, manifest.BlockRows, 2 * manifest.BlockRows, n - 1} {
			if got := denseOf(s, id(i)); got != uint64(i) {
				t.Errorf("vertex %s is %d, not %d", id(i), got, i)
			}
		}
		nodes, _ := drain(t, s.Source(mem))
		if want := fmt.Sprint(id(n-1), "L", []string{id(n - 1)}); len(nodes) != n || nodes[n-1] != want {
			t.Errorf("%d nodes, the last %s, not %s", len(nodes), nodes[n-1], want)
		}
	}
}

// repeated streams a model's edges again and again, until there are this many.
type repeated struct {
	*model
	edges int
}

func (s *repeated) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	b := &formats.EdgeBatch{Where: modelPosition("edges")}
	for b.Src.Len() < formats.BatchRows {
		for _, e := range s.model.edges {
			b.Src.Append(e.src)
			b.Dst.Append(e.dst)
		}
	}
	for sent := 0; sent < s.edges; sent += b.Src.Len() {
		if err := yield(b); err != nil {
			return err
		}
	}
	return nil
}
