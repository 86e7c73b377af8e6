// Package neighbors has the neighbors of all vertices as lists, each edge with a number: what counting patterns of
// edges goes by. It takes 24 bytes an edge and 12 a vertex.
package neighbors

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// Network is a graph whose edges go both ways, without loops and parallel edges.
type Network struct {
	starts    []uint64 // of each vertex' list; there may be gaps between lists
	lengths   []uint32
	neighbors []uint32    // ascending in a list
	edges     []uint32    // the number of the edge to each neighbor
	Ends      [][2]uint32 // of each edge, the smaller vertex first
}

// Bytes is what Read takes for a graph.
func Bytes(g plugins.Graph) uint64 { return 24*g.Edges + 12*g.Vertices + 8 }

// Starts are the places where the list of each vertex begins and the last one ends, when all that chunks have of a
// vertex lies side by side.
func Starts(f procedures.Input, chunks []*csr.Chunk) ([]uint64, error) {
	starts := make([]uint64, f.N+1)
	for _, c := range chunks {
		for row := range len(c.Offsets) - 1 {
			starts[int(c.Rows.Base)+c.Local(row)+1] += uint64(c.Offsets[row+1] - c.Offsets[row])
		}
	}
	for v := range f.N {
		starts[v+1] += starts[v]
	}
	if entries := starts[f.N]; entries > 2*f.Graph.Edges {
		return nil, plugins.Errorf(plugins.KindInvalid, "lists have %d entries, more than %d edges have", entries, f.Graph.Edges)
	}
	return starts, nil
}

// Read makes a network of all chunks of a graph of fewer than 2^31 vertices and edges.
func Read(ctx context.Context, f procedures.Input, chunks []*csr.Chunk, part procedures.Progress) (*Network, error) {
	starts, err := Starts(f, chunks)
	if err != nil {
		return nil, err
	}
	n, entries := &Network{starts: starts, lengths: make([]uint32, f.N)}, starts[f.N]
	n.neighbors, n.edges = make([]uint32, entries), make([]uint32, entries)
	var count atomic.Int64
	err = f.Groups(ctx, chunks, part, func(_, from, to int, near []*csr.Chunk) {
		for v := from; v < to; v++ {
			count.Add(int64(n.gather(v, near)))
		}
	})
	if err != nil {
		return nil, err
	}
	n.Ends = make([][2]uint32, 0, count.Load()/2)
	n.number()
	return n, nil
}

// gather reads the lists of v: each neighbor once.
func (n *Network) gather(v int, near []*csr.Chunk) int {
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
func (n *Network) number() {
	for v := range n.lengths {
		neighbors, edges := n.Of(uint32(v))
		for i, u := range neighbors {
			if u > uint32(v) {
				edges[i] = uint32(len(n.Ends))
				n.Ends = append(n.Ends, [2]uint32{uint32(v), u})
				continue
			}
			back, numbers := n.Of(u)
			at, _ := slices.BinarySearch(back, uint32(v))
			edges[i] = numbers[at]
		}
	}
}

// Of is the list of v: its neighbors, ascending, and the numbers of the edges to them.
func (n *Network) Of(v uint32) (neighbors, edges []uint32) {
	from := n.starts[v]
	to := from + uint64(n.lengths[v])
	return n.neighbors[from:to], n.edges[from:to]
}

// Degree is how many neighbors v has.
func (n *Network) Degree(v uint32) int { return int(n.lengths[v]) }

// Triangles calls visit with the two other edges of each triangle that has edge e. It goes through the shorter of both
// lists, and searches the other.
func (n *Network) Triangles(e uint32, visit func(a, b uint32)) {
	few, fewEdges := n.Of(n.Ends[e][0])
	many, manyEdges := n.Of(n.Ends[e][1])
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
