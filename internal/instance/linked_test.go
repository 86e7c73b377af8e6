package instance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// What mutate finds is relationships of a projection, beside those that it had, whatever way these lead: they are those
// of the stream, algorithms run on them as on a graph that has no others, and when they are dropped all is as it was.
func TestQuery_MutatesRelationships(t *testing.T) {
	seed := testseed.New(t)
	for round, project := range []string{
		"CALL gds.graph.project('p', '*', '*')",
		"CALL gds.graph.project('p', 'N', ['R', 'S'])",
		"CALL gds.graph.project('p', 'A', {R: {orientation: 'UNDIRECTED', properties: 'w'}})",
		"CALL gds.graph.project('p', ['A', 'B'], {R: {orientation: 'REVERSE'}, S: {orientation: 'REVERSE'}})",
		"MATCH (a:N)-[r]->(b:N) RETURN gds.graph.project('p', a, b, {relationshipProperties: r {.w}})",
		"MATCH (a:A)-[r]->(b:N) RETURN gds.graph.project('p', a, b, {relationshipType: type(r), relationshipProperties: r {.w}}, " +
			"{undirectedRelationshipTypes: '*'})",
		"MATCH (a:N)-[r]->(b:N) RETURN gds.graph.project('p', a, b, {relationshipType: type(r), relationshipProperties: r {.w}}, " +
			"{undirectedRelationshipTypes: ['R']})",
	} {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		db, n := loaded(t, "1 2\n"), 12+r.IntN(20)
		answer(t, db, "MATCH (n) DETACH DELETE n")
		answer(t, db, fmt.Sprintf("UNWIND range(0, %d) AS i CREATE (n:N {i: i}) SET n:A", n-1))
		answer(t, db, "MATCH (n:N) WHERE n.i % 4 = 0 REMOVE n:A SET n:B")
		for k := range 5 * n { // the first four have both types begin and end at an A
			from, to := r.IntN(n), r.IntN(n)
			if k < 4 {
				from, to = 1+k, 2
			}
			answer(t, db, fmt.Sprintf("MATCH (a:N {i: %d}), (b:N {i: %d}) CREATE (a)-[:%s {w: %d}]->(b)", from, to,
				[]string{"R", "S"}[k%2], r.IntN(9)))
		}
		answer(t, db, project)
		// A type that the graph has, and the projection has not; a property that is an integer in the graph.
		typ := "SIMILAR"
		if strings.Contains(project, "{R:") && !strings.Contains(project, "S:") {
			typ = "S"
		}
		all := "CALL gds.graph.relationships.stream('p') YIELD sourceNodeId AS s, targetNodeId AS t, relationshipType AS k "
		ends := "RETURN gds.util.asNode(s).i, gds.util.asNode(t).i, k"
		before := answer(t, db, all+ends)
		weights := "CALL gds.graph.relationshipProperty.stream('p', 'w') YIELD sourceNodeId AS s, targetNodeId AS t, " +
			"relationshipType AS k, propertyValue AS v WITH s, t, k, 1.0 * v AS v WHERE k <> '" + typ + "' " + ends + ", v"
		weighted := answer(t, db, weights)
		pairs := "CALL gds.nodeSimilarity.stream('p') YIELD node1 AS s, node2 AS t, similarity AS v " +
			"RETURN gds.util.asNode(s).i, gds.util.asNode(t).i, '" + typ + "' AS k"
		similar, scored := answer(t, db, pairs), answer(t, db, pairs+", v")
		if len(similar) == 0 {
			t.Fatalf("%s: nothing is similar", project)
		}
		written := answer(t, db, "CALL gds.nodeSimilarity.mutate('p', {mutateRelationshipType: '"+typ+"', "+
			"mutateProperty: 'w'}) YIELD relationshipsWritten")
		same(t, "relationshipsWritten", written, []string{fmt.Sprintf("[%d]", len(similar))})

		// 1. They are those of the stream, with their scores, beside the others.
		score := "CALL gds.graph.relationshipProperty.stream('p', 'w', ['" + typ + "']) YIELD sourceNodeId AS s, " +
			"targetNodeId AS t, relationshipType AS k, propertyValue AS v "
		same(t, project+": scores", answer(t, db, score+ends+", v"), scored)
		both := slices.Concat(before, similar)
		slices.Sort(both)
		same(t, project+": weights of others", answer(t, db, weights), weighted)
		same(t, project+": all", answer(t, db, all+ends), both)

		// 2. Algorithms run on them, and on all, as on a graph that is drawn up of the same.
		answer(t, db, score+"RETURN gds.graph.project('similar', gds.util.asNode(s), gds.util.asNode(t), "+
			"{relationshipProperties: {w: v}})")
		answer(t, db, all+"RETURN gds.graph.project('all', gds.util.asNode(s), gds.util.asNode(t))")
		for of, with := range map[string]string{
			"similar": "{relationshipTypes: ['" + typ + "'], relationshipWeightProperty: 'w'}", "all": "{}",
		} {
			degrees := "CALL gds.degree.stream('%s', %s) YIELD nodeId, score WITH nodeId, score WHERE score > 0 " +
				"RETURN gds.util.asNode(nodeId).i, score"
			without := strings.Replace(with, "relationshipTypes: ['"+typ+"'], ", "", 1)
			same(t, project+": degrees of "+of, answer(t, db, fmt.Sprintf(degrees, "p", with)),
				answer(t, db, fmt.Sprintf(degrees, of, without)))
		}

		// 3. Written to the graph they are in it as well, but no others of the type can be found then.
		answer(t, db, "CALL gds.graph.relationships.drop('p', '"+typ+"')")
		same(t, project+": dropped", answer(t, db, all+ends), before)
		answer(t, db, "CALL gds.nodeSimilarity.mutate('p', {mutateRelationshipType: 'LIKE', mutateProperty: 'score'})")
		answer(t, db, "CALL gds.graph.relationship.write('p', 'LIKE', 'score')")
		same(t, project+": written", answer(t, db, "MATCH (a)-[r:LIKE]->(b) RETURN a.i, b.i, '"+typ+"', r.score"), scored)
	}
}
