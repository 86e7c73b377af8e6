package instance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/testseed"
)

// answer are the rows of a statement, as sorted texts.
func answer(t *testing.T, db *DB, statement string) (rows []string) {
	t.Helper()
	result, err := db.Query(t.Context(), "g", statement, nil)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	for result.Next() {
		rows = append(rows, value.OfList(result.Row()).Text())
	}
	if err := result.Close(); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	slices.Sort(rows)
	return rows
}

// A projection that a statement has drawn up has just the nodes, relationships and properties of the statement's rows,
// in whatever order these come: it streams what the statement that is its oracle counts in the graph itself. What is
// computed on it is what is computed on a graph of those relationships alone, and stays beside others.
func TestQuery_DrawsUpAGraph(t *testing.T) {
	seed := testseed.New(t)
	for round := range 4 {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		db := loaded(t, "1 2\n")
		n := 2 + r.IntN(30)
		answer(t, db, "MATCH (n) DETACH DELETE n")
		answer(t, db, fmt.Sprintf("UNWIND range(0, %d) AS i CREATE (:N {i: i, age: i * 7 %% 5})", n-1))
		types := []string{"R", "S"}
		for range r.IntN(4 * n) {
			answer(t, db, fmt.Sprintf("MATCH (a:N {i: %d}), (b:N {i: %d}) CREATE (a)-[:%s {w: %d}]->(b)", r.IntN(n), r.IntN(n),
				types[r.IntN(2)], r.IntN(9)))
		}
		match := fmt.Sprintf("MATCH (a:N)-[r]->(b:N) WHERE (a.i * %d + b.i) %% 3 > 0", 1+r.IntN(5))
		both := []string{"[]", "['R']", "'S'", "'*'"}[r.IntN(4)]
		answer(t, db, match+" WITH a, b, r ORDER BY r.w, b.i RETURN gds.graph.project('p', a, b, {relationshipType: type(r), "+
			"relationshipProperties: r {.w, twice: 2 * r.w}, sourceNodeProperties: a {.age, old: a.age > 2}, "+
			"targetNodeProperties: b {.age, old: b.age > 2}}, {undirectedRelationshipTypes: "+both+"})")
		if len(answer(t, db, match+" RETURN 1")) == 0 {
			continue // there is no row, so no projection
		}

		leads := "UNWIND CASE WHEN a <> b AND (" + fmt.Sprintf("type(r) IN %s OR %[1]s = ['*']", asList(both)) +
			") THEN [[a, b], [b, a]] ELSE [[a, b]] END AS pair WITH r, pair[0] AS a, pair[1] AS b"
		ids := "YIELD sourceNodeId AS s, targetNodeId AS t, relationshipType AS k, propertyValue AS v " +
			"RETURN gds.util.asNode(s).i, gds.util.asNode(t).i, k, v"
		same(t, "relationships", answer(t, db, "CALL gds.graph.relationshipProperty.stream('p', 'twice') "+ids),
			answer(t, db, match+" "+leads+" RETURN a.i, b.i, type(r), 2 * r.w"))
		same(t, "of a type", answer(t, db, "CALL gds.graph.relationshipProperty.stream('p', 'w', ["+present(t, db, match)+"]) "+ids),
			answer(t, db, match+" AND type(r) = "+present(t, db, match)+" "+leads+" RETURN a.i, b.i, type(r), r.w"))
		same(t, "properties", answer(t, db, "CALL gds.graph.nodeProperty.stream('p', 'age') YIELD nodeId AS n, propertyValue AS v "+
			"RETURN gds.util.asNode(n).i, v"), answer(t, db, match+" UNWIND [a, b] AS n WITH DISTINCT n RETURN n.i, n.age"))
		same(t, "computed properties", answer(t, db, "CALL gds.graph.nodeProperty.stream('p', 'old') "+
			"YIELD nodeId AS n, propertyValue AS v RETURN gds.util.asNode(n).i, v"),
			answer(t, db, match+" UNWIND [a, b] AS n WITH DISTINCT n RETURN n.i, n.age > 2"))
		degrees := match + " " + leads + " WITH a, sum(r.w) AS s RETURN a.i, 1.0 * s"
		same(t, "weighted degrees", answer(t, db, "CALL gds.degree.stream('p', {relationshipWeightProperty: 'w'}) "+
			"YIELD nodeId, score WITH nodeId, score WHERE score > 0 RETURN gds.util.asNode(nodeId).i, score"),
			answer(t, db, degrees[:strings.Index(degrees, " RETURN")]+" WHERE s > 0 RETURN a.i, 1.0 * s"))

		// A result is a property of the projection alone, then of the graph's nodes that are in it alone.
		answer(t, db, "CALL gds.degree.mutate('p', {mutateProperty: 'd'})")
		same(t, "what mutate has kept", answer(t, db, "CALL gds.graph.nodeProperty.stream('p', 'd') "+
			"YIELD nodeId AS n, propertyValue AS v RETURN gds.util.asNode(n).i, v"),
			answer(t, db, "CALL gds.degree.stream('p') YIELD nodeId, score RETURN gds.util.asNode(nodeId).i, score"))
		same(t, "the graph", answer(t, db, "MATCH (n) WHERE n.d IS NOT NULL RETURN n.i"), nil)
		answer(t, db, "CALL gds.degree.write('p', {writeProperty: 'd'})")
		same(t, "what write has kept", answer(t, db, "MATCH (n) WHERE n.d IS NOT NULL RETURN n.i, n.d"),
			answer(t, db, "CALL gds.degree.stream('p') YIELD nodeId, score RETURN gds.util.asNode(nodeId).i, score"))

		// It stays what it was when relationships come and go, properties change, and nodes come.
		old := "CALL gds.graph.nodeProperty.stream('p', 'old') YIELD nodeId AS n, propertyValue AS v " +
			"RETURN gds.util.asNode(n).i, v"
		twice := "CALL gds.graph.relationshipProperty.stream('p', 'twice') " + ids
		nodes, relationships := answer(t, db, old), answer(t, db, twice)
		for _, change := range []string{"MATCH (n:N) SET n.age = 99, n.seen = true", "CREATE (:N {i: -1})-[:R]->(:N {i: -2})",
			"MATCH (a:N)-[r]->() WHERE a.i % 2 = 0 DELETE r", "CALL gds.wcc.write('p', {writeProperty: 'c'})",
			"CREATE (n:New) DELETE n", "CREATE INDEX FOR (n:N) ON (n.i)", "CREATE (:N:New {i: -3})",
			"MATCH (a:N {i: -1}), (b:N {i: 0}) CREATE (a)-[:S {w: 1}]->(b)"} {
			answer(t, db, change)
			same(t, "nodes after "+change, answer(t, db, old), nodes)
			same(t, "relationships after "+change, answer(t, db, twice), relationships)
		}

		// Once nodes are deleted it is of no use: others have their numbers.
		answer(t, db, "MATCH (n:N {i: 0}) DETACH DELETE n")
		result, err := db.Query(t.Context(), "g", "CALL gds.wcc.stats('p')", nil)
		if err == nil {
			result.Next()
			err = result.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "drop the projection, and project again") {
			t.Fatalf("an outdated projection: %v", err)
		}
	}
}

// asList is a list, whatever way it is written.
func asList(names string) string {
	if names[0] == '[' {
		return names
	}
	return "[" + names + "]"
}

// present is a type that rows of a match have, in quotes.
func present(t *testing.T, db *DB, match string) string {
	t.Helper()
	return strings.Trim(answer(t, db, match+" RETURN type(r)")[0], "[]")
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s:\n got %v\nwant %v", what, got, want)
	}
}
