package execute_test

import (
	"strings"
	"testing"

	"github.com/penstock-db/penstock/store"
)

// titles are the operators of a plan from the bottom up, by their first words.
func (w *world) titles(statement string) string {
	var all []string
	for line := range strings.Lines(w.explain(statement)) {
		all = append([]string{strings.Fields(line)[0]}, all...)
	}
	return strings.Join(all, " ")
}

// Plans begin at the node that is cheapest to find, and keep no more rows than are asked for.
func TestPlansBeginWhereThereIsLeast(t *testing.T) {
	w := newWorld(t)
	w.run("UNWIND range(1, 50) AS i CREATE (:Many {i: i})-[:R]->(:Few {i: i % 5})-[:S]->(:Many {i: -i})")
	w.run("MATCH (f:Few) WHERE f.i > 0 REMOVE f:Few")
	if err := w.db.CreateIndex(t.Context(), "g", store.Index{Label: "Many", Key: "i"}); err != nil {
		t.Fatal(err)
	}
	for statement, want := range map[string]string{
		"MATCH (a:Many)-[:R]->(b:Few) RETURN a, b":                      "Argument NodesByLabel Expand Filter Result",
		"MATCH (a:Many {i: 7})-[:R]->(b) RETURN b":                      "Argument NodeBySeek Filter Expand Result",
		"MATCH (a:Many) WHERE 3 < a.i <= 5 RETURN a":                    "Argument NodeByRange Filter Result",
		"MATCH (a) WHERE id(a) = 3 RETURN a":                            "Argument NodesByID Result",
		"MATCH (a)-->(b)-->(c) RETURN count(*)":                         "Argument AllNodes Expand Degree Aggregate Result",
		"MATCH (a)-->(b)-->(a) RETURN 1":                                "Argument AllNodes Expand Expand Project Result",
		"MATCH (a:Many), (b:Few) WHERE a.j = b.j RETURN a, b":           "Argument NodesByLabel │ │ HashJoin Result",
		"MATCH (a:Many) RETURN a.i ORDER BY a.i LIMIT 3":                "Argument NodesByLabel Project Top Limit Result",
		"MATCH (a:Few) OPTIONAL MATCH (a)-->(b) RETURN b":               "Argument NodesByLabel │ │ Optional Result",
		"MATCH (a:Few) SET a.x = 1 WITH a MATCH (b) RETURN b":           "Argument NodesByLabel Eager Set Eager AllNodes Result",
		"MATCH p = shortestPath((a:Few)-[*]->(b:Many {i: 1})) RETURN p": "Argument NodeBySeek Filter NodesByLabel ShortestPath Path Result",
		"MATCH (a:Few) WHERE EXISTS { (a)-->(:Many) } RETURN count(a)":  "Argument NodesByLabel │ │ │ Filter Aggregate Result",
		"MATCH (a:Few) RETURN DISTINCT a.i":                             "Argument NodesByLabel Project Distinct Result",
		"UNWIND [1, 2] AS x CALL { WITH x RETURN 2 * x AS y } RETURN y": "Argument Unwind │ │ Apply Result",
	} {
		if got := w.titles(statement); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", statement, got, want)
		}
		w.run(statement)
	}
}

// A statement that fills an empty label finds what it has created by the index: the rows that its operators pass on
// grow with those that it is given, not with their square, which a scan of the label makes of them.
func TestMergeIntoEmptyLabel_SeeksTheIndex(t *testing.T) {
	w := newWorld(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(w.db.CreateConstraint(t.Context(), "g", store.Constraint{Kind: store.Unique, Label: "User",
		Keys: []string{"id"}}))
	must(w.db.CreateConstraint(t.Context(), "g", store.Constraint{Kind: store.NodeKey, Label: "Item",
		Keys: []string{"id"}}))
	must(w.db.CreateConstraint(t.Context(), "g", store.Constraint{Kind: store.Unique, Label: "Pair",
		Keys: []string{"id", "no"}}))
	must(w.db.CreateIndex(t.Context(), "g", store.Index{Label: "Tag", Key: "id"}))
	must(w.db.CreateIndex(t.Context(), "g", store.Index{Label: "User", Key: "name"}))
	for _, statement := range []string{
		"MERGE (u:User {id: i})",
		"MERGE (n:Item {id: i})",
		"MERGE (p:Pair {id: i, no: 1})",
		"MERGE (t:Tag {id: i})",
		"MERGE (u:Other:User {id: 5000 + i})",
		"MERGE (u:User {name: 'all', id: -i})",
		"MERGE (u:User {id: i}) MERGE (o:Item {id: 1000 + i}) MERGE (u)-[:HAS]->(o)",
		"CREATE (:User {id: 1000 + i})-[:HAS]->(:Thing) WITH i MATCH (u:User {id: 1000 + i})-[:HAS]->(t:Thing) SET t.i = i",
	} {
		_, counters, err := w.try(t.Context(), "PROFILE UNWIND range(1, 300) AS i "+statement)
		must(err)
		rows := uint64(0)
		for _, o := range counters.Operators {
			rows += uint64(o.Rows)
		}
		if rows > 300*20 {
			t.Errorf("%s: operators pass on %d rows for 300:\n%s", statement, rows,
				w.explain("UNWIND range(1, 300) AS i "+statement))
		}
	}
}
