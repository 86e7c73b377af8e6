package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"pgregory.net/rapid"
)

// What goes in comes out, in any order of dense ids: in the order of loading nodes are as
// declared, then the others by id; edges are the same multiset.
func TestLoad_ComesBackOut(t *testing.T) {
	db := testDB(t)
	rapid.Check(t, func(t *rapid.T) {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		defer mem.AssertSize(t, 0)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		in := randomModel(r, mem, rapid.IntRange(0, 30).Draw(t, "vertices"), rapid.IntRange(0, 150).Draw(t, "edges"))
		loadWithin(t, db, in, randomOptions(r))
		check(t, db.Verify(context.Background(), "g"))
		s, err := db.Snapshot("g")
		check(t, err)
		defer s.Close()
		nodes, edges := drain(t, s.Source(mem))
		compare(t, "nodes", wantNodes(in), inLoadOrder(t, s, nodes))
		slices.Sort(edges)
		compare(t, "edges", wantEdges(in, s), edges)
		checkLookups(t, s)
	})
}

func randomOptions(r *rand.Rand) load.Options {
	options := load.Options{Replace: true, Memory: tiny + r.Int64N(40000), ChunkBytes: 1 + r.IntN(1000)}
	options.Order = []manifest.Order{manifest.OrderAuto, manifest.OrderNone, manifest.OrderDegree, manifest.OrderBFS,
		manifest.OrderRabbit}[r.IntN(5)]
	if options.Order == manifest.OrderBFS || options.Order == manifest.OrderRabbit {
		options.Memory += 20000 // for the adjacency
	}
	return options
}

// inLoadOrder is what is given by dense id, by place in the order of loading.
func inLoadOrder[T any](t fataler, s *snapshot.Snapshot, values []T) []T {
	places, err := s.LoadPlaces(context.Background())
	check(t, err)
	if places == nil {
		return values
	}
	ordered := make([]T, len(values))
	for i, place := range places {
		ordered[place] = values[i]
	}
	return ordered
}

