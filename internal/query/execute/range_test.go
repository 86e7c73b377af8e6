package execute_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/query/execute"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

// counting is a graph that counts the ranges of indexes that are looked through, and the scans of nodes.
type counting struct {
	*store.Tx
	ranges, scans int
}

func (c *counting) Nodes(yield func(id uint64) bool) error {
	c.scans++
	return c.Tx.Nodes(yield)
}

func (c *counting) NodesWithAny(labels []store.Token, from, to uint64, yield func(id uint64) bool) error {
	c.scans++
	return c.Tx.NodesWithAny(labels, from, to, yield)
}

func (c *counting) Range(index store.Index, from, to *store.Bound, yield func(id uint64) bool) error {
	c.ranges++
	return c.Tx.Range(index, from, to, yield)
}

// A range that is the same for each row is looked through once, or twice where it is not known beforehand that there
// will be several rows, and nothing else changes.
func TestRange_OnceForAllRows(t *testing.T) {
	w := newWorld(t)
	w.run("UNWIND range(0, 19) AS i CREATE (:Few {i: i})")
	w.run("UNWIND range(0, 1999) AS i CREATE (:Many {age: i % 100, i: i})")
	if err := w.db.CreateIndex(t.Context(), "g", store.Index{Label: "Many", Key: "age"}); err != nil {
		t.Fatal(err)
	}
	const few = 20
	for _, c := range []struct {
		before, where, after string
		ranges               int
		memory               int64
	}{
		{before: "MATCH (a:Few), (n:Many) WHERE ", where: "n.age > 97", ranges: 1},
		{before: "MATCH (a:Few), (n:Many) WHERE ", where: "n.age > 97 AND n.age <= 98", ranges: 1},
		{before: "MATCH (a:Few), (n:Many) WHERE ", where: "n.age > 90 + 7 + timestamp() - timestamp()", ranges: 1},
		{before: "MATCH (a:Few) OPTIONAL MATCH (n:Many) WHERE ", where: "n.age > 97", ranges: 2},
		{before: "MATCH (a:Few) CALL { MATCH (n:Many) WHERE ", where: "n.age > 97", after: " RETURN n }", ranges: 2},
		{before: "MATCH (n:Many) WHERE ", where: "n.age > 97", after: " WITH n, n AS a", ranges: 1},
		{before: "MATCH (a:Few), (n:Many) WHERE ", where: "n.age > 80 + a.i", ranges: few},
		{before: "MATCH (a:Few), (n:Many) WHERE ", where: "n.age > 97 + rand()", ranges: few},
		{before: "MATCH (a:Few), (n:Many) WHERE ", where: "n.age > 97", after: " SET n.seen = a.i WITH a, n", ranges: few},
		{before: "MATCH (a:Few), (n:Many) WHERE ", where: "n.age > 10", ranges: few, memory: 12 << 10},
		{before: "MATCH (a:Few) WITH a, EXISTS { MATCH (n:Many) WHERE ", where: "n.age > 97", after: " } AS n WHERE n",
			ranges: few},
		{before: "MATCH (a:Few), (n:Many) WHERE ", where: "n.age > 100", ranges: 1},
	} {
		returning := c.after + " RETURN a.i, n ORDER BY a.i, n"
		if c.memory > 0 {
			returning = " RETURN count(*), sum(n.i), max(a.i)"
		}
		ask := func(where string) (rows []string, ranges int) {
			w.limits = execute.Limits{Memory: c.memory, TempDir: t.TempDir()}
			err := w.with(store.WriteAccess, c.before+where+returning, func(tx *store.Tx, p *plan.Plan) (err error) {
				g := &counting{Tx: tx}
				rows, _, err = w.execute(t.Context(), g, p)
				ranges = g.ranges
				return err
			})
			if err != nil {
				t.Fatalf("%s: %v", c.before+where+returning, err)
			}
			return rows, ranges
		}
		got, ranges := ask(c.where)
		if ranges != c.ranges {
			t.Errorf("%s: %d ranges are looked through, not %d\n%s", c.before+c.where, ranges, c.ranges,
				w.explain(c.before+c.where+returning))
		}
		if want, none := ask(strings.ReplaceAll(c.where, "n.age", "(0 + n.age)")); none != 0 || !slices.Equal(got, want) {
			t.Errorf("%s: %d rows, %d without the index (%d ranges)", c.before+c.where, len(got), len(want), none)
		}
	}
}
