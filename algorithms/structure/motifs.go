package structure

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
)

// Motifs counts, for each vertex, the connected patterns of three and four vertices that it belongs to.
//
//	motif_p(v) = |{ S ⊆ V : v ∈ S, |S| = 3 or 4, the graph that S induces is of the form p }|
//
// All edges between the vertices of S count, so that each connected S is of one form: of three vertices wedge and
// triangle; of four path, star, cycle, tailed triangle, diamond (a clique without one edge) and clique. Direction,
// parallel edges and loops do not count. Numbers in the whole graph are sums divided by 3 or 4. O(m·α²) for cliques and
// O(m·α) for the rest, where the arboricity α ≤ √m. Hočevar and Demšar, "A combinatorial approach to graphlet counting"
// (Orca), 2014; Pinar, Seshadhri, Vishal, "ESCAPE: efficiently counting all 5-vertex subgraphs", 2017; cycles: Chiba and
// Nishizeki, "Arboricity and subgraph listing algorithms", 1985.
var Motifs = &algorithms.Algorithm{
	Name:      "motifs",
	Aliases:   []string{"graphlets"},
	Summary:   "connected patterns of three and four vertices at each vertex",
	Source:    "Hočevar and Demšar 2014; Pinar, Seshadhri, Vishal 2017",
	Result:    motifColumns(),
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    motifsOracle,
	Verify:    verifyMotifs,
	Figures: func(result []algorithms.Values) (all []algorithms.Figure) {
		for i, column := range result {
			sum := int64(0)
			for _, count := range column.Ints {
				sum += count
			}
			all = append(all, algorithms.Figure{Name: motifNames[i], Value: sum / int64(motifSize(i))})
		}
		return all
	},
}

// The forms, in the order of the columns.
const (
	wedge = iota
	triangle
	path4
	star4
	cycle4
	tailedTriangle
	diamond
	clique4
	motifForms
)

var motifNames = [motifForms]string{"wedges", "triangles", "paths", "stars", "cycles", "tailed_triangles", "diamonds",
	"cliques"}

func motifColumns() (columns []algorithms.Column) {
	for _, name := range motifNames {
		columns = append(columns, algorithms.Column{Name: name, Type: algorithms.Int})
	}
	return columns
}

func motifSize(form int) int {
	if form <= triangle {
		return 3
	}
	return 4
}

// motifsOracle grows connected sets vertex by vertex, and looks at what each is.
func motifsOracle(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
	result, neighbors := emptyMotifs(g), neighborhood.All(g)
	sets := map[[4]int]bool{}
	for v := range g.N() {
		sets[[4]int{v, -1, -1, -1}] = true
	}
	for size := 2; size <= 4; size++ {
		larger := map[[4]int]bool{}
		for set := range sets {
			for _, v := range set[:size-1] {
				for _, u := range neighbors[v] {
					if grown := set; !slices.Contains(set[:], int(u)) {
						grown[size-1] = int(u)
						slices.Sort(grown[:size])
						larger[grown] = true
					}
				}
			}
		}
		sets = larger
		for set := range sets {
			if size > 2 {
				form := motifOf(neighbors, set[:size])
				for _, v := range set[:size] {
					result[form].Ints[v]++
				}
			}
		}
	}
	return result, nil
}

func emptyMotifs(g *algorithms.Graph) (result []algorithms.Values) {
	for _, c := range motifColumns() {
		result = append(result, algorithms.NewValues(c, g.N()))
	}
	return result
}

// motifOf is the form of a connected set: by how many edges there are, and how many of them a vertex has at most.
func motifOf(neighbors [][]uint32, set []int) int {
	edges, most := 0, 0
	for _, v := range set {
		degree := 0
		for _, u := range set {
			if neighborhood.Contains(neighbors[v], uint32(u)) {
				degree++
			}
		}
		edges, most = edges+degree, max(most, degree)
	}
	if len(set) == 3 {
		return wedge + (edges/2 - 2)
	}
	return map[[2]int]int{{3, 2}: path4, {3, 3}: star4, {4, 2}: cycle4, {4, 3}: tailedTriangle, {5, 3}: diamond,
		{6, 3}: clique4}[[2]int{edges / 2, most}]
}

