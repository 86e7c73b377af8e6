package components

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
)

// SCC labels each vertex with the smallest id in its strongly connected component: the
// vertices that it reaches along edges and that reach it.
//
//	label(v) = min{ id(u) : there is a path from u to v and one from v to u }
//
// In an undirected graph these are the connected components. Tarjan, "Depth-first search
// and linear graph algorithms", 1972.
var SCC = &algorithms.Algorithm{
	Name:      "scc",
	Aliases:   []string{"strong-components"},
	Summary:   "strongly connected components, named by their smallest vertex",
	Source:    "Tarjan 1972; Slota, Rajamanickam and Madduri 2014",
	Result:    []algorithms.Column{{Name: "component", Type: algorithms.VertexID}},
	Yield:     "componentId",
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    sccOracle,
	Verify:    verifySCC,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		return []algorithms.Figure{{Name: "components", Value: answer.Distinct(result[0].Ints)},
			{Name: "largest component", Value: mode(result[0].Ints)}}
	},
}

// mode is how often the most frequent value occurs.
func mode(values []int64) (most int64) {
	counts := map[int64]int64{}
	for _, x := range values {
		counts[x]++
		most = max(most, counts[x])
	}
	return most
}

func sccOracle(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
	t := tarjan{graph: g, index: make([]int, g.N()), low: make([]int, g.N()), onStack: make([]bool, g.N()),
		label: make([]int64, g.N())}
	for v := range g.N() {
		if t.index[v] == 0 {
			t.visit(v)
		}
	}
	return answer.Ints("component", algorithms.VertexID, t.label), nil
}

// tarjan is a depth-first search as Tarjan printed it.
type tarjan struct {
	graph      *algorithms.Graph
	visited    int
	index, low []int // counted from 1; 0: not visited
	stack      []int
	onStack    []bool
	label      []int64
}

func (t *tarjan) visit(v int) {
	t.visited++
	t.index[v], t.low[v] = t.visited, t.visited
	t.stack, t.onStack[v] = append(t.stack, v), true
	for _, w := range t.graph.Out.Of(v) {
		if w := int(w); t.index[w] == 0 {
			t.visit(w)
			t.low[v] = min(t.low[v], t.low[w])
		} else if t.onStack[w] {
			t.low[v] = min(t.low[v], t.index[w])
		}
	}
	if t.low[v] == t.index[v] {
		t.pop(v)
	}
}

// pop takes the component of its first visited vertex off the stack.
func (t *tarjan) pop(first int) {
	from := len(t.stack) - 1
	for t.stack[from] != first {
		from--
	}
	label := t.graph.IDs[first]
	for _, v := range t.stack[from:] {
		label = min(label, t.graph.IDs[v])
	}
	for _, v := range t.stack[from:] {
		t.label[v], t.onStack[v] = label, false
	}
	t.stack = t.stack[:from]
}

// verifySCC checks that of the vertices with a label each reaches the one it names and is
// reached from it, through others of that label, and that no id is below its label; then
// that components are whole: without the edges inside them nothing leads in a circle.
func verifySCC(g *algorithms.Graph, _ algorithms.Args, result []algorithms.Values) error {
	column, err := answer.Sole(g, result, algorithms.VertexID)
	if err != nil {
		return err
	}
	label := column.Ints
	from, to := make([]bool, g.N()), make([]bool, g.N())
	for root := range label {
		if label[root] == g.IDs[root] {
			within(g.Out, label, root, from)
			within(g.In, label, root, to)
		}
	}
	for v := range label {
		if !from[v] || !to[v] || label[v] > g.IDs[v] {
			return answer.WrongAt(g, v, "component %d does not name a vertex that paths join it with both ways, or not the smallest",
				label[v])
		}
	}
	if a, circular := circle(g, label); circular {
		return answer.Wrong("component %d is part of a larger one", a)
	}
	return nil
}

// within marks what is reached from root along lists, by vertices of its label.
func within(lists algorithms.Lists, label []int64, root int, seen []bool) {
	seen[root] = true
	for stack := []int{root}; len(stack) > 0; {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, v := range lists.Of(u) {
			if !seen[v] && label[v] == label[root] {
				seen[v] = true
				stack = append(stack, int(v))
			}
		}
	}
}

// circle names a label that edges between different labels lead back to. It takes away
// labels that no edge enters until none is left. (Kahn 1962.)
func circle(g *algorithms.Graph, label []int64) (one int64, found bool) {
	next, entering := map[int64][]int64{}, map[int64]int{}
	for v := range label {
		entering[label[v]] += 0
		for _, u := range g.Out.Of(v) {
			if label[u] != label[v] {
				next[label[v]] = append(next[label[v]], label[u])
				entering[label[u]]++
			}
		}
	}
	var free []int64
	for a, edges := range entering {
		if edges == 0 {
			free = append(free, a)
		}
	}
	for len(free) > 0 {
		a := free[len(free)-1]
		free = free[:len(free)-1]
		delete(entering, a)
		for _, b := range next[a] {
			if entering[b]--; entering[b] == 0 {
				free = append(free, b)
			}
		}
	}
	for a := range entering {
		return a, true
	}
	return 0, false
}
