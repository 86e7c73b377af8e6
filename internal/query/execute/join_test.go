package execute_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/query/execute"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

// joins are ways to write a join: what is asked of a row comes before and after the condition.
var joins = map[string]string{
	"MATCH (a:A), (b:B) WHERE ":                         " RETURN a.i AS a, b.i AS b ORDER BY a, b",
	"MATCH (a:A) OPTIONAL MATCH (b:B) WHERE ":           " RETURN a.i AS a, b.i AS b ORDER BY a, b",
	"MATCH (a:A) WHERE EXISTS { MATCH (b:B) WHERE ":     " } RETURN a.i AS a ORDER BY a",
	"MATCH (a:A) WHERE NOT EXISTS { (b:B) WHERE ":       " } RETURN a.i AS a ORDER BY a",
	"MATCH (a:A) RETURN a.i AS a, COUNT { (b:B) WHERE ": " } AS n ORDER BY a",
	"MATCH (a:A) CALL { WITH a MATCH (b:B) WHERE ":      " RETURN b } RETURN a.i AS a, b.i AS b ORDER BY a, b",
	"MATCH (a:A) CALL (a) { MATCH (b:B) WHERE ":         " RETURN b LIMIT 1 } RETURN a.i AS a, count(b) ORDER BY a",
	"MATCH (a:A) RETURN a.i AS a, [(b:B) WHERE ":        " | b.i] AS l ORDER BY a",
}

// A join by = has the rows that = gives, whatever the values: null, NaN, 1 and 1.0, lists, temporal values.
func TestHashJoin_ComparesAsEqual(t *testing.T) {
	w := newWorld(t)
	values := []string{"null", "0.0 / 0.0", "1", "1.0", "0.0", "-0.0", "'1'", "true", "[]", "[1]", "[1.0]", "[null]",
		"[1, null]", "[0.0 / 0.0]", "{a: 1}", "{a: 1.0}", "{a: null}", "date('2020-01-01')", "time('10:00Z')", "time('11:00+01:00')",
		"datetime('2020-01-01T00:00Z')", "datetime('2020-01-01T01:00+01:00')", "localdatetime('2020-01-01T00:00')",
		"duration('P1D')", "duration('PT24H')", "point({x: 0.0, y: 1})", "point({x: -0.0, y: 1})", "9007199254740993",
		"9007199254740992.0", "1.0 / 0.0"}
	w.run(fmt.Sprintf("UNWIND range(0, %d) AS i CREATE (:A {i: i}), (:B {i: i})", 2*len(values)-1))
	list := "[" + strings.Join(values, ", ") + "]"
	condition := fmt.Sprintf("%s[a.i %% %d] = %[1]s[b.i %% %[2]d]", list, len(values))
	for before, after := range joins {
		joined, compared := before+condition+after, before+"("+condition+") = true"+after
		if !strings.Contains(w.explain(joined), "HashJoin") || strings.Contains(w.explain(compared), "HashJoin") {
			t.Fatalf("no join, or two:\n%s%s", w.explain(joined), w.explain(compared))
		}
		got, want := w.read(joined), w.read(compared)
		if !slices.Equal(got, want) || len(got) < 10 {
			t.Errorf("%s:\ngot  %q\nwant %q", before, got, want)
		}
	}
}

// The nodes that are joined are gone through once; in a plan that is run for each row twice, as it may be run only
// once, then a table is worth it. Where memory has no room for one, they are gone through for each row, and so they are
// where the graph changes between rows.
func TestHashJoin_RunsItsPlanOnce(t *testing.T) {
	w := newWorld(t)
	const few, many = 20, 300
	w.run(fmt.Sprintf("UNWIND range(1, %d) AS i CREATE (:A {i: i, x: i})", few))
	w.run(fmt.Sprintf("UNWIND range(1, %d) AS i CREATE (:B {i: i, x: 1 + %[1]d - i})", many))
	ask := func(statement string, memory int64) (rows []string, joined int64) {
		t.Helper()
		w.limits = execute.Limits{Memory: memory, TempDir: t.TempDir()}
		return w.busiest(statement)
	}
	for before, after := range joins {
		runs := int64(2)
		if strings.HasPrefix(before, "MATCH (a:A), (b:B)") {
			runs = 1
		}
		statement := before + "b.x = a.x" + after
		want, joined := ask(statement, 0)
		if joined > runs*many {
			t.Errorf("%s: %d rows\n%s", statement, joined, w.explain(statement))
		}
		got, joined := ask(statement, 9<<10)
		if joined <= runs*many {
			t.Errorf("%s: %d rows with little memory: it is not scarce", statement, joined)
		}
		if !slices.Equal(got, want) || len(got) != few && !strings.Contains(before, "NOT EXISTS") {
			t.Errorf("%s: %q with little memory, %q with much", statement, got, want)
		}
	}
	_, joined := ask("MATCH (a:A) OPTIONAL MATCH (b:B) WHERE b.x = a.x SET a.seen = b.i, b:A RETURN count(b)", 0)
	if joined != few*many {
		t.Errorf("%d rows where the graph changes", joined)
	}
}

// Few rows beside an index seek what they need; a table would read all that has the label. Many rows do with a table.
func TestHashJoin_LeavesFewRowsToTheIndex(t *testing.T) {
	w := newWorld(t)
	const few, many, nodes = 20, 2000, 5000
	if err := w.db.CreateIndex(t.Context(), "g", store.Index{Label: "B", Key: "y"}); err != nil {
		t.Fatal(err)
	}
	w.run(fmt.Sprintf("UNWIND range(1, %d) AS i CREATE (:A {i: i, x: 10 * i})", few))
	w.run(fmt.Sprintf("UNWIND range(1, %d) AS i CREATE (:Many {i: i, x: 1})", many))
	w.run(fmt.Sprintf("UNWIND range(1, %d) AS i CREATE (:B {i: i, x: i, y: i})", nodes))
	for before, after := range joins {
		sought, read := w.busiest(before + "b.y = a.x" + after)
		if read > few {
			t.Errorf("%s: an operator gives %d rows\n%s", before, read, w.explain(before+"b.y = a.x"+after))
		}
		scanned, read := w.busiest(before + "b.x = a.x" + after)
		if read < nodes || !slices.Equal(sought, scanned) {
			t.Errorf("%s: %q by the index, %q without, by %d rows", before, sought, scanned, read)
		}
	}
	if rows, read := w.busiest("UNWIND range(1, 5) AS x MATCH (b:B) WHERE b.y = x RETURN b.i"); len(rows) != 5 || read != 5 {
		t.Errorf("UNWIND: %q, an operator gives %d rows", rows, read)
	}
	joined := "MATCH (a:Many), (b:B) WHERE b.y = a.x RETURN a.i"
	if rows, read := w.busiest(joined); len(rows) != many || read != nodes {
		t.Errorf("%d of many rows, an operator gives %d\n%s", len(rows), read, w.explain(joined))
	}
}

// busiest runs a statement, and tells how many rows the operator gives that gives most of them.
func (w *world) busiest(statement string) (rows []string, most int64) {
	w.t.Helper()
	err := w.with(store.WriteAccess, "PROFILE "+statement, func(tx *store.Tx, p *plan.Plan) (err error) {
		var counters execute.Counters
		rows, counters, err = w.execute(w.t.Context(), tx, p)
		for _, o := range counters.Operators {
			most = max(most, o.Rows)
		}
		return err
	})
	if err != nil {
		w.t.Fatalf("%s: %v", statement, err)
	}
	return rows, most
}
