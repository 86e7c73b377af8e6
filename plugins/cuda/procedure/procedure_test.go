package procedure_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/procedure"
)

// every test is made for each procedure.
func every(t *testing.T, test func(*testing.T, *rig, *rand.Rand, *algorithms.Algorithm)) {
	for _, name := range procedure.Names() {
		t.Run(name, func(t *testing.T) { test(t, newRig(t), testseed.Rand(t), must(catalog.Lookup(name))(t)) })
	}
}

// bind gives a its defaults and, by chance, what else it takes.
func bind(t *testing.T, random *rand.Rand, a *algorithms.Algorithm, g *algorithms.Graph) algorithms.Args {
	t.Helper()
	params := map[string]string{}
	for _, p := range a.Params {
		switch {
		case g.N() == 0 || p.Name == "maxDegree" || random.IntN(2) == 0: // which is refused before
		case p.Type == algorithms.ParamInt:
			params[p.Name] = strconv.Itoa(1 + random.IntN(6))
		case p.Type == algorithms.ParamVertices:
			params[p.Name] = strconv.FormatInt(g.IDs[random.IntN(g.N())], 10)
		}
	}
	args, err := a.Bind(params, algorithms.Env{Directed: g.Directed, N: g.N(),
		Vertex: func(user string) (int64, error) { return strconv.ParseInt(user, 10, 64) }})
	check(t, err)
	return args
}

// compare runs a on g, cut in several ways: the result is the oracle's, and for all cuts the same bits.
func compare(t *testing.T, r *rig, random *rand.Rand, a *algorithms.Algorithm, g *algorithms.Graph, cuts ...cut) {
	t.Helper()
	args := bind(t, random, a, g)
	want, err := a.Oracle(g, args)
	check(t, err)
	var first []algorithms.Values
	for _, c := range cuts {
		got, err := r.result(t.Context(), a, r.job(random, a, args, g, c))
		r.release()
		if err != nil {
			t.Fatalf("%d vertices, directed %v, cut %+v, %+v: %v", g.N(), g.Directed, c, args, err)
		}
		if first == nil {
			first = got
		}
		if !slices.Equal(got[0].Ints, want[0].Ints) || !same(got[0].Floats, first[0].Floats) {
			t.Errorf("%d vertices, directed %v, cut %+v, %+v: got %v, want %v; cut otherwise it was %v", g.N(), g.Directed, c,
				args, got, want, first)
		}
		if err := a.Verify(g, args, got); err != nil {
			t.Errorf("%d vertices, directed %v, cut %+v, %+v: %v", g.N(), g.Directed, c, args, err)
		}
	}
}

// same compares bits.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

func newGraph(random *rand.Rand, directed bool, n int, pairs ...[2]int) *algorithms.Graph {
	ids := make([]int64, n)
	for i, k := range random.Perm(n) {
		ids[i] = int64(10*k + random.IntN(10))
	}
	var edges []algorithms.Edge
	for _, p := range pairs {
		edges = append(edges, algorithms.Edge{Src: uint32(p[0]), Dst: uint32(p[1])})
	}
	return algorithms.NewGraph(directed, ids, edges)
}

// Random graphs have loops, parallel edges and vertices without edges.
func TestRun_Random(t *testing.T) {
	every(t, func(t *testing.T, r *rig, random *rand.Rand, a *algorithms.Algorithm) {
		for range 6 {
			n := 1 + random.IntN(80)
			pairs := make([][2]int, random.IntN(1+n*(1+random.IntN(6))))
			for i := range pairs {
				pairs[i] = [2]int{random.IntN(n), random.IntN(n)}
			}
			compare(t, r, random, a, newGraph(random, random.IntN(2) == 0, n, pairs...), cuts...)
		}
	})
}

// path leads through all of n vertices.
func path(n int) (pairs [][2]int) {
	for v := range n - 1 {
		pairs = append(pairs, [2]int{v, v + 1})
	}
	return pairs
}

// pairsOf joins circles of two vertices to a chain: as many components, one behind the other.
func pairsOf(n int) (pairs [][2]int) {
	for v := 0; v+1 < n; v += 2 {
		pairs = append(pairs, [2]int{v, v + 1}, [2]int{v + 1, v})
		if v > 0 {
			pairs = append(pairs, [2]int{v - 1, v})
		}
	}
	return pairs
}

// complete joins every two of n vertices.
func complete(n int) (pairs [][2]int) {
	for v := range n {
		for u := range v {
			pairs = append(pairs, [2]int{u, v})
		}
	}
	return pairs
}

func TestRun_Shapes(t *testing.T) {
	every(t, func(t *testing.T, r *rig, random *rand.Rand, a *algorithms.Algorithm) {
		for _, directed := range []bool{true, false} {
			for _, g := range []*algorithms.Graph{
				newGraph(random, directed, 0),
				newGraph(random, directed, 1),
				newGraph(random, directed, 1, [2]int{0, 0}),
				newGraph(random, directed, 130),
				newGraph(random, directed, 4, [2]int{0, 1}, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 1}, [2]int{3, 3}, [2]int{3, 3}),
				newGraph(random, directed, 40, path(40)...),
				newGraph(random, directed, 60, pairsOf(60)...),
				newGraph(random, directed, 70, complete(70)...),
			} {
				compare(t, r, random, a, g, cuts[0], cuts[3])
			}
		}
	})
}