// verifyMotifs counts what edges make of four vertices whether or not there are more edges between them, without
// looking for sets but cliques, and compares that with what the result comes to.
func verifyMotifs(g *algorithms.Graph, _ algorithms.Args, result []algorithms.Values) error {
	if err := answer.Shaped(g, result, motifColumns()...); err != nil {
		return err
	}
	m := newMotifCounts(g)
	for v := range g.N() {
		want := m.at(v)
		for form, name := range motifNames {
			got := int64(0)
			for other := range motifForms {
				got += motifCopies[form][other] * result[other].Ints[v]
			}
			if got != want[form] {
				return answer.WrongAt(g, v, "%d %s, also of sets with more edges, by these numbers; there are %d", got, name,
					want[form])
			}
		}
	}
	return nil
}

// motifCopies is how often the edges of a form are among those of another.
var motifCopies = [motifForms][motifForms]int64{
	wedge:          {wedge: 1, triangle: 3},
	triangle:       {triangle: 1},
	path4:          {path4: 1, cycle4: 4, tailedTriangle: 2, diamond: 6, clique4: 12},
	star4:          {star4: 1, tailedTriangle: 1, diamond: 2, clique4: 4},
	cycle4:         {cycle4: 1, diamond: 1, clique4: 3},
	tailedTriangle: {tailedTriangle: 1, diamond: 4, clique4: 12},
	diamond:        {diamond: 1, clique4: 6},
	clique4:        {clique4: 1},
}

// motifCounts has what counting goes by.
type motifCounts struct {
	neighbors [][]uint32
	common    []map[uint32]int64 // of each two vertices, how many neighbors they share
	triangles []int64
}

func newMotifCounts(g *algorithms.Graph) *motifCounts {
	m := &motifCounts{neighborhood.All(g), make([]map[uint32]int64, g.N()), make([]int64, g.N())}
	for v := range m.neighbors {
		m.common[v] = map[uint32]int64{}
		for _, u := range m.neighbors[v] {
			for _, w := range m.neighbors[u] {
				m.common[v][w]++
			}
		}
		for _, u := range m.neighbors[v] {
			m.triangles[v] += m.common[v][u]
		}
		m.triangles[v] /= 2
	}
	return m
}

// at counts, for v, each form whatever other edges there are.
func (m *motifCounts) at(v int) (n [motifForms]int64) {
	d := func(u uint32) int64 { return int64(len(m.neighbors[u])) }
	own, triangles := d(uint32(v)), m.triangles[v]
	n[wedge], n[triangle] = pairs(own), triangles
	n[star4], n[tailedTriangle] = pairs(own)*(own-2)/3, triangles*(own-2)
	n[path4] = -2 * triangles // paths that lead back to v
	for _, u := range m.neighbors[v] {
		shared := m.common[v][u]
		n[wedge] += d(u) - 1
		n[star4] += pairs(d(u) - 1)
		n[path4] += (own-1)*(d(u)-1) - shared
		n[diamond] += pairs(shared)
		n[tailedTriangle] += shared*(d(u)-2) + m.triangles[u] - shared
		for _, w := range m.neighbors[u] {
			if int(w) != v {
				n[path4] += d(w) - 1
			}
		}
	}
	for w, shared := range m.common[v] {
		if int(w) != v {
			n[cycle4] += pairs(shared)
		}
	}
	twice, six := m.around(v)
	n[diamond] += twice / 2
	n[clique4] = six / 6
	return n
}

// around counts diamonds in which v has two edges, twice each, and cliques, six times each.
func (m *motifCounts) around(v int) (diamonds, cliques int64) {
	for _, u := range m.neighbors[v] {
		neighborhood.Intersect(m.neighbors[v], m.neighbors[u], func(w uint32) {
			diamonds += m.common[u][w] - 1
			neighborhood.Intersect(m.neighbors[v], m.neighbors[u], func(x uint32) {
				if neighborhood.Contains(m.neighbors[w], x) {
					cliques++
				}
			})
		})
	}
	return diamonds, cliques
}

func pairs(n int64) int64 { return n * (n - 1) / 2 }
