package ktruss

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// network is a graph whose edges go both ways, without loops and parallel edges.
type network struct {
	starts    []uint64 // of each vertex' list; there may be gaps between lists
	lengths   []uint32
	neighbors []uint32 // ascending in a list
	edges     []uint32 // the number of the edge to each neighbor
	ends      [][2]uint32
}

// read makes a network of all chunks.
func (k *ktruss) read(ctx context.Context, chunks []*csr.Chunk, part procedures.Progress) (*network, error) {
	n := &network{starts: make([]uint64, k.N+1), lengths: make([]uint32, k.N)}
	for _, c := range chunks {
		for row := range len(c.Offsets) - 1 {
			n.starts[int(c.Rows.Base)+c.Local(row)+1] += uint64(c.Offsets[row+1] - c.Offsets[row])
		}
	}
	for v := range k.N {
		n.starts[v+1] += n.starts[v]
	}
	entries := n.starts[k.N]
	if entries > 2*k.Graph.Edges {
		return nil, plugins.Errorf(plugins.KindInvalid, "lists have %d entries, more than %d edges have", entries, k.Graph.Edges)
	}
	n.neighbors, n.edges = make([]uint32, entries), make([]uint32, entries)
	var count atomic.Int64
	err := k.Groups(ctx, chunks, part, func(_, from, to int, near []*csr.Chunk) {
		for v := from; v < to; v++ {
			count.Add(int64(n.gather(v, near)))
		}
	})
	if err != nil {
		return nil, err
	}
	n.ends = make([][2]uint32, 0, count.Load()/2)
	n.number()
	return n, nil
}

// gather reads the lists of v: each neighbor once.
func (n *network) gather(v int, near []*csr.Chunk) int {
	list := n.neighbors[n.starts[v]:n.starts[v]:n.starts[v+1]]
	for _, c := range near {
		for u := range c.Distinct(v) {
			list = append(list, u)
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	n.lengths[v] = uint32(len(list))
	return len(list)
}

// number gives edges their numbers, at the lower end first.
func (n *network) number() {
	for v := range n.lengths {
		neighbors, edges := n.of(uint32(v))
		for i, u := range neighbors {
			if u > uint32(v) {
				edges[i] = uint32(len(n.ends))
				n.ends = append(n.ends, [2]uint32{uint32(v), u})
				continue
			}
			back, numbers := n.of(u)
			at, _ := slices.BinarySearch(back, uint32(v))
			edges[i] = numbers[at]
		}
	}
}

// of is the list of v.
func (n *network) of(v uint32) (neighbors, edges []uint32) {
	from := n.starts[v]
	to := from + uint64(n.lengths[v])
	return n.neighbors[from:to], n.edges[from:to]
}

// triangles calls visit with the two other edges of each triangle that has edge e. It goes through the shorter of both
// lists, and searches the other.
func (n *network) triangles(e uint32, visit func(a, b uint32)) {
	few, fewEdges := n.of(n.ends[e][0])
	many, manyEdges := n.of(n.ends[e][1])
	if len(few) > len(many) {
		few, many, fewEdges, manyEdges = many, few, manyEdges, fewEdges
	}
	for i, w := range few {
		at, found := slices.BinarySearch(many, w)
		if found {
			visit(fewEdges[i], manyEdges[at])
		}
		many, manyEdges = many[at:], manyEdges[at:]
	}
}
