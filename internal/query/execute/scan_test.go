package execute_test

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/query/execute"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

// A scan for each row goes through the nodes twice, for there may be a single row: what the second time finds is kept
// for the rows after it, unless the plan changes the graph or memory has no room.
func TestScan_KeptForAllRows(t *testing.T) {
	w := newWorld(t)
	w.run("UNWIND range(0, 19) AS i CREATE (:Few {i: i})")
	w.run("UNWIND range(0, 199) AS i CREATE (:Many {i: i})")
	const few = 20
	for _, c := range []struct {
		statement string
		scans     int // but for the one of :Few
		memory    int64
	}{
		{statement: "MATCH (a:Few), (n:Many) WHERE n.i > a.i RETURN count(*), sum(n.i), max(a.i)", scans: 2},
		{statement: "MATCH (a:Few) MATCH (n) WHERE n.i > a.i RETURN count(*), sum(n.i), max(a.i)", scans: 2},
		{statement: "MATCH (a:Few) MATCH (n:Few|Many) WHERE n.i > a.i RETURN count(*), sum(n.i), max(a.i)", scans: 2},
		{statement: "MATCH (a:Few) OPTIONAL MATCH (n:Many) WHERE n.i > 10 * a.i RETURN count(*), sum(n.i)", scans: 2},
		{statement: "MATCH (a:Few) RETURN a.i, COUNT { MATCH (n:Many) WHERE n.i > a.i } AS c ORDER BY c", scans: 2},
		{statement: "MATCH (a:Few {i: 3}), (n:Many) RETURN count(*), sum(n.i)", scans: 1},
		{statement: "MATCH (a:Few), (n:Many) WHERE n.i > a.i SET n.seen = a.i RETURN count(*)", scans: few},
		{statement: "MATCH (a:Few), (n:Many) WHERE n.i > a.i RETURN count(*), sum(n.i)", scans: few, memory: 3 << 10},
	} {
		ask := func(memory int64) (rows []string, scans int) {
			w.limits = execute.Limits{Memory: memory, TempDir: t.TempDir()}
			err := w.with(store.WriteAccess, c.statement, func(tx *store.Tx, p *plan.Plan) (err error) {
				g := &counting{Tx: tx}
				rows, _, err = w.execute(t.Context(), g, p)
				scans = g.scans - 1
				return err
			})
			if err != nil {
				t.Fatalf("%s: %v", c.statement, err)
			}
			return rows, scans
		}
		got, scans := ask(c.memory)
		if scans != c.scans {
			t.Errorf("%s: %d scans, not %d\n%s", c.statement, scans, c.scans, w.explain(c.statement))
		}
		if want, _ := ask(0); !slices.Equal(got, want) {
			t.Errorf("%s: %q, with memory %q", c.statement, got, want)
		}
	}
}
