package host

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/store"
)

// sample is a graph to store and, the same, to compute with in memory. It is a formats.Source.
type sample struct {
	directed bool
	users    []string // user ids
	edges    []algorithms.Edge
	order    store.Order // to store it in
	grouped  bool        // vertices have the property group
	two      bool        // that has two values
}

// group is a property of whole numbers.
const group = "group"

var nodeSchema = arrow.NewSchema([]arrow.Field{{Name: group, Type: arrow.PrimitiveTypes.Int64, Nullable: true}}, nil)

// groups are the values of the property.
func (s *sample) groups() algorithms.Values {
	values := algorithms.NewValues(algorithms.Column{Name: group, Type: algorithms.Int}, len(s.users))
	for i := range values.Ints {
		if values.Ints[i] = int64(7*i%5 - 2); s.two {
			values.Ints[i] = int64(7 * i % 5 % 2)
		}
	}
	return values
}

// argument is what a parameter may be that needs to be given; empty: it need not.
func (s *sample) argument(rng *rand.Rand, p algorithms.Param) string {
	switch p.Type {
	case algorithms.ParamVertex:
		return s.users[rng.IntN(len(s.users))]
	case algorithms.ParamVertices:
		if p.Optional {
			return ""
		}
		var some []string
		for _, v := range rng.Perm(len(s.users))[:1+rng.IntN(min(3, len(s.users)))] {
			some = append(some, s.users[v])
		}
		return strings.Join(some, ",")
	case algorithms.ParamVertexProperty, algorithms.ParamVectors:
		s.grouped = true
		return group
	}
	if oracletest.Large(p) {
		return "5"
	}
	return ""
}

// random draws a graph of n vertices. Edges have a weight in (0, 1] that is a multiple
// of 1/64, and an integer toll; without strings, ids are scattered integers. Acyclic
// edges lead from lower to higher vertices.
func random(rng *rand.Rand, n, m int, directed, strings, acyclic bool) *sample {
	s := &sample{directed: directed}
	for i, p := range rng.Perm(n) {
		if strings && i%3 == 0 {
			s.users = append(s.users, "v"+strconv.Itoa(p))
		} else {
			s.users = append(s.users, strconv.Itoa(10+7*p))
		}
	}
	for range m {
		u, v := uint32(rng.IntN(n)), uint32(rng.IntN(n))
		if acyclic && u == v {
			continue
		}
		if acyclic && u > v {
			u, v = v, u
		}
		weights := map[string]float64{"weight": float64(1+rng.IntN(64)) / 64, "toll": float64(rng.IntN(9))}
		s.edges = append(s.edges, algorithms.Edge{Src: u, Dst: v, Weights: weights})
	}
	return s
}

var edgeSchema = arrow.NewSchema([]arrow.Field{
	{Name: "weight", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "toll", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
}, nil)

func (s *sample) Schema() formats.Schema {
	schema := formats.Schema{Orientation: formats.Undirected, NodesDeclared: true, Edge: edgeSchema, Vertices: -1,
		Edges: -1}
	if s.directed {
		schema.Orientation = formats.Directed
	}
	if s.grouped {
		schema.Node = nodeSchema
	}
	return schema
}

func (s *sample) Close() error { return nil }

func (s *sample) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	b := batch.NewNodes(ctx, memory.DefaultAllocator, "sample", s.Schema().Node, yield)
	defer b.Release()
	groups := s.groups()
	for i, user := range s.users {
		b.ID.Append(user)
		if s.grouped {
			b.Int(0).Append(groups.Ints[i])
		}
		if err := b.EndRow(int64(i)); err != nil {
			return err
		}
	}
	return b.Flush()
}

func (s *sample) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	b := batch.NewEdges(ctx, memory.DefaultAllocator, "sample", edgeSchema, yield)
	defer b.Release()
	for i, e := range s.edges {
		b.Src.Append(s.users[e.Src])
		b.Dst.Append(s.users[e.Dst])
		b.Float(0).Append(e.Weights["weight"])
		b.Int(1).Append(int64(e.Weights["toll"]))
		if err := b.EndRow(int64(i)); err != nil {
			return err
		}
	}
	return b.Flush()
}

// ids are the `id` values as programs see them.
func (s *sample) ids() []int64 {
	ids := make([]int64, len(s.users))
	for i, user := range s.users {
		n, ok := formats.ParseID(user)
		if !ok {
			for i := range ids {
				ids[i] = int64(i)
			}
			return ids
		}
		ids[i] = n
	}
	return ids
}

// inMemory is the graph for oracles and verifiers.
func (s *sample) inMemory() *algorithms.Graph {
	g := algorithms.NewGraph(s.directed, s.ids(), s.edges)
	g.Properties = map[string]algorithms.Values{group: s.groups()}
	return g
}

// env binds parameters against the graph in memory, independently of the store.
func (s *sample) env() algorithms.Env {
	ids := s.ids()
	return algorithms.Env{Directed: s.directed, N: len(ids),
		MostIn: func() (int64, error) { return s.inMemory().MostIn(), nil }, EdgeColumns: []string{"weight", "toll"},
		VertexColumns: []algorithms.Column{{Name: group, Type: algorithms.Int}},
		Vectors:       []string{group}, VectorWidth: func(string) (int, error) { return 1, nil },
		Vertex: func(user string) (int64, error) {
			for i, u := range s.users {
				if u == user {
					return ids[i], nil
				}
			}
			return 0, &store.UnknownVertexError{Vertex: user}
		}}
}

// stored opens a snapshot of the graph in a fresh database, in chunks of about chunkBytes.
func (s *sample) stored(t testing.TB, chunkBytes int) *store.Snapshot {
	t.Helper()
	return s.storedIn(t, t.TempDir(), chunkBytes)
}

func (s *sample) storedIn(t testing.TB, dir string, chunkBytes int) *store.Snapshot {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	db, err := store.Open(dir, store.Options{Create: true, Allocator: mem})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		mem.AssertSize(t, 0)
	})
	if _, err := db.Load(context.Background(), "g", s,
		store.LoadOptions{ChunkBytes: chunkBytes, Order: s.order}); err != nil {
		t.Fatal(err)
	}
	snap, err := db.Snapshot("g")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Close)
	return snap
}
