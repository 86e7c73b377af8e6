package drivertest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"
)

// connect opens the driver, which the test closes.
func connect(t *testing.T, scheme string) neo4j.DriverWithContext {
	t.Helper()
	driver, err := neo4j.NewDriverWithContext(scheme+"://"+server(t), neo4j.NoAuth())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { driver.Close(context.Background()) })
	return driver
}

func session(t *testing.T, driver neo4j.DriverWithContext) neo4j.SessionWithContext {
	t.Helper()
	s := driver.NewSession(t.Context(), neo4j.SessionConfig{})
	t.Cleanup(func() { s.Close(context.Background()) })
	return s
}

func TestRouting(t *testing.T) {
	for _, scheme := range []string{"bolt", "neo4j"} {
		driver := connect(t, scheme)
		if err := driver.VerifyConnectivity(t.Context()); err != nil {
			t.Fatal(scheme, err)
		}
		result, err := neo4j.ExecuteQuery(t.Context(), driver, "RETURN $x AS x", map[string]any{"x": 1},
			neo4j.EagerResultTransformer)
		if err != nil || len(result.Records) != 1 || result.Keys[0] != "x" {
			t.Fatal(scheme, result, err)
		}
	}
}

// TestTypes_RoundTrip sends a value of every type as a parameter and gets it back.
func TestTypes_RoundTrip(t *testing.T) {
	s := session(t, connect(t, "bolt"))
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	values := []any{
		nil, true, false, int64(0), int64(-1 << 63), int64(1<<63 - 1), 1.5, -0.0, "", "Größe 🌍", strings.Repeat("x", 70000),
		[]any{}, []any{int64(1), "a", nil, []any{true}}, map[string]any{},
		map[string]any{"a": map[string]any{"b": []any{int64(1)}}},
		dbtype.Date(time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC)),
		dbtype.LocalTime(time.Date(0, 1, 1, 23, 59, 59, 999999999, time.Local)),
		dbtype.Time(time.Date(0, 1, 1, 1, 2, 3, 4, time.FixedZone("Offset", 3600))),
		dbtype.LocalDateTime(time.Date(1969, 12, 31, 23, 59, 59, 5, time.Local)),
		time.Date(2026, 7, 1, 12, 0, 0, 6, time.FixedZone("Offset", -5400)),
		time.Date(2026, 7, 1, 12, 0, 0, 7, berlin),
		dbtype.Duration{Months: 1, Days: -2, Seconds: 3, Nanos: 4},
		dbtype.Point2D{X: 1, Y: -2, SpatialRefId: 7203}, dbtype.Point2D{X: 13.4, Y: 52.5, SpatialRefId: 4326},
		dbtype.Point3D{X: 1, Y: 2, Z: 3, SpatialRefId: 9157}, dbtype.Point3D{X: 1, Y: 2, Z: 3, SpatialRefId: 4979},
	}
	for _, sent := range values {
		got, err := single(t.Context(), s, "RETURN $x AS x", map[string]any{"x": sent})
		if err != nil || !same(got, sent) {
			t.Errorf("%T %.50v came back as %T %.50v: %v", sent, sent, got, got, err)
		}
	}
}

// same compares by what is shown: a zone is another object after its way.
func same(a, b any) bool { return fmt.Sprintf("%T %v", a, a) == fmt.Sprintf("%T %v", b, b) }

func single(ctx context.Context, s neo4j.SessionWithContext, text string, params map[string]any) (any, error) {
	result, err := s.Run(ctx, text, params)
	if err != nil {
		return nil, err
	}
	record, err := result.Single(ctx)
	if err != nil {
		return nil, err
	}
	return record.Values[0], nil
}

