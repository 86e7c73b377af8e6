package stats

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graphtest"
	"github.com/penstock-db/penstock/internal/scratch"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// sample is edges between vertices 0 to n-1, with loops and parallel ones.
type sample struct {
	n        int
	edges    [][2]int
	directed bool
}

func randomSample(rng *rand.Rand) sample {
	s := sample{n: 1 + rng.IntN(300), directed: rng.IntN(2) == 0}
	for range rng.IntN(1500) {
		s.edges = append(s.edges, [2]int{rng.IntN(1 + rng.IntN(s.n)), rng.IntN(1 + rng.IntN(s.n))})
	}
	return s
}

func testDB(t *testing.T) *store.DB {
	t.Helper()
	db, err := store.Open(scratch.Dir(t), store.Options{Create: true})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

// snapshot stores the sample in an order, in many chunks.
func (s sample) snapshot(t *testing.T, db *store.DB, order store.Order) *store.Snapshot {
	t.Helper()
	g := &graphtest.Graph{NodesDeclared: true, IntegerIDs: true}
	for v := range s.n {
		g.Nodes = append(g.Nodes, graphtest.Node{ID: strconv.Itoa(v)})
	}
	for _, e := range s.edges {
		g.Edges = append(g.Edges, graphtest.Edge{Src: strconv.Itoa(e[0]), Dst: strconv.Itoa(e[1])})
	}
	options := store.LoadOptions{Orientation: formats.Undirected, Order: order, ChunkBytes: 1 << 10, Replace: true}
	if s.directed {
		options.Orientation = formats.Directed
	}
	_, err := db.Load(t.Context(), "g", g.Source(memory.DefaultAllocator, 100), options)
	must(t, err)
	snapshot, err := db.Snapshot("g")
	must(t, err)
	t.Cleanup(snapshot.Close)
	return snapshot
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// matrix is how many list entries lead from one vertex to another.
func (s sample) matrix() [][]uint64 {
	m := make([][]uint64, s.n)
	for v := range m {
		m[v] = make([]uint64, s.n)
	}
	for _, e := range s.edges {
		m[e[0]][e[1]]++
		if !s.directed && e[0] != e[1] {
			m[e[1]][e[0]]++
		}
	}
	return m
}

// degrees are the sums of the rows, and of the columns.
func degrees(m [][]uint64) (out, in []uint32) {
	out, in = make([]uint32, len(m)), make([]uint32, len(m))
	for v, row := range m {
		for u, entries := range row {
			out[v] += uint32(entries)
			in[u] += uint32(entries)
		}
	}
	return out, in
}

func TestOf_IsWhatTheMatrixSays(t *testing.T) {
	rng, db := testseed.Rand(t), testDB(t)
	for range 25 {
		s := randomSample(rng)
		r, err := Of(t.Context(), s.snapshot(t, db, store.OrderNone), Options{})
		must(t, err)
		m := s.matrix()
		out, in := degrees(m)
		want := []Distribution{newDistribution("degree", out)}
		if s.directed {
			want = []Distribution{newDistribution("out-degree", out), newDistribution("in-degree", in)}
		}
		if !reflect.DeepEqual(r.Degrees, want) {
			t.Fatalf("%+v: degrees %+v, not %+v", s, r.Degrees, want)
		}
		isolated, entries, cells := uint64(0), uint64(0), 0.0
		spied := make([]uint64, r.AsStored.Side*r.AsStored.Side)
		for v, row := range m {
			if out[v]+in[v] == 0 {
				isolated++
			}
			for u, n := range row {
				entries += n
				cells += float64(min(n, 1))
				spied[v*r.AsStored.Side/s.n*r.AsStored.Side+u*r.AsStored.Side/s.n] += n
			}
		}
		whole := r.Cores[0]
		if r.Isolated != isolated || whole.Entries != entries || whole.Linked+isolated != uint64(s.n) {
			t.Errorf("%+v: %d isolated, not %d; all: %+v, not %d entries", s, r.Isolated, isolated, whole, entries)
		}
		if n := float64(s.n); r.Density != cells/n/n {
			t.Errorf("%+v: density %g, not %g", s, r.Density, cells/n/n)
		}
		if !slices.Equal(r.AsStored.Entries, spied) {
			t.Errorf("%+v: seen from far it is %v, not %v", s, r.AsStored.Entries, spied)
		}
	}
}

// TestOf_WhateverTheOrder: of the order in which vertices are stored only AsStored and Windows
// tell, and who is in a core among those of one degree.
func TestOf_WhateverTheOrder(t *testing.T) {
	db := testDB(t)
	s := randomSample(testseed.Rand(t))
	want, err := Of(t.Context(), s.snapshot(t, db, store.OrderNone), Options{})
	must(t, err)
	for _, order := range []store.Order{store.OrderDegree, store.OrderBFS, store.OrderRabbit} {
		got, err := Of(t.Context(), s.snapshot(t, db, order), Options{})
		must(t, err)
		if got.Order != order || got.Isolated != want.Isolated || got.Density != want.Density ||
			!reflect.DeepEqual(got.Degrees, want.Degrees) || got.Cores[0] != want.Cores[0] {
			t.Errorf("%s: %+v, not %+v", order, got, want)
		}
		if (len(got.Windows) > 0) != (order == store.OrderRabbit) {
			t.Errorf("%s: windows %+v", order, got.Windows)
		}
	}
}

// TestOf_SparserCore: a clique of low degrees beside stars, whose centers have no edge among them.
func TestOf_SparserCore(t *testing.T) {
	s := sample{n: 1000}
	for v := range 10 {
		for leaf := range 50 {
			s.edges = append(s.edges, [2]int{v, 100 + 50*v + leaf})
		}
		s.edges = append(s.edges, [2]int{v, (v + 1) % 10})
	}
	for v := 10; v < 50; v++ {
		for u := 10; u < v; u++ {
			s.edges = append(s.edges, [2]int{v, u})
		}
	}
	r, err := Of(t.Context(), s.snapshot(t, testDB(t), store.OrderNone), Options{Shares: []float64{0.05, 0.01}})
	must(t, err)
	if all, five, one := r.Cores[0], r.Cores[1], r.Cores[2]; all.Sparser || five.Sparser || !one.Sparser ||
		one.Density >= five.Density {
		t.Errorf("%+v", r.Cores)
	}
}

func TestOf_Empty(t *testing.T) {
	db := testDB(t)
	for _, s := range []sample{{n: 1}, {n: 7, directed: true}} {
		r, err := Of(t.Context(), s.snapshot(t, db, store.OrderRabbit), Options{})
		must(t, err)
		if r.Isolated != uint64(s.n) || r.Density != 0 || r.Cores[0].Linked != 0 {
			t.Errorf("%+v", r)
		}
		drawn(t, r)
	}
	must(t, db.CreateGraph(t.Context(), "none"))
	snapshot, err := db.Snapshot("none")
	must(t, err)
	defer snapshot.Close()
	r, err := Of(t.Context(), snapshot, Options{})
	must(t, err)
	drawn(t, r)
}

func TestOf_Refuses(t *testing.T) {
	snapshot := sample{n: 3}.snapshot(t, testDB(t), store.OrderNone)
	for _, shares := range [][]float64{{0}, {-0.1}, {1.01}, make([]float64, mostShares+1)} {
		var wrong *OptionError
		if _, err := Of(t.Context(), snapshot, Options{Shares: shares}); !errors.As(err, &wrong) {
			t.Error(shares, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Of(ctx, snapshot, Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
