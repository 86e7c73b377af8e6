package instance

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// nodesCompared of gds.nodeSimilarity is how many nodes have as many neighbors as the cutoffs say, and pass the filter,
// as a statement counts them; the same in every mode, and not counted where nobody asks.
func TestQuery_CountsNodesCompared(t *testing.T) {
	seed := testseed.New(t)
	for round := range 2 {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		db, n := loaded(t, "1 2\n"), 8+r.IntN(12)
		answer(t, db, "MATCH (n) DETACH DELETE n")
		answer(t, db, fmt.Sprintf("UNWIND range(0, %d) AS i CREATE (n:N {i: i})", n-1))
		answer(t, db, "MATCH (n:N) WHERE n.i % 2 = 0 SET n:A")
		var ends []string
		for range 2 * n { // some of them loops, some parallel
			ends = append(ends, fmt.Sprintf("[%d, %d]", r.IntN(n/2), r.IntN(n/2)))
		}
		answer(t, db, "UNWIND ["+strings.Join(ends, ", ")+"] AS e MATCH (a:N {i: e[0]}), (b:N {i: e[1]}) CREATE (a)-[:R]->(b)")
		answer(t, db, "CALL gds.graph.project('directed', '*', '*')")
		answer(t, db, "CALL gds.graph.project('both', '*', {R: {orientation: 'UNDIRECTED'}})")
		for _, c := range []struct{ call, graph, settings, match string }{
			{"", "directed", "", "(a)-->(b)"},
			{"", "both", "", "(a)--(b)"},
			{"", "directed", "orientation: 'REVERSE'", "(a)<--(b)"},
			{"", "directed", "orientation: 'UNDIRECTED'", "(a)--(b)"},
			{".filtered", "directed", "sourceNodeFilter: 'A'", "(a:A)-->(b)"},
			{".filtered", "both", "targetNodeFilter: 'A'", "(a)--(b)"},
		} {
			for _, cutoffs := range [][2]int{{1, 1 << 30}, {2, 1 << 30}, {1, 2}, {2, 3}} {
				want := answer(t, db, fmt.Sprintf("MATCH %s WHERE a <> b WITH a, count(DISTINCT b) AS d WHERE %d <= d <= %d "+
					"RETURN count(*)", c.match, cutoffs[0], cutoffs[1]))
				settings := []string{fmt.Sprintf("degreeCutoff: %d", cutoffs[0])}
				if c.settings != "" {
					settings = append(settings, c.settings)
				}
				if cutoffs[1] < 1<<30 {
					settings = append(settings, fmt.Sprintf("upperDegreeCutoff: %d", cutoffs[1]))
				}
				with := strings.Join(settings, ", ")
				call := fmt.Sprintf("CALL gds.nodeSimilarity%s.%%s('%s', {%s%%s}) YIELD nodesCompared RETURN nodesCompared", c.call,
					c.graph, with)
				same(t, "stats "+with, answer(t, db, fmt.Sprintf(call, "stats", "")), want)
				mutate := ", mutateRelationshipType: 'SIMILAR', mutateProperty: 'score'"
				same(t, "mutate "+with, answer(t, db, fmt.Sprintf(call, "mutate", mutate)), want)
				answer(t, db, fmt.Sprintf("CALL gds.graph.relationships.drop('%s', 'SIMILAR')", c.graph))
			}
		}
		same(t, "write", answer(t, db, "CALL gds.nodeSimilarity.write('directed', {writeRelationshipType: 'S', "+
			"writeProperty: 'score'}) YIELD nodesCompared RETURN nodesCompared"),
			answer(t, db, "MATCH (a)-[:R]->(b) WHERE a <> b RETURN count(DISTINCT a)"))
	}
}