// hubs has two vertices with a long list, by longList's measure, one with a list that a warp's table of labels is
// too small for, and others around them. The second hub is peeled when its leaves have been, and then its neighbor
// that a complete part holds by one edge.
func hubs(random *rand.Rand) (n int, pairs [][2]int) {
	const leaves, hub, all = 4500, 4500, 9005
	for v := 2; v < leaves; v++ {
		pairs = append(pairs, [2]int{0, v})
		if v%9 == 0 {
			pairs = append(pairs, [2]int{v, 1}, [2]int{v, 2 + random.IntN(leaves-2)})
		}
		if v%50 == 0 {
			pairs = append(pairs, [2]int{v, 0})
		}
	}
	for v := hub + 1; v < all-4; v++ {
		pairs = append(pairs, [2]int{hub, v})
	}
	for _, p := range complete(4) {
		pairs = append(pairs, [2]int{all - 4 + p[0], all - 4 + p[1]})
	}
	return all, append(pairs, [2]int{all - 5, all - 4})
}

// The oracles of most go over all pairs of a hub's neighbors, or all pairs of vertices.
func TestRun_Hubs(t *testing.T) {
	every(t, func(t *testing.T, r *rig, random *rand.Rand, a *algorithms.Algorithm) {
		n, pairs := hubs(random)
		for _, directed := range []bool{true, false} {
			g := newGraph(random, directed, n, pairs...)
			args := algorithms.Args{Directed: directed, Ints: map[string]int64{"iterations": 2},
				Vertices: map[string][]int64{"source": {g.IDs[0], g.IDs[9], g.IDs[450]}}}
			got, err := r.result(t.Context(), a, r.job(random, a, args, g, cuts[2]))
			check(t, err)
			if err := a.Verify(g, args, got); err != nil {
				t.Errorf("directed %v: %v", directed, err)
			}
			r.release()
		}
	})
}

// Between two vertices of this chain there are more paths than a double can count.
func TestRun_TooManyPaths(t *testing.T) {
	r, random := newRig(t), testseed.Rand(t)
	var pairs [][2]int
	for v := range 104 {
		for range 1000 {
			pairs = append(pairs, [2]int{v, v + 1})
		}
	}
	g := newGraph(random, true, 105, pairs...)
	a := must(catalog.Lookup("betweenness"))(t)
	args := algorithms.Args{Directed: true, Vertices: map[string][]int64{"source": {g.IDs[0]}}}
	_, err := r.result(t.Context(), a, r.job(random, a, args, g, cuts[0]))
	if plugins.KindOf(err) != plugins.KindUnsupported {
		t.Errorf("got %v; want an error of kind unsupported", err)
	}
}

// A context that ends, before or within, ends a run.
func TestRun_Cancel(t *testing.T) {
	every(t, func(t *testing.T, r *rig, random *rand.Rand, a *algorithms.Algorithm) {
		g := newGraph(random, true, 60, append(pairsOf(60), complete(10)...)...)
		for _, before := range []bool{true, false} {
			ctx, cancel := context.WithCancel(t.Context())
			job := r.job(random, a, bind(t, random, a, g), g, cuts[0])
			job.Tell = func(float64) { cancel() }
			if before {
				cancel()
			}
			if _, err := procedure.Run(ctx, a.Name, job); !errors.Is(err, context.Canceled) {
				t.Errorf("canceled before %v: got %v; want %v", before, err, context.Canceled)
			}
			cancel()
			check(t, r.stream.Synchronize())
			r.release()
		}
	})
}

// Fractions ascend, and none is above 1.
func TestRun_Progress(t *testing.T) {
	every(t, func(t *testing.T, r *rig, random *rand.Rand, a *algorithms.Algorithm) {
		g := newGraph(random, true, 60, pairsOf(60)...)
		job, told := r.job(random, a, bind(t, random, a, g), g, cuts[0]), []float64{0}
		job.Tell = func(fraction float64) { told = append(told, fraction) }
		_, err := procedure.Run(t.Context(), a.Name, job)
		check(t, err)
		if len(told) < 2 || !slices.IsSorted(told) || told[len(told)-1] > 1 {
			t.Errorf("told %v", told)
		}
	})
}

// Chunks that have more edges than the graph are refused, before they overrun what is charged for them.
func TestRun_TooManyEdges(t *testing.T) {
	every(t, func(t *testing.T, r *rig, random *rand.Rand, a *algorithms.Algorithm) {
		g := newGraph(random, true, 60, pairsOf(60)...)
		job := r.job(random, a, bind(t, random, a, g), g, cuts[0])
		job.Chunks = slices.Concat(job.Chunks, job.Chunks)
		if _, err := procedure.Run(t.Context(), a.Name, job); plugins.KindOf(err) != plugins.KindChunk {
			t.Errorf("got %v; want an error of kind chunk", err)
		}
	})
}

func TestScratch_Refused(t *testing.T) {
	if _, err := procedure.Scratch("pagerank", plugins.Graph{}); plugins.KindOf(err) != plugins.KindUnsupported {
		t.Errorf("pagerank: got %v; want an error of kind unsupported", err)
	}
	for _, name := range procedure.Names() {
		if _, err := procedure.Scratch(
			name, plugins.Graph{Vertices: math.MaxUint32}); plugins.KindOf(err) != plugins.KindUnsupported {
			t.Errorf("%s of 2³² vertices: got %v; want an error of kind unsupported", name, err)
		}
	}
}
