package drivertest

import (
	"context"
	"net"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/query/ast"
	"github.com/penstock-db/penstock/query/fault"
	"github.com/penstock-db/penstock/server/bolt"
)

const endless = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b UNWIND range(1, 100000) AS c WITH a WHERE a < 0 RETURN count(a) AS n"

// server starts a server for the time of the test and returns its address.
func server(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- bolt.NewServer(&fake{x: map[string]int64{}, n: map[string]int64{}}, bolt.Options{Graph: "g"}).Serve(ctx, listener)
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return listener.Addr().String()
}

type fake struct{ x, n map[string]int64 }
type fakeTx struct {
	f     *fake
	label string
	seen  int64
}

func (f *fake) Begin(context.Context, string, bolt.Access) (bolt.Transaction, error) {
	return &fakeTx{f: f}, nil
}

func (f *fake) Run(ctx context.Context, graph string, a bolt.Access, text string, params map[string]value.Value) (bolt.Result, error) {
	tx := &fakeTx{f: f}
	r, err := tx.Run(ctx, text, params)
	if err == nil {
		_, err = tx.Commit(ctx)
	}
	return r, err
}

func (x *fakeTx) Commit(context.Context) (string, error) {
	x.f.n[x.label]++
	return "b", nil
}
func (x *fakeTx) Rollback() {}

func (x *fakeTx) Run(ctx context.Context, text string, params map[string]value.Value) (bolt.Result, error) {
	r := &fakeResult{ctx: ctx, columns: []string{"x"}, n: 1, kind: "r"}
	field := func(i int) string { return strings.NewReplacer(":", "", "(n", "").Replace(strings.Fields(text)[i]) }
	switch {
	case text == "RETURN $x AS x":
		r.row = []value.Value{params["x"]}
	case text == endless:
		r.n, r.quiet = 1<<62, true
	case strings.HasPrefix(text, "UNWIND"):
		r.n, r.columns = params["n"].Int(), []string{"i"}
	case strings.HasPrefix(text, "CREATE p"):
		r.columns, r.kind, r.counters = []string{"a", "r", "p"}, "rw", bolt.Counters{NodesCreated: 2, RelationshipsCreated: 1}
		a := value.OfNode(&value.NodeContent{ID: 1, Labels: []string{"A", "B"}, Properties: []value.Entry{{Key: "n", Value: value.OfInt(1)}}})
		rel := value.OfRelationship(&value.RelationshipContent{ID: 3, Start: 1, End: 2, Type: "T", Properties: []value.Entry{{Key: "w", Value: value.OfFloat(2.5)}}})
		p := value.OfPath(&value.PathContent{Nodes: []value.Value{a, value.OfNode(&value.NodeContent{ID: 2})}, Relationships: []value.Value{rel}})
		r.row = []value.Value{a, rel, p}
	case strings.HasPrefix(text, "CREATE (:"):
		x.label, r.n = field(1)[1:len(field(1))-1], 0
	case strings.HasPrefix(text, "CREATE (n:"):
		r.row = []value.Value{value.OfInt(0)}
	case strings.Contains(text, "SET"):
		l := field(1)
		if x.seen != 0 && x.seen != x.f.x[l]+1 {
			return nil, fault.Met(fault.Conflict, "", "late")
		}
		x.f.x[l]++
		r.row = []value.Value{value.OfInt(x.f.x[l])}
	case strings.Contains(text, "count(n)"):
		r.row = []value.Value{value.OfInt(x.f.n[field(1)[:len(field(1))-1]])}
	case strings.HasPrefix(text, "MATCH"):
		x.seen = x.f.x[field(1)] + 1
	default:
		return nil, fault.New(fault.SyntaxError, "", ast.Position{}, "bad")
	}
	return r, nil
}

type fakeResult struct {
	ctx      context.Context
	columns  []string
	n, at    int64
	row      []value.Value
	quiet    bool
	kind     string
	counters bolt.Counters
}

func (r *fakeResult) Columns() []string { return r.columns }
func (r *fakeResult) Next() bool {
	if r.ctx.Err() != nil || r.at >= r.n {
		return false
	}
	if r.quiet {
		<-r.ctx.Done()
		return false
	}
	r.at++
	if r.row == nil || r.n > 1 {
		r.row = append(r.row[:0], value.OfInt(r.at))
	}
	return true
}
func (r *fakeResult) Row() []value.Value { return r.row }
func (r *fakeResult) Err() error         { return r.ctx.Err() }
func (r *fakeResult) Close() error       { return nil }
func (r *fakeResult) Summary() bolt.Summary {
	return bolt.Summary{Type: r.kind, Counters: r.counters, Bookmark: "b"}
}
