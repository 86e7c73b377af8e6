package instance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// A projection that gds.graph.filter makes has the nodes and relationships of another that a statement finds with the
// same conditions, with their types and properties, also those that were mutated; it can be filtered again.
func TestQuery_FiltersAProjection(t *testing.T) {
	seed := testseed.New(t)
	degree := "gds.util.nodeProperty('p', %s, 'd')"
	nodes := [][2]string{
		{"*", "true"}, {"n.i > 4 AND n.i <= 12", "4 < %s.i <= 12"}, {"n:A OR n.x = 7", "%s:A OR %[1]s.x = 7"},
		{"n.d >= $d", degree + " >= 2"}, {"degree() > 1 XOR n:A", degree + " > 1 XOR %[1]s:A"},
		{"NOT n.x IS NULL AND NOT n.i IN [1, 2, 3.0]", "%s.x IS NOT NULL AND NOT %[1]s.i IN [1, 2, 3.0]"},
		{"degree('R', 'S') < $d AND n:N", degree + " < 2"}, {"n.i < 0", "false"},
	}
	relationships := [][2]string{
		{"*", "true"}, {"r.w > 3.5", "v > 3.5"}, {"r:R", "k = 'R'"}, {"r.w IS NULL OR r:S", "v IS NULL OR k = 'S'"},
		{"r:T", "false"},
	}
	for round, project := range []string{
		"CALL gds.graph.project('p', '*', '*')",
		"CALL gds.graph.project('p', 'A', {R: {orientation: 'REVERSE'}})",
		"CALL gds.graph.project('p', 'N', {R: {orientation: 'UNDIRECTED'}, S: {orientation: 'UNDIRECTED'}})",
		"MATCH (a:A)-[r]->(b:N) RETURN gds.graph.project('p', a, b, {relationshipType: type(r), relationshipProperties: r {.w}})",
	} {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		db, n := loaded(t, "1 2\n"), 12+r.IntN(12)
		answer(t, db, "MATCH (n) DETACH DELETE n")
		answer(t, db, fmt.Sprintf("UNWIND range(0, %d) AS i CREATE (n:N {i: i}) SET n.x = CASE WHEN i %% 3 > 0 THEN i END", n-1))
		answer(t, db, "MATCH (n:N) WHERE n.i % 3 > 0 OR n.i % 4 = 0 SET n:A")
		ends := []string{"[1, 2, 'R', 5]", "[1, 1, 'S', null]", "[2, 1, 'S', 4]", "[4, 5, 'R', 0]"}
		for range 3 * n {
			weight := []string{"null", fmt.Sprint(r.IntN(8))}[min(1, r.IntN(4))]
			ends = append(ends, fmt.Sprintf("[%d, %d, '%s', %s]", r.IntN(n), r.IntN(n), []string{"R", "S"}[r.IntN(2)], weight))
		}
		for _, typ := range []string{"R", "S"} {
			answer(t, db, "UNWIND ["+strings.Join(ends, ", ")+"] AS e WITH e WHERE e[2] = '"+typ+"' "+
				"MATCH (a:N {i: e[0]}), (b:N {i: e[1]}) CREATE (a)-[:"+typ+" {w: e[3]}]->(b)")
		}
		answer(t, db, project)
		answer(t, db, "CALL gds.degree.mutate('p', {mutateProperty: 'd'})")
		for range 12 {
			node, relationship := nodes[r.IntN(len(nodes))], relationships[r.IntN(len(relationships))]
			what := project + ": " + node[0] + ", " + relationship[0]
			found := answer(t, db, fmt.Sprintf("CALL gds.graph.filter('f', 'p', \"%s\", '%s', {parameters: {d: 2}}) "+
				"YIELD nodeCount, relationshipCount RETURN nodeCount, relationshipCount", node[0], relationship[0]))
			of := func(variable string) string {
				if strings.Contains(node[1], "%") {
					return "(" + fmt.Sprintf(node[1], variable) + ")"
				}
				return node[1]
			}
			streamed := "CALL gds.graph.relationshipProperty.stream('%s', 'w') YIELD sourceNodeId AS s, targetNodeId AS t, " +
				"relationshipType AS k, propertyValue AS v WITH gds.util.asNode(s) AS a, gds.util.asNode(t) AS b, k, v "
			want := answer(t, db, fmt.Sprintf(streamed, "p")+"WHERE "+of("a")+" AND "+of("b")+" AND ("+relationship[1]+
				") RETURN a.i, b.i, k, v")
			degrees := "CALL gds.graph.nodeProperty.stream('%s', 'd') YIELD nodeId, propertyValue AS d " +
				"WITH gds.util.asNode(nodeId) AS n, d "
			kept := answer(t, db, fmt.Sprintf(degrees, "p")+"WHERE "+of("n")+" RETURN n.i, d")
			count := len(want)
			for _, row := range want { // relationshipCount counts both ways, also of a loop
				if ends := strings.Split(row[1:], ", "); ends[0] == ends[1] && strings.Contains(project, "UNDIRECTED") {
					count++
				}
			}
			same(t, what, found, []string{fmt.Sprintf("[%d, %d]", len(kept), count)})
			same(t, what, answer(t, db, fmt.Sprintf(degrees, "f")+"RETURN n.i, d"), kept)
			withWeights := slices.ContainsFunc(want, func(row string) bool { return !strings.HasSuffix(row, "null]") })
			if withWeights {
				same(t, what, answer(t, db, fmt.Sprintf(streamed, "f")+"RETURN a.i, b.i, k, v"), want)
			}
			same(t, what, answer(t, db, "CALL gds.wcc.stats('f') YIELD nodeCount, relationshipCount "+
				"RETURN nodeCount, relationshipCount"), found)
			again := answer(t, db, "CALL gds.graph.filter('again', 'f', 'n:A', '*') YIELD nodeCount RETURN nodeCount")
			same(t, what, again, answer(t, db, fmt.Sprintf(degrees, "p")+"WHERE n:A AND "+of("n")+" RETURN count(n)"))
			answer(t, db, "CALL gds.graph.drop('f')")
			answer(t, db, "CALL gds.graph.drop('again')")
		}
		for filters, why := range map[string]string{
			"'n.none > 1', '*'": "none", "'*', 'r.none > 1'": "relationshipFilter: no relationship has a property none",
			"'m.i > 1', '*'": "of n alone", "'*', 'n.i > 1'": "of r alone", "'n.i > 1 LIMIT 1', '*'": "expected one condition",
			"'n.i', '*'": "true or false", "'n.i > $a', '*'": "no value is given for $a", "'size(n.i) > 1', '*'": "no function size",
			"'*', 'degree() > 1'": "no function degree", "'n.i >', '*'": "nodeFilter",
			"'*', '*', {rows: 1}": "rows is not known", "'[x IN [1] | x] = n.i', '*'": "expected numbers",
		} {
			refused(t, db, "CALL gds.graph.filter('f', 'p', "+filters+")", why)
		}
		refused(t, db, "CALL gds.graph.filter('p', 'p', '*', '*')", `a projection "p" already`)
		refused(t, db, "CALL gds.graph.filter('f', 'q', '*', '*')", `no projection "q"`)
	}
}
