package execute_test

import (
	"slices"
	"testing"
)

// Each clause sees the graph as the clause before has left it.
func TestClausesSeeWhatTheOneBeforeHasLeft(t *testing.T) {
	for _, c := range []struct {
		given, statement string
		rows             []string
	}{
		{"UNWIND range(1, 3) AS i CREATE (:A {i: i})", "MATCH (a:A) CREATE (:A) RETURN count(*)", []string{"[3]"}},
		{"UNWIND range(1, 3) AS i CREATE (:A {i: i})", "MATCH (a:A) CREATE (:B) WITH a MATCH (b:B) RETURN count(*)",
			[]string{"[9]"}},
		{"CREATE (a:A {i: 0}), (a)-[:T]->(), (a)-[:T]->()", "MATCH (a:A)-->() SET a.i = a.i + 1 RETURN a.i",
			[]string{"[2]", "[2]"}},
		{"UNWIND range(1, 3) AS i CREATE (:A {i: i})", "MATCH (a:A), (b:A) DELETE a, b RETURN count(*)", []string{"[9]"}},
		{"CREATE (:A), (:A)", "MATCH (a:A) MERGE (:B {i: 1}) RETURN count(*)", []string{"[2]"}},
		{"CREATE (:A), (:A)", "MATCH (a:A) MERGE (b:B) ON CREATE SET b.i = 1 ON MATCH SET b.i = b.i + 1 RETURN b.i",
			[]string{"[2]", "[2]"}},
		{"CREATE ()", "UNWIND [1, 2, 2, 1] AS i MERGE (n:N {i: i}) RETURN count(DISTINCT n)", []string{"[2]"}},
		{"CREATE (:A {i: 1})", "MATCH (a:A) FOREACH (i IN [1, 2] | SET a.i = a.i + i) RETURN a.i", []string{"[4]"}},
		{"CREATE (:A {i: 1})", "MATCH (a:A) CALL { WITH a CREATE (:B) RETURN 7 AS x } RETURN x, a.i", []string{"[7, 1]"}},
		{"CREATE ()", "UNWIND [1, 2, 3] AS i CREATE (n:N {i: i}) RETURN i LIMIT 1", []string{"[1]"}},
	} {
		w := newWorld(t)
		w.run(c.given)
		if rows := w.run(c.statement); !slices.Equal(rows, c.rows) {
			t.Errorf("%s\n%s: %v, not %v\n%s", c.given, c.statement, rows, c.rows, w.explain(c.statement))
		}
	}
}

// LIMIT says how many rows there are, not how much is changed.
func TestLimitDoesNotKeepFromChanging(t *testing.T) {
	for _, limit := range []string{"0", "1"} {
		w := newWorld(t)
		w.run("UNWIND range(1, 5) AS i CREATE (n:N {i: i}) RETURN n LIMIT " + limit)
		if rows := w.run("MATCH (n:N) RETURN count(*)"); rows[0] != "[5]" {
			t.Errorf("LIMIT %s: %v nodes", limit, rows)
		}
	}
}
