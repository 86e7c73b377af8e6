package queries

// query is a statement that both understand, and means the same to both: all edges lead from
// lower ids to higher ones, so that no path has an edge twice, which openCypher forbids and
// Kuzu does not.
type query struct {
	name, text string
	sources    int // it is run for so many values of $id; 0: it has none
}

// queries in the order of the table.
var queries = []query{
	{"point lookup by id", "MATCH (n {id: $id}) RETURN n.region, n.score", 1000},
	{"1 hop, count", "MATCH (a {id: $id})-->(b) RETURN count(*)", 64},
	{"1 hop, rows", "MATCH (a {id: $id})-->(b) RETURN b.id, b.score", 64},
	{"2 hops, count", "MATCH (a {id: $id})-->()-->(c) RETURN count(*)", 64},
	{"2 hops, distinct ends", "MATCH (a {id: $id})-->()-->(c) RETURN count(DISTINCT c.id)", 16},
	{"3 hops, count", "MATCH (a {id: $id})-->()-->()-->(d) RETURN count(*)", 16},
	{"3 hops, ends filtered", "MATCH (a {id: $id})-->()-->()-->(d) WHERE d.score < 500 RETURN count(*)", 8},
	{"all edges, count", "MATCH (a)-->(b) RETURN count(*)", 0},
	{"all edges, sum of a property", "MATCH ()-[e]->() RETURN sum(e.weight)", 0},
	{"all edges, by region of the start", "MATCH (a)-->(b) RETURN a.region, count(*)", 0},
	{"all edges, by region of the end", "MATCH (a)-->(b) RETURN b.region, count(*), sum(b.score)", 0},
	{"nodes by degree", "MATCH (a)-->(b) WITH a, count(b) AS degree RETURN degree, count(*)", 0},
	{"nodes, filter and group", "MATCH (n) WHERE n.score >= 250 RETURN n.region, count(*), sum(n.score)", 0},
}

// question is a query with the ids that it is run for.
type question struct {
	Text string  `json:"text"`
	IDs  []int64 `json:"ids,omitempty"`
}

// on takes ids evenly from those of nodes that edges begin at.
func (q query) on(g *propertyGraph) question {
	count := min(q.sources, len(g.starts))
	ids := make([]int64, count)
	for i := range ids {
		ids[i] = int64(g.starts[i*len(g.starts)/count])
	}
	return question{q.text, ids}
}

// answers are the rows of all runs of a query, each as text, in ascending order.
type answers []string
