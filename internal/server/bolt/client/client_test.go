package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/fake"
	"github.com/penstock-db/penstock/internal/server/status"
)

// serve serves a database until the test ends, and returns the address.
func serve(t *testing.T, db *fake.Database, options bolt.Options) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- bolt.NewServer(db, options).Serve(ctx, listener) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := db.Open.Load(); n != 0 {
			t.Errorf("%d results or transactions were left open", n)
		}
	})
	return listener.Addr().String()
}

func connect(t *testing.T, db *fake.Database, login Login, options bolt.Options) *Client {
	t.Helper()
	r, err := Dial(t.Context(), "bolt://"+serve(t, db, options), login)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// sum reads a result to its end.
func sum(t *testing.T, result backend.Result, err error) (rows int) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for result.Next() {
		if got := result.Row()[0].Int(); got != int64(rows) {
			t.Fatalf("row %d is %d", rows, got)
		}
		rows++
	}
	if err := errors.Join(result.Err(), result.Close()); err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestClient_Run(t *testing.T) {
	r := connect(t, fake.New(), Login{}, bolt.Options{})
	for _, rows := range []int{0, 1, fetchRows, fetchRows + 1, 10 * fetchRows} {
		text := fmt.Sprintf("COUNT %d", rows)
		result, err := r.Run(t.Context(), "", backend.Read, text, nil)
		if got := sum(t, result, err); got != rows {
			t.Fatal(got, rows)
		}
	}
	result, err := r.Run(t.Context(), "", backend.Write, "CREATE", nil)
	if sum(t, result, err); result.Summary().Counters.NodesCreated != 1 || result.Summary().Type != "rw" {
		t.Fatal(result.Summary())
	}
}

func TestClient_ResultIsLeft(t *testing.T) {
	r := connect(t, fake.New(), Login{}, bolt.Options{})
	for range 3 {
		result, err := r.Run(t.Context(), "", backend.Read, "COUNT 1000000", nil)
		if err != nil || !result.Next() {
			t.Fatal(err)
		}
		if err := result.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestClient_Transaction(t *testing.T) {
	db := fake.New()
	r := connect(t, db, Login{}, bolt.Options{})
	for _, commit := range []bool{true, false} {
		tx, err := r.Begin(t.Context(), "", backend.Write)
		if err != nil {
			t.Fatal(err)
		}
		result, err := tx.Run(t.Context(), "CREATE", nil)
		sum(t, result, err)
		if commit {
			if bookmark, err := tx.Commit(t.Context()); err != nil || bookmark != "fake:1" {
				t.Fatal(bookmark, err)
			}
		}
		tx.Rollback()
	}
	if db.Committed() != 1 {
		t.Fatal(db.Committed())
	}
}

func TestClient_FailureEndsTheTransaction(t *testing.T) {
	r := connect(t, fake.New(), Login{}, bolt.Options{})
	tx, err := r.Begin(t.Context(), "", backend.Write)
	if err != nil {
		t.Fatal(err)
	}
	var f *status.Error
	if _, err := tx.Run(t.Context(), "NO SUCH", nil); !errors.As(err, &f) ||
		f.Code() != "Neo.ClientError.Statement.SyntaxError" {
		t.Fatal(err)
	}
	if _, err := tx.Commit(t.Context()); err == nil {
		t.Fatal("what failed was committed")
	}
	tx.Rollback()
	result, err := r.Run(t.Context(), "", backend.Read, "COUNT 3", nil)
	sum(t, result, err)
}

func TestClient_Cancel(t *testing.T) {
	db := fake.New()
	r := connect(t, db, Login{}, bolt.Options{})
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		result, err := r.Run(ctx, "", backend.Read, "HANG", nil)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			<-db.Entered
			cancel()
		}()
		if result.Next() || !errors.Is(result.Err(), context.Canceled) {
			t.Fatal(result.Err())
		}
		result.Close()
		result, err = r.Run(t.Context(), "", backend.Read, "COUNT 3", nil)
		sum(t, result, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond) // while rows are on their way
	defer cancel()
	if result, err := r.Run(ctx, "", backend.Read, "COUNT 100000000", nil); err == nil {
		for result.Next() {
		}
		result.Close()
	}
	result, err := r.Run(t.Context(), "", backend.Read, "COUNT 3", nil)
	sum(t, result, err)
}

// onlyAnn lets one user in.
type onlyAnn struct{}

func (onlyAnn) Authenticate(_ context.Context, scheme, user, password string) (string, error) {
	if scheme == "basic" && user == "ann" && password == "sesame" {
		return user, nil
	}
	return "", errors.New("the name or the password is wrong")
}

func TestClient_Login(t *testing.T) {
	address := serve(t, fake.New(), bolt.Options{Auth: onlyAnn{}})
	r, err := Dial(t.Context(), "bolt://"+address, Login{User: "ann", Password: "sesame"})
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	var f *status.Error
	if _, err := Dial(t.Context(), "neo4j://"+address, Login{User: "ann", Password: "x"}); !errors.As(err, &f) ||
		f.Code() != status.Unauthorized {
		t.Fatal(err)
	}
	if _, err := Dial(t.Context(), "http://"+address, Login{}); err == nil {
		t.Fatal("http is not Bolt")
	}
}
