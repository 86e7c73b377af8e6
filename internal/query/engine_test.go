package query

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/internal/scratch"
	"github.com/penstock-db/penstock/store"
)

// engine is one on an empty graph "g".
func engine(t *testing.T, procedures ...*procedure.Procedure) *Engine {
	t.Helper()
	db, err := store.Open(scratch.Dir(t), store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.CreateGraph(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	return New(db, Options{Procedures: procedures})
}

// runner is an Engine or a transaction.
type runner func(ctx context.Context, text string, parameters map[string]value.Value) (*Result, error)

func (e *Engine) on(graph string) runner {
	return func(ctx context.Context, text string, parameters map[string]value.Value) (*Result, error) {
		return e.Run(ctx, graph, text, parameters)
	}
}

// rows runs a statement to its end.
func (r runner) rows(t *testing.T, text string) (rows [][]value.Value) {
	t.Helper()
	result, err := r(t.Context(), text, nil)
	if err != nil {
		t.Fatal(err)
	}
	for result.Next() {
		rows = append(rows, result.Row())
	}
	if err := result.Close(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func (r runner) count(t *testing.T) int64 {
	t.Helper()
	return r.rows(t, "MATCH (n) RETURN count(n)")[0][0].Int()
}

func kindOf(err error) fault.Kind {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Kind
	}
	return ""
}

// What is read in part ends at once; what changes the graph is carried out all the same.
func TestResult_Close(t *testing.T) {
	run := engine(t).on("g")
	result, err := run(t.Context(), "UNWIND range(1, 10000) AS x CREATE (n {x: x}) RETURN x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if !result.Next() || result.Close() != nil {
		t.Fatal("no row, or an error: ", result.Err())
	}
	if n := run.count(t); n != 10000 || result.Summary().Counters.NodesCreated != 10000 {
		t.Errorf("%d nodes, counted %+v", n, result.Summary().Counters)
	}
	result, err = run(t.Context(), "MATCH (a), (b), (c), (d) RETURN a.x + b.x + c.x + d.x", nil)
	if err != nil {
		t.Fatal(err)
	}
	result.Next()
	ended := make(chan error)
	go func() { ended <- result.Close() }()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("10^16 rows go on")
	}
	if result.Next() {
		t.Error("a row after the end")
	}
}

// A statement whose context ends changes nothing.
func TestEngine_Canceled(t *testing.T) {
	run := engine(t).on("g")
	ctx, cancel := context.WithCancel(t.Context())
	result, err := run(ctx, "UNWIND range(1, 100000) AS x UNWIND range(1, 10000) AS y CREATE (n {x: x}) RETURN y", nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	for result.Next() {
	}
	if err := result.Close(); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if n := run.count(t); n != 0 {
		t.Errorf("%d nodes", n)
	}
}

// Others see a transaction's changes when it has committed, and a transaction never sees theirs.
func TestTx_Isolation(t *testing.T) {
	e := engine(t)
	writer, err := e.Begin(t.Context(), "g", store.WriteAccess)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Rollback()
	reader, err := e.Begin(t.Context(), "g", store.ReadAccess)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Rollback()
	runner(writer.Run).rows(t, "CREATE (n {x: 1})")
	if own, others := runner(writer.Run).count(t), e.on("g").count(t); own != 1 || others != 0 {
		t.Errorf("before the commit the transaction sees %d nodes, others %d", own, others)
	}
	if err := writer.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if old, now := runner(reader.Run).count(t), e.on("g").count(t); old != 0 || now != 1 {
		t.Errorf("after the commit the older transaction sees %d nodes, others %d", old, now)
	}
	if _, err := reader.Run(t.Context(), "CREATE (n)", nil); kindOf(err) != fault.AccessMode {
		t.Errorf("a reading transaction writes: %v", err)
	}
}

// Of two transactions that change the same node, the second is told to try again.
func TestTx_Conflict(t *testing.T) {
	e := engine(t)
	e.on("g").rows(t, "CREATE (n {x: 0})")
	var both [2]*Tx
	for i := range both {
		tx, err := e.Begin(t.Context(), "g", store.WriteAccess)
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		both[i] = tx
		runner(tx.Run).rows(t, "MATCH (n) RETURN n.x")
	}
	runner(both[0].Run).rows(t, "MATCH (n) SET n.x = n.x + 1")
	if err := both[0].Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	result, err := both[1].Run(t.Context(), "MATCH (n) SET n.x = n.x + 1", nil)
	if err == nil {
		if err = result.Close(); err == nil {
			err = both[1].Commit(t.Context())
		}
	}
	if kindOf(err) != fault.Conflict {
		t.Errorf("the second commits: %v", err)
	}
	if x := e.on("g").rows(t, "MATCH (n) RETURN n.x")[0][0].Int(); x != 1 {
		t.Errorf("x is %d", x)
	}
}

// Changes that take more memory than they may are refused, by a fault that says so.
func TestRun_ChangesFull(t *testing.T) {
	db, err := store.Open(scratch.Dir(t), store.Options{Create: true, ChangesBytes: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.CreateGraph(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	run := New(db, Options{}).on("g")
	result, err := run(t.Context(), "UNWIND range(1, 1000) AS i CREATE ()", nil)
	if err == nil {
		err = result.Close()
	}
	if kindOf(err) != fault.MemoryLimit {
		t.Errorf("a statement of any size: %v", err)
	}
	if n := run.count(t); n != 0 {
		t.Errorf("it has left %d nodes", n)
	}
}

// What a transaction has changed is taken from the pool, and comes back when it ends.
func TestTx_ChangesAreCounted(t *testing.T) {
	e := engine(t)
	e.pool = memory.NewPool(4<<20, time.Millisecond)
	tx, err := e.Begin(t.Context(), "g", store.WriteAccess)
	if err != nil {
		t.Fatal(err)
	}
	runner(tx.Run).rows(t, "UNWIND range(1, 10000) AS i CREATE ({i: i})")
	if held := e.pool.Held(); held < 1<<20 {
		t.Errorf("10,000 nodes take %d bytes", held)
	}
	result, err := tx.Run(t.Context(), "UNWIND range(1, 100000) AS i CREATE ({i: i})", nil)
	if err == nil {
		err = result.Close()
	}
	if kindOf(err) != fault.MemoryPool && kindOf(err) != fault.MemoryLimit {
		t.Errorf("more than the pool has: %v", err)
	}
	tx.Rollback()
	if held := e.pool.Held(); held != 0 {
		t.Errorf("%d bytes are left", held)
	}
	for range 3 {
		e.on("g").rows(t, "UNWIND range(1, 10000) AS i CREATE ({i: i})")
	}
	if held := e.pool.Held(); held != 0 {
		t.Errorf("%d bytes are left after commits", held)
	}
}

// What works on the snapshot finds everything there that was committed before, also as the first
// statement of a transaction; later on it is refused what the snapshot lacks.
func TestTx_Folds(t *testing.T) {
	snapshot := &procedure.Procedure{
		Name: "test.snapshot", Columns: []procedure.Field{{Name: "topology", Type: "INTEGER"}}, Folds: true,
		Call: func(_ context.Context, g procedure.Graph, _ []value.Value, yield func([]value.Value) error) error {
			return yield([]value.Value{value.OfInt(int64(g.Topology()))})
		},
	}
	e := engine(t, snapshot)
	e.on("g").rows(t, "CREATE (n)")
	tx, err := e.Begin(t.Context(), "g", store.WriteAccess)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	runner(tx.Run).rows(t, "CALL test.snapshot()")
	if changed, err := e.db.HasChanges("g"); changed || err != nil {
		t.Errorf("changes are left: %v", err)
	}
	runner(tx.Run).rows(t, "CREATE (n)")
	if _, err := tx.Run(t.Context(), "CALL test.snapshot()", nil); kindOf(err) != fault.ProcedureError {
		t.Errorf("error %v", err)
	}
}

// After a statement has failed, all that a transaction can do is roll back, without a trace.
func TestTx_Failed(t *testing.T) {
	e := engine(t)
	tx, err := e.Begin(t.Context(), "g", store.WriteAccess)
	if err != nil {
		t.Fatal(err)
	}
	runner(tx.Run).rows(t, "CREATE (n)")
	result, err := tx.Run(t.Context(), "RETURN 1 / 0", nil)
	if err == nil {
		result.Next()
		err = result.Close()
	}
	if kindOf(err) != fault.ArithmeticError {
		t.Errorf("error %v", err)
	}
	if _, err := tx.Run(t.Context(), "RETURN 1", nil); err == nil {
		t.Error("it goes on")
	}
	if err := tx.Commit(t.Context()); err == nil {
		t.Error("it commits")
	}
	if n := e.on("g").count(t); n != 0 {
		t.Errorf("%d nodes are left", n)
	}
}

// Statements run beside each other, and none is lost.
func TestEngine_Concurrent(t *testing.T) {
	e := engine(t)
	const writers, each = 8, 25
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for range each {
				result, err := e.Run(t.Context(), "g", "CREATE (n:N) WITH n MATCH (m:N) RETURN count(m)", nil)
				if err == nil {
					err = result.Close()
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := e.on("g").count(t); n != writers*each {
		t.Errorf("%d nodes", n)
	}
}

// Of two transactions that make the same under a constraint the second is refused: for good if it was asked to create,
// but to be run again if it was asked to merge, as then it finds what the first has made.
func TestTx_LateUnderConstraint(t *testing.T) {
	e := engine(t)
	e.on("g").rows(t, "CREATE CONSTRAINT FOR (n:Key) REQUIRE n.k IS UNIQUE")
	for clause, want := range map[string]fault.Kind{
		"CREATE (n:Key {k: 1})":                        fault.ConstraintValidationFailed,
		"MERGE (n:Key {k: 2})":                         fault.Conflict,
		"FOREACH (i IN [3, 4] | MERGE (n:Key {k: i}))": fault.Conflict,
		"CALL { MERGE (n:Key {k: 5}) }":                fault.Conflict,
	} {
		var both []*Tx
		for range 2 {
			tx, err := e.Begin(t.Context(), "g", store.WriteAccess)
			if err != nil {
				t.Fatal(err)
			}
			defer tx.Rollback()
			r, err := tx.Run(t.Context(), clause, nil)
			if err != nil || r.Close() != nil {
				t.Fatal(clause, err)
			}
			both = append(both, tx)
		}
		if err := both[0].Commit(t.Context()); err != nil {
			t.Fatal(clause, err)
		}
		if err := both[1].Commit(t.Context()); kindOf(err) != want {
			t.Errorf("%s: %v; expected %s", clause, err, want)
		}
		r, err := e.Run(t.Context(), "g", clause, nil)
		if err == nil {
			err = r.Close()
		}
		if again := kindOf(err); want == fault.Conflict && err != nil || want != fault.Conflict && again != want {
			t.Errorf("%s, run again: %v", clause, err)
		}
	}
}

// begun is a transaction that the test ends.
func (e *Engine) begun(t *testing.T, access store.Access) *Tx {
	t.Helper()
	tx, err := e.Begin(t.Context(), "g", access)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tx.Rollback)
	return tx
}

// refused is the kind of fault that a statement meets.
func (r runner) refused(t *testing.T, text string) fault.Kind {
	t.Helper()
	result, err := r(t.Context(), text, nil)
	if err == nil {
		err = result.Close()
	}
	if err == nil {
		t.Error(text, "is not refused")
	}
	return kindOf(err)
}

// Indexes and constraints that a transaction makes are there once it commits, all of them or none.
func TestTx_Schema(t *testing.T) {
	const index, constraint = "CREATE INDEX i FOR (n:A) ON (n.x)", "CREATE CONSTRAINT c FOR (n:A) REQUIRE n.k IS UNIQUE"
	e := engine(t)
	run := e.on("g")
	shown := func(run runner) int { return len(run.rows(t, "SHOW INDEXES")) + len(run.rows(t, "SHOW CONSTRAINTS")) }

	undone := e.begun(t, store.WriteAccess)
	runner(undone.Run).rows(t, constraint)
	undone.Rollback()
	if n := shown(run); n != 0 {
		t.Errorf("%d are there after a rollback", n)
	}

	tx := e.begun(t, store.WriteAccess)
	in := runner(tx.Run)
	in.rows(t, "MATCH (n) RETURN n")
	in.rows(t, index)
	in.rows(t, constraint)
	in.rows(t, "CREATE CONSTRAINT c IF NOT EXISTS FOR (n:A) REQUIRE n.k IS UNIQUE")
	in.rows(t, "MATCH (n) RETURN n")
	if n := shown(run); n != 0 {
		t.Errorf("%d are there before the commit", n)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := shown(run); n != 3 { // a constraint has an index too
		t.Errorf("%d are there after the commit, not 3", n)
	}

	run.rows(t, "CREATE (:A {k: 1}), (:B {k: 1}), (:B {k: 1})")
	failed := e.begun(t, store.WriteAccess)
	in = failed.Run
	in.rows(t, "DROP INDEX i")
	if kind := in.refused(
		t, "CREATE CONSTRAINT FOR (n:B) REQUIRE n.k IS UNIQUE"); kind != fault.ConstraintValidationFailed {
		t.Error("a constraint that does not hold:", kind)
	}
	if err := failed.Commit(t.Context()); err == nil {
		t.Error("a failed transaction was committed")
	}
	if n := shown(run); n != 3 {
		t.Errorf("%d are there after a transaction that failed, not 3", n)
	}
}

// A transaction changes the schema or the graph, and one that reads neither.
func TestTx_SchemaOrData(t *testing.T) {
	const constraint, create = "CREATE CONSTRAINT c FOR (n:A) REQUIRE n.k IS UNIQUE", "CREATE (:A {k: 1})"
	e := engine(t)
	for _, both := range [][2]string{{constraint, create}, {create, constraint}, {constraint, "MATCH (n) SET n.x = 1"}} {
		tx := e.begun(t, store.WriteAccess)
		runner(tx.Run).rows(t, both[0])
		if kind := runner(tx.Run).refused(t, both[1]); kind != fault.TransactionType {
			t.Errorf("%q: %s", both, kind)
		}
		tx.Rollback()
	}
	if kind := runner(e.begun(t, store.ReadAccess).Run).refused(t, constraint); kind != fault.AccessMode {
		t.Error("in a transaction that reads:", kind)
	}
	if rows := runner(e.begun(t, store.ReadAccess).Run).rows(t, "SHOW CONSTRAINTS"); len(rows) != 0 {
		t.Error(rows)
	}
}

// What others do until the commit counts.
func TestTx_SchemaOvertaken(t *testing.T) {
	const constraint = "CREATE CONSTRAINT c FOR (n:A) REQUIRE n.k IS UNIQUE"
	for other, tolerated := range map[string]bool{constraint: true, "UNWIND [1, 1] AS k CREATE (:A {k: k})": false} {
		e := engine(t)
		strict, tolerant := e.begun(t, store.WriteAccess), e.begun(t, store.WriteAccess)
		runner(strict.Run).rows(t, constraint)
		runner(tolerant.Run).rows(t, "CREATE CONSTRAINT c IF NOT EXISTS FOR (n:A) REQUIRE n.k IS UNIQUE")
		e.on("g").rows(t, other)
		if err := strict.Commit(t.Context()); err == nil {
			t.Errorf("after %s, %s was committed", other, constraint)
		}
		if err := tolerant.Commit(t.Context()); (err == nil) != tolerated {
			t.Errorf("after %s, IF NOT EXISTS: %v", other, err)
		}
	}
}
