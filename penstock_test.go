package penstock

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/allowlist"
)

func openNew(t *testing.T) *DB {
	t.Helper()
	db, err := Open(filepath.Join(t.TempDir(), "db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.CreateGraph(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	return db
}

// one is the only row of a statement.
func one(t *testing.T, db *DB, statement string, parameters map[string]any) []any {
	t.Helper()
	rows, err := db.Query(t.Context(), "g", statement, parameters)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if !rows.Next() {
		t.Fatalf("no row: %v", rows.Err())
	}
	return rows.Values()
}

// A parameter of every type comes back as it went in, or as the type that Rows.Values names for it.
func TestQuery_Values(t *testing.T) {
	db := openNew(t)
	zone := time.FixedZone("", 2*60*60)
	at := time.Date(2024, 2, 29, 23, 58, 59, 7, time.UTC)
	for _, c := range []struct{ given, want any }{
		{nil, nil}, {true, true}, {-3, int64(-3)}, {uint8(200), int64(200)}, {1.5, 1.5}, {float32(0.5), 0.5},
		{"text", "text"},
		{[]string{"a", "b"}, []any{"a", "b"}},
		{[]any{nil, 1, []int{2}}, []any{nil, int64(1), []any{int64(2)}}},
		{map[string]any{"k": map[string]int{"n": 1}}, map[string]any{"k": map[string]any{"n": int64(1)}}},
		{Date(at.In(zone)), Date(time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC))},
		{LocalDateTime(at.In(zone)), LocalDateTime(time.Date(2024, 3, 1, 1, 58, 59, 7, time.UTC))},
		{LocalTime(5 * time.Hour), LocalTime(5 * time.Hour)},
		{OffsetTime{LocalTime(time.Minute), -3600}, OffsetTime{LocalTime(time.Minute), -3600}},
		{Duration{Months: 1, Days: -2, Seconds: -3, Nanos: 4}, Duration{Months: 1, Days: -2, Seconds: -3, Nanos: 4}},
		{Point{SRID: 9157, X: 1, Y: 2, Z: 3}, Point{SRID: 9157, X: 1, Y: 2, Z: 3}},
	} {
		if got := one(t, db, "RETURN $x", map[string]any{"x": c.given})[0]; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%#v came back as %#v", c.given, got)
		}
	}
	got := one(t, db, "RETURN $x", map[string]any{"x": at.In(zone)})[0]
	moment, ok := got.(time.Time)
	if _, offset := moment.Zone(); !ok || !moment.Equal(at) || offset != 2*60*60 {
		t.Errorf("%v came back as %#v", at.In(zone), got)
	}
}

// What no statement can have is refused as a type error that names the parameter.
func TestQuery_RefusesParameters(t *testing.T) {
	db := openNew(t)
	endless := map[string]any{}
	endless["self"] = endless
	for name, given := range map[string]any{
		"channel": make(chan int), "pointer": new(int), "struct": struct{}{}, "node": Node{}, "endless": endless,
		"large": ^uint64(0), "keys": map[int]string{}, "time": LocalTime(24 * time.Hour), "early": LocalTime(-1),
		"offset": OffsetTime{Offset: 70000}, "nanos": Duration{Nanos: -1}, "point": Point{SRID: 1},
		"far": Date(time.Date(1_000_000_000, 1, 1, 0, 0, 0, 0, time.UTC)),
	} {
		_, err := db.Query(t.Context(), "g", "RETURN $x", map[string]any{"x": given})
		var of *StatementError
		if !errors.As(err, &of) || of.Kind != "TypeError" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestQuery_Entities(t *testing.T) {
	db := openNew(t)
	row := one(t, db, "CREATE p = (:A:B {x: 1})-[:R {y: [2]}]->() RETURN p", nil)
	path, ok := row[0].(Path)
	if !ok || len(path.Nodes) != 2 || len(path.Relationships) != 1 {
		t.Fatalf("%#v", row[0])
	}
	a, r := path.Nodes[0], path.Relationships[0]
	if fmt.Sprintf("%v %v %v %v", a.Labels, a.Properties, r.Type, r.Properties) != "[A B] map[x:1] R map[y:[2]]" ||
		r.Start != a.ID || r.End != path.Nodes[1].ID {
		t.Errorf("%+v", path)
	}
}

// Errors are of the class that programs decide by, and keep what they said.
func TestErrors(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	db, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.CreateGraph(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	reading, err := db.Begin(t.Context(), "g", false)
	if err != nil {
		t.Fatal(err)
	}
	defer reading.Rollback()
	_, unknown := db.Graph(t.Context(), "none")
	_, missing := OpenWith(filepath.Join(t.TempDir(), "none"), Options{MustExist: true})
	_, written := reading.Query(t.Context(), "CREATE ()", nil)
	_, locked := Open(dir)
	if err := allowlist.Disable(dir, "mine"); err != nil {
		t.Fatal(err)
	}
	_, refused := db.Run(t.Context(), "g", Request{Algorithm: "wcc", Device: "mine"})
	for want, got := range map[error]error{
		ErrUnknownGraph: unknown, ErrMissing: missing, ErrReadOnly: written, ErrLocked: locked,
		ErrGraphExists: db.CreateGraph(t.Context(), "g"), ErrNotEnabled: refused,
	} {
		if !errors.Is(got, want) || errors.Is(got, ErrConflict) || got.Error() == want.Error() {
			t.Errorf("%v is not %v", got, want)
		}
	}
	var of *StatementError
	_, err = db.Query(t.Context(), "g", "RETURN 1 +", nil)
	if !errors.As(err, &of) || of.Kind != "SyntaxError" || of.Line != 1 || of.Code == "" {
		t.Errorf("%#v", err)
	}
}

// What statements have changed shows in a graph's counts at once.
func TestGraph_CountsChanges(t *testing.T) {
	db := openNew(t)
	one(t, db, "CREATE (a)-[:R]->(b) RETURN a", nil)
	g, err := db.Graph(t.Context(), "g")
	if err != nil || g.Vertices != 2 || g.Edges != 1 || g.Changes == 0 || g.Order != "none" {
		t.Errorf("%+v, %v", g, err)
	}
	if err := db.Compact(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	all, err := db.Graphs(t.Context())
	if err != nil || len(all) != 1 || all[0].Vertices != 2 || all[0].Changes != 0 || len(all[0].Types) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}
