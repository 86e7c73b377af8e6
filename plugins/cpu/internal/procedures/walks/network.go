package walks

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/embedding"
	"github.com/penstock-db/penstock/algorithms/random"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// Network is what walks go along. Its vertices are numbered by ascending ids, so that walks do not depend on the order
// of storage.
type Network struct {
	Places []uint32 // of each vertex in the graph

	starts    []uint64 // of each list, and the end of the last
	neighbors []uint32 // ascending in a list
	sums      []float64
	symmetric bool // an edge leads back wherever one leads
}

type entry struct {
	to     uint32
	weight float64
}

// oriented are the lists that walks follow: the degrees of vertices in them, and the chunks that have them.
func oriented(f procedures.Input) (degrees [][]int64, follows func(*csr.Chunk) bool) {
	out, in := f.Columns["out_degree"].Ints, f.Columns["in_degree"].Ints
	switch orientation := f.Args.Strings["orientation"]; {
	case !f.Graph.Directed:
		return [][]int64{out}, func(*csr.Chunk) bool { return true }
	case orientation == "natural":
		return [][]int64{out}, (*csr.Chunk).Out
	case orientation == "reverse":
		return [][]int64{in}, func(c *csr.Chunk) bool { return !c.Out() }
	}
	return [][]int64{out, in}, func(*csr.Chunk) bool { return true }
}

// Require fails where the columns are not there that NetworkBytes and NewNetwork read.
func Require(f procedures.Input, more ...algorithms.Column) error {
	if f.N > math.MaxInt32 {
		return plugins.Errorf(plugins.KindUnsupported, "walks of %d vertices: up to %d", f.N, math.MaxInt32)
	}
	integers := func(name string) algorithms.Column { return algorithms.Column{Name: name, Type: algorithms.Int} }
	return f.Columns.Require(append(more, integers("id"), integers("out_degree"), integers("in_degree"))...)
}

// NetworkBytes is what NewNetwork allocates.
func NetworkBytes(f procedures.Input) uint64 {
	degrees, _ := oriented(f)
	entries, longest := int64(0), int64(0)
	for v := range f.N {
		degree := int64(0)
		for _, d := range degrees {
			degree += d[v]
		}
		entries, longest = entries+degree, max(longest, degree)
	}
	each := uint64(4)
	if f.Args.Strings["weight"] != "" {
		each += 8
	}
	return 16*uint64(f.N) + 8 + each*uint64(entries) + 16*uint64(longest)*uint64(f.Pool.Threads)
}

// NewNetwork reads all chunks. It fails for weights that no walk can go by.
func NewNetwork(ctx context.Context, f procedures.Input, chunks []*csr.Chunk, part procedures.Progress) (*Network,
	error) {
	degrees, follows := oriented(f)
	var followed []*csr.Chunk
	for _, c := range chunks {
		if follows(c) {
			followed = append(followed, c)
		}
	}
	n := &Network{symmetric: !f.Graph.Directed || len(degrees) > 1}
	numbers := n.number(f.Columns["id"].Ints)
	n.starts = make([]uint64, f.N+1)
	for v, number := range numbers {
		for _, d := range degrees {
			n.starts[number+1] += uint64(d[v])
		}
	}
	for v := range f.N {
		n.starts[v+1] += n.starts[v]
	}
	n.neighbors = make([]uint32, n.starts[f.N])
	if f.Args.Strings["weight"] != "" {
		n.sums = make([]float64, n.starts[f.N])
	}
	lists := make([][]entry, f.Pool.Threads)
	var failed atomic.Pointer[error]
	err := f.Groups(ctx, followed, part, func(worker, from, to int, near []*csr.Chunk) {
		for v := from; v < to && failed.Load() == nil; v++ {
			list := gather(lists[worker][:0], v, near, numbers)
			lists[worker] = list
			if err := n.fill(numbers[v], list, f.Columns["id"].Ints); err != nil {
				failed.CompareAndSwap(nil, &err)
			}
		}
	})
	if wrong := failed.Load(); wrong != nil {
		return nil, *wrong
	}
	return n, err
}

// number finds the place of each vertex, and returns the number of each place.
func (n *Network) number(ids []int64) (numbers []uint32) {
	n.Places, numbers = make([]uint32, len(ids)), make([]uint32, len(ids))
	for v := range n.Places {
		n.Places[v] = uint32(v)
	}
	if !slices.IsSorted(ids) {
		slices.SortFunc(n.Places, func(a, b uint32) int { return cmp.Compare(ids[a], ids[b]) })
	}
	for v, place := range n.Places {
		numbers[place] = uint32(v)
	}
	return numbers
}

// gather appends what chunks have of the list of v, and sorts it.
func gather(list []entry, v int, near []*csr.Chunk, numbers []uint32) []entry {
	for _, c := range near {
		_, from, to := c.Row(v)
		for i, u := range c.Neighbors[from:to] {
			e := entry{numbers[int(c.Cols.Base)+int(u)], 1}
			if len(c.Weights) > 0 {
				e.weight = c.Weights[0][from+i]
			}
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.weight, b.weight)) })
	return list
}

// fill keeps the list of a vertex.
func (n *Network) fill(v uint32, list []entry, ids []int64) error {
	from, to := n.starts[v], n.starts[v+1]
	id := func(v uint32) int64 { return ids[n.Places[v]] }
	if uint64(len(list)) != to-from {
		return plugins.Errorf(plugins.KindInvalid, "vertex %d has %d edges to follow; its degree says %d", id(v), len(list),
			to-from)
	}
	sum := 0.0
	for i, e := range list {
		n.neighbors[from+uint64(i)] = e.to
		if n.sums == nil {
			continue
		}
		if err := embedding.WalkWeight(id(v), id(e.to), e.weight); err != nil {
			return plugins.Errorf(plugins.KindInvalid, "%w", err)
		}
		sum += e.weight
		n.sums[from+uint64(i)] = sum
	}
	if err := embedding.WalkWeights(id(v), sum); err != nil {
		return plugins.Errorf(plugins.KindInvalid, "%w", err)
	}
	return nil
}

// Begins tells whether there are walks from v.
func (n *Network) Begins(v uint32) bool {
	from, to := n.starts[v], n.starts[v+1]
	return from < to && (n.sums == nil || n.sums[to-1] > 0)
}

// leads tells whether an edge leads from v to x.
func (n *Network) leads(v, x uint32) bool {
	if n.symmetric && n.starts[x+1]-n.starts[x] < n.starts[v+1]-n.starts[v] {
		v, x = x, v
	}
	_, found := slices.BinarySearch(n.neighbors[n.starts[v]:n.starts[v+1]], x)
	return found
}

// draw is a neighbor of v, which has one, by weight.
func (n *Network) draw(v uint32, draws *random.Draws) uint32 {
	list := n.neighbors[n.starts[v]:n.starts[v+1]]
	if n.sums == nil {
		return list[draws.Below(len(list))]
	}
	sums := n.sums[n.starts[v]:n.starts[v+1]]
	return list[Drawn(sums, draws.Share())]
}

// Drawn is the first of ascending sums that is above this share of the last.
func Drawn(sums []float64, share float64) int {
	last := len(sums) - 1
	beyond := share * sums[last]
	return min(sort.Search(last, func(i int) bool { return sums[i] > beyond }), last)
}
