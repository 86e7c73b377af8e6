package execute_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/query/execute"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// An aggregate gives the same rows in the same order, or the same error, on one processor and on
// several, also of sums whose order matters, and with little memory; before and after compaction.
func TestAggregatesAreDivided(t *testing.T) {
	rnd, w := testseed.Rand(t), newWorld(t)
	w.run(
		fmt.Sprintf(
			"UNWIND range(0, 19999) AS i CREATE (n:A {i: i, k: (i * %d) %% 97, f: 1.0 / (i + 1), s: toString(i %% 7)})", 1+
				rnd.IntN(900)))
	w.run(
		"UNWIND range(0, 999) AS i CREATE (:B {i: i, odd: CASE i % 2 WHEN 0 THEN 9223372036854775000 ELSE -9223372036854775000 END})")
	w.run("MATCH (a:A) MATCH (b:B {i: a.k}) CREATE (a)-[:R {w: a.i % 13}]->(b)")
	w.run("MATCH (a:A) WHERE a.i % 1000 = 5 DETACH DELETE a")
	compare := func() {
		for _, statement := range []string{
			"MATCH (n) RETURN count(*), sum(n.i), min(n.k), max(n.s)",
			"MATCH (n:A) WHERE n.k > 50 RETURN n.s, count(n.f), sum(n.k), min(n.f)",
			"MATCH (n:A|B) WHERE n.i > 50 RETURN count(*), sum(n.k), max(n.i)",
			"MATCH (n:A) RETURN n.k % 5 AS k, sum(n.f)",
			"MATCH (n) RETURN sum(n.odd)",
			"MATCH (a)-[r]->(b) RETURN b.i, count(*), sum(r.w), max(a.i)",
			"MATCH (a:A) RETURN a, count(*)",
			"MATCH (a)-[r]->(b) WITH a, count(r) AS c RETURN c, count(*)",
			"MATCH (n:A) WITH n.k + 1 AS k RETURN k, count(*)",
			"MATCH (n:A) RETURN sum(n.s)",
			"MATCH (n:A) RETURN collect(DISTINCT n.s)",
			"MATCH (n:Nobody) RETURN count(*), sum(n.i)",
		} {
			for _, limit := range []int64{0, 64 << 20, 200 << 10} {
				w.limits = execute.Limits{Memory: limit, TempDir: t.TempDir()}
				before := runtime.GOMAXPROCS(1)
				want := w.read(statement)
				runtime.GOMAXPROCS(3)
				got := w.read(statement)
				runtime.GOMAXPROCS(before)
				if !slices.Equal(got, want) {
					t.Errorf("%s, memory %d: %d rows on several processors are not the %d on one: %.300q, %.300q", statement, limit,
						len(got), len(want), got, want)
				}
			}
		}
	}
	compare()
	if _, err := w.db.Compact(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	compare()
}

// lending is a transaction that can be shared so many times, and then no more.
type lending struct {
	*store.Tx
	left int
}

func (l *lending) Share() (*store.Tx, bool) {
	if l.left--; l.left < 0 {
		return nil, false
	}
	return l.Tx.Share()
}

// Where a transaction can't be shared by all goroutines, none is left at work, nor what it holds.
func TestAggregatesAreNotDividedByHalf(t *testing.T) {
	w := newWorld(t)
	w.run("UNWIND range(0, 19999) AS i CREATE (:A {k: i % 97})")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	const statement = "MATCH (n:A) RETURN n.k AS k, count(*)"
	want := w.read(statement)
	for _, shares := range []int{0, 1, 5, 11} {
		err := w.with(store.ReadAccess, statement, func(tx *store.Tx, p *plan.Plan) error {
			got, _, err := w.execute(t.Context(), &lending{tx, shares}, p)
			if !slices.Equal(got, want) {
				t.Errorf("%d shares: %d rows, not %d", shares, len(got), len(want))
			}
			return err
		})
		if err != nil {
			t.Errorf("%d shares: %v", shares, err)
		}
	}
}
