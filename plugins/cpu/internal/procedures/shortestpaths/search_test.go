package shortestpaths

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

const width = 80

// grid is a road map: crossings in rows of width, each joined with those beside it by a road that is up to half as long
// again as it is far. Places are those of its crossings.
func grid(seed uint64) (ids []int64, chunks []*csr.Chunk, places [][]float64) {
	r := rand.New(rand.NewPCG(seed, 0))
	const n = width * width
	lists := make([]map[int]float64, n)
	for v := range lists {
		lists[v] = map[int]float64{}
		ids = append(ids, int64(v))
	}
	join := func(v, u int) {
		lists[v][u] = 1 + r.Float64()/2
		lists[u][v] = lists[v][u]
	}
	x, y := make([]float64, n), make([]float64, n)
	for v := range n {
		if x[v], y[v] = float64(v%width), float64(v/width); v%width > 0 {
			join(v, v-1)
		}
		if v >= width {
			join(v, v-width)
		}
	}
	all := chunk.Interval{Count: n}
	c := &csr.Chunk{Rows: all, Cols: all, Offsets: make([]int32, 1, n+1), Weights: [][]float64{nil}}
	for v := range n {
		for _, u := range []int{v - width, v - 1, v + 1, v + width} {
			if weight, joined := lists[v][u]; joined {
				c.Neighbors, c.Weights[0] = append(c.Neighbors, uint32(u)), append(c.Weights[0], weight)
			}
		}
		c.Offsets = append(c.Offsets, int32(len(c.Neighbors)))
	}
	return ids, []*csr.Chunk{c}, [][]float64{x, y}
}

// dijkstra is how much a way costs, and how many vertices Dijkstra's algorithm settles until it knows.
func dijkstra(t *testing.T, s *side, source, target uint32) (cost float64, settled uint64) {
	t.Helper()
	before := s.settled
	s.begin(source, 0, 0)
	if err := s.reach(t.Context(), map[uint32]bool{target: true}); err != nil {
		t.Fatal(err)
	}
	return s.cost[target], s.settled - before
}

// From both ends, and with coordinates, the same is found by settling fewer vertices.
func TestSearches_SettleFewerThanDijkstra(t *testing.T) {
	const seed = 5
	t.Logf("seed %d", seed)
	ids, chunks, places := grid(seed)
	lists := csr.NewIndex(chunks)
	plain, guided := newSide(ids, lists, true, false), newSide(ids, lists, true, true)
	both := newBothEnds(ids, lists, lists)
	needle := newNeedle(t, len(ids), chunks, places)
	r := rand.New(rand.NewPCG(seed, 1))
	all := uint64(0)
	for range 50 {
		source, target := r.Uint32N(width*width), r.Uint32N(width*width)
		want, settled := dijkstra(t, plain, source, target)
		all += settled
		way, err := both.find(t.Context(), source, target)
		if err != nil || math.Abs(both.ahead.cost[both.middle]+both.back.cost[both.middle]-want) > rounding*want ||
			way[0] != source || way[len(way)-1] != target {
			t.Fatalf("from %d to %d from both ends: %v, %v; expected %v", source, target, way, err, want)
		}
		guided.guide = needle.to(target)
		guided.begin(source, 0, 0)
		if found, err := guided.seek(t.Context(), target, math.Inf(1)); !found || guided.cost[target] != want {
			t.Fatalf("from %d to %d by coordinates: %v, %v; expected %v", source, target, guided.cost[target], err, want)
		}
	}
	if ends := both.ahead.settled + both.back.settled; ends > all*7/10 || ends < all/4 {
		t.Errorf("from both ends %d vertices were settled, %d from one", ends, all)
	}
	if guided.settled > all/2 {
		t.Errorf("with coordinates %d vertices were settled, without %d", guided.settled, all)
	}
}

func newNeedle(t *testing.T, n int, chunks []*csr.Chunk, places [][]float64) *compass {
	t.Helper()
	c := &compass{places: places}
	if err := c.measure(t.Context(), procedures.Input{N: n, Pool: parallel.New(2)}, chunks); err != nil {
		t.Fatal(err)
	}
	return c
}

// Yen's searches begin where Lawler has them, follow the paths that they find, and end beyond those that are wanted.
func TestYen_LooksAtLittle(t *testing.T) {
	const seed, k = 6, 30
	t.Logf("seed %d", seed)
	ids, chunks, _ := grid(seed)
	lists := csr.NewIndex(chunks)
	y := newYen(ids, lists, lists)
	all, err := y.paths(t.Context(), 5*width+9, 70*width+61, k)
	if err != nil || len(all) != k {
		t.Fatal(len(all), err)
	}
	searches, vertices := uint64(1), uint64(0)
	for i, p := range all {
		vertices += uint64(len(p.vertices))
		if i < k-1 {
			searches += uint64(len(p.vertices) - 1 - p.leaves)
		}
	}
	if y.ahead.searches != searches {
		t.Errorf("%d searches for %d paths; expected %d", y.ahead.searches, k, searches)
	}
	t.Logf("%d searches settled %d vertices; the paths have %d", searches, y.ahead.settled, vertices)
	if y.ahead.settled > 6*searches {
		t.Errorf("%d searches settled %d vertices: the distances to the target do not guide them", searches, y.ahead.settled)
	}
}