func TestTypes_Entities(t *testing.T) {
	s := session(t, connect(t, "bolt"))
	result, err := s.Run(t.Context(), "CREATE p = (a:A:B {n: 1})-[r:T {w: 2.5}]->(b) RETURN a, r, p", nil)
	if err != nil {
		t.Fatal(err)
	}
	record, err := result.Single(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a, r, p := record.Values[0].(dbtype.Node), record.Values[1].(dbtype.Relationship), record.Values[2].(dbtype.Path)
	if !same(a.Labels, []string{"A", "B"}) || a.Props["n"] != int64(1) || a.ElementId == "" {
		t.Error(a)
	}
	if r.Type != "T" || r.Props["w"] != 2.5 || r.StartElementId != a.ElementId || r.ElementId == "" {
		t.Error(r)
	}
	if len(p.Nodes) != 2 || len(p.Relationships) != 1 || p.Nodes[0].ElementId != a.ElementId ||
		p.Relationships[0].EndElementId != p.Nodes[1].ElementId {
		t.Error(p)
	}
	summary, err := result.Consume(t.Context())
	if err != nil || summary.Counters().NodesCreated() != 2 || summary.Counters().RelationshipsCreated() != 1 ||
		!summary.Counters().ContainsUpdates() || summary.StatementType() != neo4j.StatementTypeReadWrite {
		t.Error(summary, err)
	}
	if len(s.LastBookmarks()) == 0 {
		t.Error("there is no bookmark")
	}
}

func TestStreaming_MillionRows(t *testing.T) {
	s := session(t, connect(t, "bolt"))
	const rows = 1_000_000
	result, err := s.Run(t.Context(), "UNWIND range(1, $n) AS i RETURN i", map[string]any{"n": rows})
	if err != nil {
		t.Fatal(err)
	}
	next := int64(1)
	for ; result.Next(t.Context()); next++ {
		if got := result.Record().Values[0]; got != next {
			t.Fatal(got, "instead of", next)
		}
	}
	if err := result.Err(); err != nil || next != rows+1 {
		t.Fatal(next, err)
	}
}

// TestStreaming_GivenUp reads a little of a result, and goes on with the session.
func TestStreaming_GivenUp(t *testing.T) {
	s := session(t, connect(t, "bolt"))
	for range 3 {
		result, err := s.Run(t.Context(), "UNWIND range(1, $n) AS i RETURN i", map[string]any{"n": 1_000_000})
		if err != nil || !result.Next(t.Context()) {
			t.Fatal(err)
		}
		if _, err := result.Consume(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTransaction_Explicit(t *testing.T) {
	s := session(t, connect(t, "neo4j"))
	label := fmt.Sprintf("L%d", time.Now().UnixNano())
	for _, commit := range []bool{false, true} {
		tx, err := s.BeginTransaction(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err = tx.Run(t.Context(), "CREATE (:"+label+")", nil); err != nil {
			t.Fatal(err)
		}
		if commit {
			err = tx.Commit(t.Context())
		} else {
			err = tx.Rollback(t.Context())
		}
		got, err2 := single(t.Context(), s, "MATCH (n:"+label+") RETURN count(n) AS n", nil)
		if errors.Join(err, err2) != nil || (got == int64(1)) != commit {
			t.Fatal(commit, got, err, err2)
		}
	}
}

// TestTransaction_Retry changes a node under a transaction of the driver's, which tries again.
func TestTransaction_Retry(t *testing.T) {
	driver := connect(t, "neo4j")
	s, other := session(t, driver), session(t, driver)
	label := fmt.Sprintf("R%d", time.Now().UnixNano())
	if _, err := single(t.Context(), s, "CREATE (n:"+label+" {x: 0}) RETURN n", nil); err != nil {
		t.Fatal(err)
	}
	add := "MATCH (n:" + label + ") SET n.x = n.x + 1 RETURN n.x AS x"
	tries := 0
	got, err := s.ExecuteWrite(t.Context(), func(tx neo4j.ManagedTransaction) (any, error) {
		if tries++; tries == 1 {
			if _, err := tx.Run(t.Context(), "MATCH (n:"+label+") RETURN n", nil); err != nil {
				return nil, err
			}
			if _, err := single(t.Context(), other, add, nil); err != nil {
				return nil, err
			}
		}
		result, err := tx.Run(t.Context(), add, nil)
		if err != nil {
			return nil, err
		}
		record, err := result.Single(t.Context())
		if err != nil {
			return nil, err
		}
		return record.Values[0], nil
	})
	if err != nil || got != int64(2) || tries != 2 {
		t.Fatal(got, tries, err)
	}
}

func TestFailure_CodeAndRecovery(t *testing.T) {
	s := session(t, connect(t, "bolt"))
	for range 3 {
		_, err := single(t.Context(), s, "RETRUN 1", nil)
		var known *neo4j.Neo4jError
		if !errors.As(err, &known) || known.Code != "Neo.ClientError.Statement.SyntaxError" {
			t.Fatal(err)
		}
		if got, err := single(t.Context(), s, "RETURN $x AS x", map[string]any{"x": 7}); err != nil || got != int64(7) {
			t.Fatal(got, err)
		}
	}
}

// TestPlan asks for the plan of a statement, and for what its operators have done.
func TestPlan(t *testing.T) {
	s := session(t, connect(t, "bolt"))
	for _, mode := range []string{"EXPLAIN ", "PROFILE "} {
		result, err := s.Run(t.Context(), mode+"UNWIND range(1, 7) AS i RETURN i", nil)
		if err != nil {
			t.Fatal(err)
		}
		summary, err := result.Consume(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if plan := summary.Plan(); mode == "EXPLAIN " && (plan == nil || plan.Operator() == "" || len(plan.Children()) == 0) {
			t.Error(plan)
		}
		if profile := summary.Profile(); mode == "PROFILE " && (profile == nil || len(profile.Children()) == 0) {
			t.Error(profile)
		}
	}
}

// TestCancel_ByContext ends what would take very long.
func TestCancel_ByContext(t *testing.T) {
	driver := connect(t, "bolt")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := single(ctx, session(t, driver), endless, nil)
	if err == nil || ctx.Err() == nil {
		t.Fatal(err)
	}
	if got, err := single(t.Context(), session(t, driver), "RETURN $x AS x", map[string]any{"x": 7}); err != nil ||
		got != int64(7) {
		t.Fatal(got, err)
	}
}

// TestTimeout_OfTransaction lets the server end what takes longer than the client allows.
func TestTimeout_OfTransaction(t *testing.T) {
	s := session(t, connect(t, "bolt"))
	_, err := s.ExecuteRead(t.Context(), func(tx neo4j.ManagedTransaction) (any, error) {
		result, err := tx.Run(t.Context(), endless, nil)
		if err != nil {
			return nil, err
		}
		return result.Consume(t.Context())
	}, neo4j.WithTxTimeout(200*time.Millisecond))
	var known *neo4j.Neo4jError
	if !errors.As(err, &known) || !strings.Contains(known.Code, "TransactionTimedOut") {
		t.Fatal(err)
	}
}

func TestSessions_32AtOnce(t *testing.T) {
	driver := connect(t, "neo4j")
	// a first connection alone: the driver has a data race there
	if err := driver.VerifyConnectivity(t.Context()); err != nil {
		t.Fatal(err)
	}
	var sessions sync.WaitGroup
	for i := range 32 {
		sessions.Go(func() {
			s := driver.NewSession(t.Context(), neo4j.SessionConfig{})
			defer s.Close(t.Context())
			for j := range 50 {
				want := int64(1000*i + j)
				got, err := s.ExecuteRead(t.Context(), func(tx neo4j.ManagedTransaction) (any, error) {
					result, err := tx.Run(t.Context(), "RETURN $x AS x", map[string]any{"x": want})
					if err != nil {
						return nil, err
					}
					record, err := result.Single(t.Context())
					if err != nil {
						return nil, err
					}
					return record.Values[0], nil
				})
				if err != nil || got != want {
					t.Errorf("%v instead of %d: %v", got, want, err)
					return
				}
			}
		})
	}
	sessions.Wait()
}

// TestSessions_Write has several sessions change the graph at once.
func TestSessions_Write(t *testing.T) {
	driver := connect(t, "neo4j")
	label := fmt.Sprintf("W%d", time.Now().UnixNano())
	const writers, times = 8, 20
	if err := driver.VerifyConnectivity(t.Context()); err != nil {
		t.Fatal(err)
	}
	var sessions sync.WaitGroup
	for i := range writers {
		sessions.Go(func() {
			s := driver.NewSession(t.Context(), neo4j.SessionConfig{})
			defer s.Close(t.Context())
			for j := range times {
				_, err := s.ExecuteWrite(t.Context(), func(tx neo4j.ManagedTransaction) (any, error) {
					result, err := tx.Run(t.Context(), "CREATE (a:"+label+" {i: $i, j: $j})-[:T]->(:"+label+")",
						map[string]any{"i": i, "j": j})
					if err != nil {
						return nil, err
					}
					return result.Consume(t.Context())
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	sessions.Wait()
	got, err := single(t.Context(), session(t, driver), "MATCH (a:"+label+")-[:T]->(b:"+label+
		") RETURN count(DISTINCT [a.i, a.j]) AS n", nil)
	if err != nil || got != int64(writers*times) {
		t.Fatal(got, err)
	}
}

// TestSessions_MergeTheSame has 32 transactions of the driver's merge the same node under a constraint, none of which
// sees that of another when it first tries: all of them succeed, and there is one node. Who creates it instead is
// refused for good.
func TestSessions_MergeTheSame(t *testing.T) {
	driver := connect(t, "neo4j")
	s := session(t, driver)
	if _, err := s.Run(t.Context(), "CREATE CONSTRAINT FOR (n:Merged) REQUIRE n.k IS UNIQUE", nil); err != nil {
		t.Fatal(err)
	}
	const writers = 32
	for clause, succeed := range map[string]int{"MERGE (n:Merged {k: 1})": writers, "CREATE (n:Merged {k: 2})": 1} {
		var sessions, ready sync.WaitGroup
		var succeeded, tried atomic.Int64
		ready.Add(writers)
		for range writers {
			sessions.Go(func() {
				s := driver.NewSession(t.Context(), neo4j.SessionConfig{})
				defer s.Close(t.Context())
				first := true
				_, err := s.ExecuteWrite(t.Context(), func(tx neo4j.ManagedTransaction) (any, error) {
					tried.Add(1)
					result, err := tx.Run(t.Context(), clause, nil)
					if err == nil {
						_, err = result.Consume(t.Context())
					}
					if first {
						first = false
						ready.Done()
						ready.Wait()
					}
					return nil, err
				})
				var known *neo4j.Neo4jError
				switch {
				case err == nil:
					succeeded.Add(1)
				case !errors.As(err, &known) || known.Code != "Neo.ClientError.Schema.ConstraintValidationFailed":
					t.Error(clause, err)
				}
			})
		}
		sessions.Wait()
		if succeeded.Load() != int64(succeed) {
			t.Errorf("%s: %d of %d succeeded, in %d tries; expected %d", clause, succeeded.Load(), writers, tried.Load(),
				succeed)
		}
		if succeed == writers && tried.Load() == writers {
			t.Errorf("%s: nobody was late", clause)
		}
	}
	if got, err := single(t.Context(), s, "MATCH (n:Merged) RETURN count(n) AS n", nil); err != nil || got != int64(2) {
		t.Fatal(got, err)
	}
}

// TestSchema_ExecuteQuery changes the schema as drivers do by default, in transactions of their own.
func TestSchema_ExecuteQuery(t *testing.T) {
	driver := connect(t, "neo4j")
	execute := func(text string) (*neo4j.EagerResult, error) {
		return neo4j.ExecuteQuery(t.Context(), driver, text, nil, neo4j.EagerResultTransformer)
	}
	for _, text := range []string{
		"CREATE CONSTRAINT schema_c FOR (n:Schema) REQUIRE n.k IS UNIQUE", "CREATE INDEX schema_i FOR (n:Schema) ON (n.x)",
		"CREATE CONSTRAINT schema_c IF NOT EXISTS FOR (n:Schema) REQUIRE n.k IS UNIQUE", "CREATE (:Schema {k: 1})",
		"DROP INDEX schema_i",
	} {
		if _, err := execute(text); err != nil {
			t.Fatal(text, err)
		}
	}
	var known *neo4j.Neo4jError
	if _, err := execute("CREATE (:Schema {k: 1})"); !errors.As(err, &known) ||
		known.Code != "Neo.ClientError.Schema.ConstraintValidationFailed" {
		t.Error("the constraint does not hold:", err)
	}
	s := session(t, driver)
	tx, err := s.BeginTransaction(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err = tx.Run(t.Context(), "DROP CONSTRAINT schema_c", nil); err == nil {
		err = tx.Rollback(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	if got, err := execute("SHOW CONSTRAINTS"); err != nil || len(got.Records) != 1 {
		t.Error("after a rollback:", got, err)
	}
	_, err = s.ExecuteWrite(t.Context(), func(tx neo4j.ManagedTransaction) (any, error) {
		if _, err := tx.Run(t.Context(), "DROP CONSTRAINT schema_c", nil); err != nil {
			return nil, err
		}
		result, err := tx.Run(t.Context(), "CREATE (:Schema {k: 2})", nil)
		if err != nil {
			return nil, err
		}
		return result.Consume(t.Context())
	})
	if !errors.As(err, &known) || known.Code != "Neo.ClientError.Transaction.ForbiddenDueToTransactionType" {
		t.Error("schema and data in one transaction:", err)
	}
}

// BenchmarkStreaming is rows of one column through the driver, of whose work most of it is.
func BenchmarkStreaming(b *testing.B) {
	driver, err := neo4j.NewDriverWithContext("bolt://"+server(b), neo4j.NoAuth())
	if err != nil {
		b.Fatal(err)
	}
	defer driver.Close(context.Background())
	const rows = 1_000_000
	ctx := context.Background() // with one that can be canceled, the driver reads by a goroutine each time
	for b.Loop() {
		s := driver.NewSession(ctx, neo4j.SessionConfig{FetchSize: neo4j.FetchAll})
		result, err := s.Run(ctx, "UNWIND range(1, $n) AS i RETURN i", map[string]any{"n": rows})
		if err != nil {
			b.Fatal(err)
		}
		for result.Next(ctx) {
		}
		if err := errors.Join(result.Err(), s.Close(ctx)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
