package graph500

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

// generate drains a graph with leak-checked memory.
func generate(t testing.TB, opts Options) *sourcetest.Graph {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	opts.Allocator = mem
	src, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	g, err := sourcetest.Read(t, src) // checks the promised counts
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestPermutation_IsBijective(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		scale := rapid.IntRange(0, 12).Draw(rt, "scale")
		p := newPermutation(scale, rapid.Uint64().Draw(rt, "seed"))
		seen := make([]bool, 1<<scale)
		for x := range seen {
			y := p.apply(uint64(x))
			if y >= uint64(len(seen)) || seen[y] {
				rt.Fatalf("scale %d: %d goes to %d, out of range or taken", scale, x, y)
			}
			seen[y] = true
		}
	})
}

func TestNew_SameSeedSameGraph(t *testing.T) {
	for _, kind := range []Kind{RMAT, Uniform} {
		opts := Options{Kind: kind, Scale: 10, EdgeFactor: 8, Seed: 42, Weights: true}
		first, second := generate(t, opts), generate(t, opts)
		if !slices.EqualFunc(first.Edges, second.Edges, equal) {
			t.Errorf("%s: the same options give two graphs", kind)
		}
		opts.Seed++
		other := generate(t, opts)
		same := 0
		for i := range first.Edges {
			if first.Edges[i].Src == other.Edges[i].Src && first.Edges[i].Dst == other.Edges[i].Dst {
				same++
			}
		}
		if same > len(first.Edges)/100 {
			t.Errorf("%s: %d of %d edges are the same with another seed", kind, same, len(first.Edges))
		}
	}
}

func equal(a, b sourcetest.Edge) bool {
	return a.Src == b.Src && a.Dst == b.Dst && slices.Equal(a.Values, b.Values)
}

// An edge depends on its number only, not on those drawn before.
func TestEdgeDraw_AnyOrder(t *testing.T) {
	draw := newEdgeDraw(Options{Kind: RMAT, Scale: 16, Seed: 7})
	type edge struct {
		src, dst int64
		weight   float64
	}
	var forward, backward []edge
	for i := range uint64(1000) {
		src, dst, w := draw.edge(i)
		forward = append(forward, edge{src, dst, w})
	}
	for i := range uint64(1000) {
		src, dst, w := draw.edge(999 - i)
		backward = append(backward, edge{src, dst, w})
	}
	slices.Reverse(backward)
	if !slices.Equal(forward, backward) {
		t.Error("edges depend on the order in which they are drawn")
	}
}

// The share of each quadrant, on each level, is that of the specification. Over
// 200,000 draws the standard deviation is at most 0.0011.
func TestRandom_RMATQuadrants(t *testing.T) {
	const draws, scale = 200_000, 5
	counts := [scale][4]int{}
	r := random{state: 1}
	for range draws {
		from, to := r.rmat(scale)
		for level := range scale {
			counts[level][from>>level&1<<1|to>>level&1]++
		}
	}
	for level, quadrants := range counts {
		for q, want := range []float64{0.57, 0.19, 0.19, 0.05} {
			if got := float64(quadrants[q]) / draws; math.Abs(got-want) > 0.006 {
				t.Errorf("level %d, quadrant %d: %.4f, want %.2f", level, q, got, want)
			}
		}
	}
}

// RMAT has hubs and many vertices without edges; a uniform graph has neither. Both
// reach the ends of the id range, and hubs are not the smallest ids.
func TestNew_DegreeSkew(t *testing.T) {
	const scale, factor = 12, 16
	degrees := func(kind Kind) []int {
		degree := make([]int, 1<<scale)
		draw := newEdgeDraw(Options{Kind: kind, Scale: scale, Seed: 3})
		for i := range uint64(factor << scale) {
			src, dst, _ := draw.edge(i)
			degree[src]++
			degree[dst]++
		}
		return degree
	}
	rmat, uniform := degrees(RMAT), degrees(Uniform)
	if hub := slices.Max(rmat); hub < 20*2*factor {
		t.Errorf("largest degree of RMAT is %d", hub)
	}
	if hub := slices.Max(uniform); hub > 3*2*factor {
		t.Errorf("largest degree of a uniform graph is %d", hub)
	}
	isolated := func(degree []int) int {
		return len(slices.DeleteFunc(slices.Clone(degree), func(d int) bool { return d > 0 }))
	}
	if a, b := isolated(rmat), isolated(uniform); a < 1<<scale/10 || b > 0 {
		t.Errorf("%d and %d isolated vertices", a, b)
	}
	if slices.Index(rmat, slices.Max(rmat)) == 0 {
		t.Error("vertex 0 is the hub: ids are not scrambled")
	}
}

func TestNew_Weights(t *testing.T) {
	g := generate(t, Options{Kind: Uniform, Scale: 12, EdgeFactor: 4, Seed: 1, Weights: true})
	seen := map[float64]int{}
	for _, e := range g.Edges {
		seen[e.Values[0]]++
	}
	if len(seen) != 255 || seen[1] == 0 || seen[255] == 0 {
		t.Errorf("%d different weights of 1 to 255", len(seen))
	}
}

func TestNew_SmallestGraph(t *testing.T) {
	for _, kind := range []Kind{RMAT, Uniform} {
		if g := generate(t, Options{Kind: kind, Scale: 0, EdgeFactor: 2}); !slices.Equal(g.Pairs(), []string{"0→0", "0→0"}) {
			t.Errorf("%s: %v", kind, g.Pairs())
		}
	}
}

func TestNew_Bad(t *testing.T) {
	for want, opts := range map[string]Options{
		`generate: kind is "tree"; expected rmat or uniform`: {Kind: "tree", Scale: 3, EdgeFactor: 1},
		"generate: scale is 41; expected 0 to 40":            {Kind: RMAT, Scale: 41, EdgeFactor: 1},
		"generate: scale is -1; expected 0 to 40":            {Kind: RMAT, Scale: -1, EdgeFactor: 1},
		"generate: edge factor is 0; expected 1 to 1048576":  {Kind: RMAT, Scale: 3},
	} {
		_, err := New(opts)
		var option *OptionError
		if !errors.As(err, &option) || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func ExampleNew() {
	src, err := New(Options{Kind: RMAT, Scale: 20, EdgeFactor: DefaultEdgeFactor, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer src.Close()
	schema := src.Schema()
	fmt.Println(schema.Vertices, schema.Edges, schema.Orientation == formats.Undirected)
	// Output: 1048576 16777216 true
}

func BenchmarkEdge(b *testing.B) {
	for _, kind := range []Kind{RMAT, Uniform} {
		b.Run(string(kind), func(b *testing.B) {
			draw := newEdgeDraw(Options{Kind: kind, Scale: 20, Seed: 1})
			var sum int64
			for number := uint64(0); b.Loop(); number++ {
				src, dst, _ := draw.edge(number)
				sum += src ^ dst
			}
			_ = sum
		})
	}
}