// fataler is *testing.T or *rapid.T.
type fataler interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func check(t fataler, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func compare(t fataler, what string, want, got []string) {
	t.Helper()
	if !slices.Equal(want, got) {
		t.Fatalf("%s:\nwant %q\ngot  %q", what, want, got)
	}
}

// drain spells every node and edge of a source.
func drain(t fataler, src formats.Source) (nodes, edges []string) {
	check(t, src.Nodes(context.Background(), func(b *formats.NodeBatch) error {
		for i := range b.ID.Len() {
			labels := ""
			if b.Labels != nil {
				labels = b.Labels[i]
			}
			nodes = append(nodes, fmt.Sprint(b.ID.Text(i), labels, spell(b.Props, i)))
		}
		return nil
	}))
	check(t, src.Edges(context.Background(), func(b *formats.EdgeBatch) error {
		for i := range b.Src.Len() {
			typ := ""
			if b.Types != nil {
				typ = b.Types[i]
			}
			edges = append(edges, fmt.Sprint(b.Src.Text(i), " ", b.Dst.Text(i), " ", typ, spell(b.Props, i)))
		}
		return nil
	}))
	return nodes, edges
}

func spell(props arrow.Record, row int) []string {
	values := []string{}
	if props != nil {
		for _, c := range props.Columns() {
			values = append(values, c.ValueStr(row))
		}
	}
	return values
}

// respell is values as Arrow prints them.
func respell(mem memory.Allocator, schema *arrow.Schema, values []string) []string {
	all := []string{}
	var record arrow.Record
	for j, field := range load.FieldsOf(schema) {
		if values[j] == null {
			all = append(all, null)
			continue
		}
		one := arrow.NewSchema([]arrow.Field{field}, nil)
		_ = withProps(mem, one, [][]string{{values[j]}}, &record, func() error {
			all = append(all, spell(record, 0)...)
			return nil
		})
	}
	return all
}

func wantNodes(m *model) (want []string) {
	declared := map[string]bool{}
	for _, n := range m.nodes {
		declared[n.id] = true
		want = append(want, fmt.Sprint(n.id, n.labels, respell(m.mem, m.schema.Node, n.props)))
	}
	var others []manifest.UserID
	for _, e := range m.edges {
		for _, id := range []string{e.src, e.dst} {
			if !declared[id] {
				declared[id] = true
				others = append(others, manifest.ParseUserID(id))
			}
		}
	}
	slices.SortFunc(others, manifest.CompareIDs)
	nulls := make([]string, len(load.FieldsOf(m.schema.Node)))
	for i := range nulls {
		nulls[i] = null
	}
	for _, id := range others {
		want = append(want, fmt.Sprint(id, "", nulls))
	}
	return want
}

// denseIDs are the dense ids of all user ids.
func denseIDs(s *snapshot.Snapshot) map[string]uint64 {
	ids, err := s.UserIDs(context.Background(), 0, s.Manifest().Vertices)
	if err != nil {
		panic(err)
	}
	dense := map[string]uint64{}
	for i := range ids.Len() {
		dense[ids.Text(i)] = uint64(i)
	}
	return dense
}

// wantEdges spells the model's edges, sorted; undirected ones from the smaller dense id.
func wantEdges(m *model, s *snapshot.Snapshot) (want []string) {
	dense := denseIDs(s)
	for _, e := range m.edges {
		src, dst := e.src, e.dst
		if m.schema.Orientation == formats.Undirected && dense[src] > dense[dst] {
			src, dst = dst, src
		}
		want = append(want, fmt.Sprint(src, " ", dst, " ", e.typ, respell(m.mem, m.schema.Edge, e.props)))
	}
	slices.Sort(want)
	return want
}

func denseOf(s *snapshot.Snapshot, user string) uint64 {
	dense, err := s.Vertex(context.Background(), user)
	if err != nil {
		panic(err)
	}
	return dense
}

// checkLookups: UserIDs and Vertex are inverse, FillIDs agrees, unknown ids are refused.
func checkLookups(t fataler, s *snapshot.Snapshot) {
	ctx, n := context.Background(), s.Manifest().Vertices
	ids, err := s.UserIDs(ctx, 0, n)
	check(t, err)
	filled := make([]int64, n)
	check(t, s.FillIDs(ctx, filled))
	places, err := s.LoadPlaces(ctx)
	check(t, err)
	for i := range int(n) {
		if got := denseOf(s, ids.Text(i)); got != uint64(i) {
			t.Fatalf("vertex %s is %d, not %d", ids.Text(i), got, i)
		}
		want := int64(i)
		if places != nil {
			want = int64(places[i])
		}
		if s.Manifest().IDs.Kind == manifest.IntegerIDs {
			want, _ = ids.At(i)
		}
		if one, err := s.ID(ctx, uint64(i)); err != nil || filled[i] != want || one != want {
			t.Fatalf("id of vertex %d is %d and %d, not %d (%v)", i, filled[i], one, want, err)
		}
	}
	for _, id := range []string{"", "nobody", "9223372036854775807", "zzz"} {
		if _, err := s.Vertex(ctx, id); err == nil {
			t.Fatalf("found vertex %q", id)
		}
	}
}

// The lists of a graph do not depend on how it was loaded, and are what the edges say.
func TestLoad_OptionsDoNotMatter(t *testing.T) {
	long.Unraced(t)
	db := testDB(t)
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		m := randomModel(r, memory.DefaultAllocator, 1+r.IntN(40), rapid.IntRange(0, 300).Draw(t, "edges"))
		for range 3 {
			m.batch = 1 + r.IntN(50)
			m.typedFrom = 0
			loadWithin(t, db, m, randomOptions(r))
			s, err := db.Snapshot("g")
			check(t, err)
			for _, d := range []chunk.Direction{chunk.Out, chunk.In} {
				if want, got := wantLists(m, s, d), readLists(t, s, d); !slices.EqualFunc(want, got, slices.Equal) {
					t.Fatalf("%s-lists:\nwant %v\ngot  %v", d, want, got)
				}
			}
			s.Close()
		}
	})
}

func wantLists(m *model, s *snapshot.Snapshot, d chunk.Direction) [][]uint32 {
	lists := make([][]uint32, s.Manifest().Vertices)
	dense := denseIDs(s)
	for _, e := range m.edges {
		src, dst := dense[e.src], dense[e.dst]
		if d == chunk.Out || !s.Manifest().Directed {
			lists[src] = append(lists[src], uint32(dst))
		}
		if (d == chunk.In && s.Manifest().Directed) || (!s.Manifest().Directed && src != dst) {
			lists[dst] = append(lists[dst], uint32(src))
		}
	}
	for _, list := range lists {
		slices.Sort(list)
	}
	return lists
}

// readLists reads the topology of one direction as a reader of the store does.
func readLists(t fataler, s *snapshot.Snapshot, d chunk.Direction) [][]uint32 {
	lists := make([][]uint32, s.Manifest().Vertices)
	for _, info := range s.Chunks(d) {
		c := readChunk(t, s, info, nil)
		for i := range c.Rows() {
			row := info.Rows.Base + uint64(i)
			if c.Vertices() != nil {
				row = info.Rows.Base + uint64(c.Vertices()[i])
			}
			lists[row] = slices.Clone(c.Neighbors()[c.Offsets()[i]:c.Offsets()[i+1]])
		}
		c.Release()
	}
	return lists
}

func readChunk(t fataler, s *snapshot.Snapshot, info manifest.ChunkInfo, columns []string) *chunk.Chunk {
	size, err := s.ChunkSize(info, columns)
	check(t, err)
	dst := chunk.Aligned(size)
	n, err := s.ReadChunk(context.Background(), info, columns, dst)
	check(t, err)
	c, err := chunk.Open(dst[:n])
	check(t, err)
	return c
}
