package components

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
	"github.com/penstock-db/penstock/algorithms/internal/position"
)

// blocks are the biconnected components of a graph, as classes of the edges of a spanning forest: the edges of a
// fundamental cycle are in one, and so on. (Whitney, "On the abstract properties of linear dependence", 1935.) Edges go
// both ways; loops do not count. An edge of the forest is named by its lower end.
type blocks struct {
	order  []int // vertices, parents first
	parent []int // in the forest; -1: of a root, which has the smallest id of its component
	depth  []int
	class  []int // union-find: toward the highest edge of a class, or one of several
	size   []int // of a class, at that edge
}

func newBlocks(g *algorithms.Graph) *blocks {
	n := g.N()
	b := &blocks{parent: make([]int, n), depth: make([]int, n), class: make([]int, n), size: make([]int, n)}
	neighbors, visited := neighborhood.All(g), make([]bool, n)
	for _, root := range position.Ascending(g.IDs) {
		if !visited[root] {
			b.parent[root], visited[root] = -1, true
			b.span(root, visited, neighbors)
		}
	}
	for v, near := range neighbors {
		for _, u := range near {
			if int(u) < v && b.parent[v] != int(u) && b.parent[u] != v {
				b.close(v, int(u))
			}
		}
	}
	return b
}

// span searches a component breadth-first.
func (b *blocks) span(root int, visited []bool, neighbors [][]uint32) {
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		b.order, b.class[v], b.size[v] = append(b.order, v), v, 1
		for _, u := range neighbors[v] {
			if !visited[u] {
				visited[u] = true
				b.parent[u], b.depth[u] = v, b.depth[v]+1
				queue = append(queue, int(u))
			}
		}
	}
}

// close makes one class of the edges on the cycle that an edge between v and u closes. Classes are whole parts of the
// tree, so that of those that are met only their tops are gone to.
func (b *blocks) close(v, u int) {
	var met []int
	for v != u {
		if b.depth[v] < b.depth[u] {
			v, u = u, v
		}
		met = append(met, b.find(v))
		v = b.parent[b.find(v)]
	}
	for _, edge := range met {
		b.union(met[0], edge)
	}
}

// find is the edge that stands for the class of an edge.
func (b *blocks) find(edge int) int {
	for b.class[edge] != edge {
		b.class[edge] = b.class[b.class[edge]]
		edge = b.class[edge]
	}
	return edge
}

func (b *blocks) union(x, y int) {
	high, low := b.find(x), b.find(y)
	if high == low {
		return
	}
	if b.depth[high] > b.depth[low] {
		high, low = low, high
	}
	b.class[low] = high
	b.size[high] += b.size[low]
}
