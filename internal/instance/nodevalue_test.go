package instance

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// gds.util.nodeProperty of each node of a projection is what gds.graph.nodeProperty.stream gives out, whatever kind of
// projection it is, and whatever the property: the graph's, drawn up, or mutated; with a label, of the nodes that have
// it. A node outside is an error.
func TestQuery_ReadsAPropertyOfANode(t *testing.T) {
	seed := testseed.New(t)
	for round, c := range []struct {
		project, within string
		labels, others  []string // that it has, and has not
	}{
		{"CALL gds.graph.project('p', '*', '*')", "true", []string{"'*'", "'A'", "'N'"}, []string{"'Odd'"}},
		{"CALL gds.graph.project('p', ['A', 'C'], 'R')", "n:A OR n:C", []string{"'*'", "'A'"}, []string{"'B'", "'Odd'"}},
		{"MATCH (n:B) RETURN gds.graph.project('p', n, null, {sourceNodeProperties: n {.x, more: n.i * 0.5}})", "n:B",
			[]string{"'*'", "'A'"}, []string{"'Odd'"}},
		{"MATCH (n) WHERE n.i % 3 > 0 RETURN gds.graph.project('p', n, null, {sourceNodeLabels: CASE n.i % 2 WHEN 0 THEN " +
			"['A', 'Even'] ELSE 'Odd' END, sourceNodeProperties: n {.x}})", "n.i % 3 > 0",
			[]string{"'*'", "'A'", "'Even'"}, nil},
	} {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		db, n := loaded(t, "1 2\n"), 12+r.IntN(20)
		answer(t, db, "MATCH (n) DETACH DELETE n")
		answer(t, db, fmt.Sprintf("UNWIND range(0, %d) AS i CREATE (n:N {i: i}) SET n.x = CASE WHEN i %% 5 > 0 THEN i * 7 END", n-1))
		for label, of := range map[string]int{"A": 2, "B": 3, "C": 4} {
			answer(t, db, fmt.Sprintf("MATCH (n:N) WHERE n.i %% %d = 1 SET n:%s", of, label))
		}
		answer(t, db, "MATCH (a:N), (b:N) WHERE b.i = a.i + 1 CREATE (a)-[:R]->(b)")
		answer(t, db, c.project)
		answer(t, db, "CALL gds.degree.mutate('p', {mutateProperty: 'd'})")
		properties := []string{"'i'", "'x'", "'d'"}
		if strings.Contains(c.project, "more") {
			properties = append(properties, "'more'")
		}
		for _, property := range properties {
			for _, label := range c.labels {
				stream := fmt.Sprintf("CALL gds.graph.nodeProperty.stream('p', %s, %s) YIELD nodeId, propertyValue AS v ", property,
					label)
				of := fmt.Sprintf("MATCH (n:N) WHERE %s WITH n, gds.util.nodeProperty('p', n, %s, %s) AS v WHERE v IS NOT NULL ",
					c.within, property, label)
				want := answer(t, db, stream+"WITH nodeId, v WHERE v IS NOT NULL RETURN nodeId, v")
				same(t, c.project+": "+property+" of "+label, answer(t, db, of+"RETURN id(n), v"), want)
				numbered := strings.Replace(of, "('p', n,", "('p', id(n),", 1)
				same(t, c.project+": "+property+" by number", answer(t, db, numbered+"RETURN id(n), v"), want)
			}
			for _, label := range c.others {
				refused(t, db, "MATCH (n:N) WHERE "+c.within+" RETURN gds.util.nodeProperty('p', n, "+property+", "+label+")",
					strings.Trim(label, "'"))
			}
		}

		// A property that was mutated takes the place of the graph's, of nodes of the projection.
		answer(t, db, "CALL gds.degree.mutate('p', {mutateProperty: 'x'})")
		mutated := "MATCH (n:N) WHERE " + c.within + " RETURN id(n), gds.util.nodeProperty('p', n, 'x')"
		same(t, c.project+": mutated", answer(t, db, mutated),
			answer(t, db, "CALL gds.degree.stream('p') YIELD nodeId, score RETURN nodeId, score"))

		// The graph's own properties are as the statement sees them, also in a transaction that has changed them.
		if c.within == "true" {
			same(t, "changed", answer(t, db, "MATCH (n:N {i: 3}) SET n.i = 99 RETURN gds.util.nodeProperty('p', n, 'i')"),
				[]string{"[99]"})
			same(t, "the graph itself", answer(t, db, "MATCH (n:N {i: 99}) RETURN gds.util.nodeProperty('g', n, 'x')"),
				[]string{"[21]"})
		} else {
			refused(t, db, "MATCH (n:N) WHERE NOT ("+c.within+") RETURN gds.util.nodeProperty('p', n, 'x')",
				"nodeId: the projection has no node")
		}
		same(t, "null", answer(t, db, "OPTIONAL MATCH (n:N {i: -1}) RETURN gds.util.nodeProperty('p', n, 'x')"), []string{"[null]"})
		for call, why := range map[string]string{
			"('q', 1, 'x')": `no projection "q"`, "('p', -1, 'x')": "the projection has no node -1",
			"('p', 1, 'none')": "has a property none", "('p', 'a', 'x')": "expected a node or its number",
			"('p', 1, 2)": "propertyKey: expected a text", "('p', 1)": "takes at least 3 arguments",
		} {
			refused(t, db, "RETURN gds.util.nodeProperty"+call, why)
		}

		same(t, "listed", answer(t, db, "SHOW FUNCTIONS YIELD name, signature WHERE name = 'gds.util.nodeProperty' RETURN signature"),
			[]string{"['gds.util.nodeProperty(graphName :: STRING, nodeId :: NODE | INTEGER, propertyKey :: STRING, " +
				"nodeLabel = \\'*\\' :: STRING) :: ANY']"})

		// What the projection has of its own is of no use once others have the numbers of its nodes.
		answer(t, db, "MATCH (n:N {i: 1}) DETACH DELETE n")
		answer(t, db, "CALL gds.wcc.stats('g')") // folds
		refused(t, db, "MATCH (n:N {i: 5}) RETURN gds.util.nodeProperty('p', n, 'd')", "drop the projection, and project again")
	}
}

// refused fails unless a statement does, for this reason.
func refused(t *testing.T, db *DB, statement, why string) {
	t.Helper()
	result, err := db.Query(t.Context(), "g", statement, nil)
	if err == nil {
		for result.Next() {
		}
		err = result.Close()
	}
	if err == nil || !strings.Contains(err.Error(), why) {
		t.Fatalf("%s: %v; expected: %s", statement, err, why)
	}
}
