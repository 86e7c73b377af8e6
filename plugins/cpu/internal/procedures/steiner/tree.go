package steiner

import (
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/binaryheap"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// tree joins the source with the targets. (Mehlhorn 1988.)
type tree struct {
	procedures.Input
	ids, parent []int64
	weight      []float64
	member      []bool
	sides       []csr.Index // whose lists have all edges of a vertex
	regions     []region
	queue       binaryheap.Heap
	trees       []uint32 // union-find of terminals
	best        []edge   // of each representative, the first edge out of its tree
	edges       []edge   // of the tree
}

// vertexBytes: regions, the queue, trees, their first edges and those taken; rooting has the place of the queue.
const vertexBytes = 32 + 8 + 4 + 24 + 24

func init() {
	procedures.Register("steiner-tree", func(f procedures.Input) (procedures.Procedure, error) {
		if f.N > math.MaxInt32 {
			return nil, plugins.Errorf(plugins.KindUnsupported, "a tree of %d vertices: up to %d", f.N, math.MaxInt32)
		}
		err := f.Columns.Require(algorithms.Column{Name: "id", Type: algorithms.Int},
			algorithms.Column{Name: "parent", Type: algorithms.VertexID},
			algorithms.Column{Name: "weight", Type: algorithms.Float},
			algorithms.Column{Name: "member", Type: algorithms.Bool})
		return &tree{Input: f, ids: f.Columns["id"].Ints, parent: f.Columns["parent"].Ints,
			weight: f.Columns["weight"].Floats, member: f.Columns["member"].Bools}, err
	})
}

// Scratch is what is known of vertices, and the tree.
func (t *tree) Scratch() uint64 { return (vertexBytes + rootingBytes) * uint64(t.N) }

func (t *tree) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	if err := procedures.PathWeights("a Steiner tree", t.ids, chunks); err != nil {
		return 0, err
	}
	t.sides = csr.EitherWay(t.Graph.Directed, chunks)
	source, err := t.begin()
	if err != nil {
		return 0, err
	}
	if err := t.divide(ctx); err != nil {
		return 0, err
	}
	tell(0.5)
	if err := t.join(ctx); err != nil {
		return 0, err
	}
	tell(0.9)
	t.extend()
	t.root(source)
	return 3 * csr.Entries(chunks), ctx.Err()
}

// begin makes each terminal its own region.
func (t *tree) begin() (source uint32, err error) {
	t.regions, t.trees, t.best = make([]region, t.N), make([]uint32, t.N), make([]edge, t.N)
	t.edges = make([]edge, 0, t.N)
	t.queue = binaryheap.New(t.N, func(v, u uint32) bool { return t.before(t.regions[v], t.regions[u]) })
	named := slices.Sorted(slices.Values(t.Args.Vertices["targets"]))
	at := slices.Index(t.ids, t.Args.Ints["source"])
	if at < 0 {
		return 0, plugins.Errorf(plugins.KindInvalid, "the graph has no vertex %d", t.Args.Ints["source"])
	}
	for v, id := range t.ids {
		t.trees[v], t.regions[v] = uint32(v), region{distance: math.Inf(1), base: none, up: none}
		if _, wanted := slices.BinarySearch(named, id); wanted || v == at || named == nil {
			t.regions[v] = region{base: uint32(v), up: none}
			t.queue.Put(uint32(v))
		}
	}
	return uint32(at), nil
}
