package algorithms

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Edge is an edge to build a Graph of. Weights are its properties by name; every edge
// of a graph has the same ones.
type Edge struct {
	Src, Dst uint32 // positions in the graph's IDs
	Weights  map[string]float64
}

// NewGraph builds a graph of vertices with these ids. Edges may be parallel and may be
// loops; of an undirected graph each is given once. It panics when an edge names a
// vertex that there is not, which is a defect of the caller. It takes about 30 bytes an
// edge and direction, and 8 more for each property.
func NewGraph(directed bool, ids []int64, edges []Edge) *Graph {
	for _, e := range edges {
		if int(max(e.Src, e.Dst)) >= len(ids) {
			panic(fmt.Sprintf("algorithms: edge %d→%d in a graph of %d vertices", e.Src, e.Dst, len(ids)))
		}
	}
	g := &Graph{Directed: directed, IDs: ids}
	if !directed {
		g.Out = newLists(len(ids), bothWays(edges))
		g.In = g.Out
		return g
	}
	g.Out = newLists(len(ids), edges)
	g.In = newLists(len(ids), reversed(edges))
	return g
}

func bothWays(edges []Edge) []Edge {
	both := slices.Clone(edges)
	for _, e := range edges {
		if e.Src != e.Dst {
			both = append(both, Edge{e.Dst, e.Src, e.Weights})
		}
	}
	return both
}

func reversed(edges []Edge) []Edge {
	back := make([]Edge, len(edges))
	for i, e := range edges {
		back[i] = Edge{e.Dst, e.Src, e.Weights}
	}
	return back
}

// newLists sorts the edges by source, then target; parallel edges keep their order.
func newLists(n int, edges []Edge) Lists {
	edges = slices.Clone(edges)
	slices.SortStableFunc(edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.Src, b.Src), cmp.Compare(a.Dst, b.Dst))
	})
	l := Lists{Offsets: make([]int, n+1), Neighbors: make([]uint32, len(edges)), Columns: map[string][]float64{}}
	for i, e := range edges {
		l.Offsets[e.Src+1] = i + 1
		l.Neighbors[i] = e.Dst
		for name, w := range e.Weights {
			if l.Columns[name] == nil {
				l.Columns[name] = make([]float64, len(edges))
			}
			l.Columns[name][i] = w
		}
	}
	for v := range n {
		l.Offsets[v+1] = max(l.Offsets[v+1], l.Offsets[v])
	}
	return l
}

// Of is the list of vertex v. The k-th entry of a column for it stands at Offsets[v]+k.
func (l Lists) Of(v int) []uint32 { return l.Neighbors[l.Offsets[v]:l.Offsets[v+1]] }

// Degree is the length of the list of vertex v.
func (l Lists) Degree(v int) int { return l.Offsets[v+1] - l.Offsets[v] }

// MostIn is how many edges lead into a vertex, at most.
func (g *Graph) MostIn() (most int64) {
	for v := range g.N() {
		most = max(most, int64(g.In.Degree(v)))
	}
	return most
}

// N is the number of vertices.
func (g *Graph) N() int { return len(g.IDs) }

// M is the number of edges; an undirected edge is one.
func (g *Graph) M() (edges int) {
	if g.Directed {
		return len(g.Out.Neighbors)
	}
	for v := range g.N() {
		for _, u := range g.Out.Of(v) {
			if int(u) >= v {
				edges++
			}
		}
	}
	return edges
}

// EdgeColumns lists the edge properties of g, sorted.
func (g *Graph) EdgeColumns() []string {
	var names []string
	for name := range g.Out.Columns {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// VertexColumns lists the vertex properties of g that have one value a vertex, sorted.
func (g *Graph) VertexColumns() []Column {
	var columns []Column
	for _, name := range slices.Sorted(maps.Keys(g.Properties)) {
		if g.Properties[name].Each > 0 {
			continue
		}
		columns = append(columns, Column{Name: name, Type: g.Properties[name].Type})
	}
	return columns
}

// properties are those that p reads, of the types that it reads them as.
func (g *Graph) properties(p *Program) (all []Values, err error) {
	for _, c := range p.Properties {
		own, known := g.Properties[c.Name]
		values := NewValues(c.Column(), 0)
		switch {
		case known && own.Type == Int && c.Type == Int:
			values.Ints = own.Ints
		case known && own.Type == Float && c.Type == Float:
			values.Floats = own.Floats
		case known && own.Type == Int:
			for _, k := range own.Ints {
				values.Floats = append(values.Floats, float64(k))
			}
		}
		if len(values.Ints)+len(values.Floats) != g.N() {
			return nil, &ProgramError{p.Name, fmt.Sprintf("the graph has no property %s that is %s", c.Name, c.Type.article())}
		}
		all = append(all, values)
	}
	return all, nil
}

// Vertex is the position of the vertex with this id, or -1.
func (g *Graph) Vertex(id int64) int { return slices.Index(g.IDs, id) }

// Weights is the named edge property of l, or 1 for every edge when name is empty.
func (l Lists) Weights(name string) []float64 {
	if name != "" {
		if column := l.Columns[name]; column != nil {
			return column
		}
		return make([]float64, len(l.Neighbors))
	}
	ones := make([]float64, len(l.Neighbors))
	for i := range ones {
		ones[i] = 1
	}
	return ones
}
