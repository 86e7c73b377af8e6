package access

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/server/auth"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
	"github.com/penstock-db/penstock/internal/testseed"
)

// fake has the graphs air and sea, and statements READ and WRITE.
type fake struct{}

type fakeTransaction struct {
	backend.Transaction
	access backend.Access
}

func (fake) Begin(_ context.Context, graph string, access backend.Access) (backend.Transaction, error) {
	if graph != "air" && graph != "sea" {
		return nil, &status.Error{Status: status.UnknownGraph, Message: "there are air and sea"}
	}
	return fakeTransaction{access: access}, nil
}

func (f fake) Run(ctx context.Context, graph string, access backend.Access, text string,
	params map[string]value.Value) (backend.Result, error) {
	tx, err := f.Begin(ctx, graph, access)
	if err != nil {
		return nil, err
	}
	return tx.Run(ctx, text, params)
}

func (t fakeTransaction) Run(_ context.Context, text string, _ map[string]value.Value) (backend.Result, error) {
	if text == "WRITE" && t.access == backend.Read {
		return nil, &fault.Error{Kind: fault.AccessMode, Message: "the transaction only reads"}
	}
	return &backend.Table{}, nil
}

func (fakeTransaction) Commit(context.Context) (string, error) { return "", nil }
func (fakeTransaction) Rollback()                              {}

// world is a database with users that are changed by hand.
func world(t *testing.T) (*Database, *auth.Directory) {
	t.Helper()
	users, err := auth.OpenDirectory(filepath.Join(t.TempDir(), "users"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return New(fake{}, auth.NewGuard(users, auth.NewThrottle(), auth.LoginRequired)), users
}

func grants(t *testing.T, users *auth.Directory, name string, grants ...auth.Grant) {
	t.Helper()
	if err := users.Change(func(all auth.Users) error {
		return all.Add(name,
			auth.User{Hash: hash, Grants: grants})
	}); err != nil {
		t.Fatal(err)
	}
}

var hash = auth.HashOf("x")

func as(ctx context.Context, name string) context.Context {
	return backend.WithCaller(ctx, backend.Caller{User: name})
}

func code(ctx context.Context, err error) string {
	if err == nil {
		return ""
	}
	return status.CodeOf(ctx, err)
}

// TestDatabase_Random draws grants, graphs and access, and compares what is refused with what the
// sentences of the documentation say.
func TestDatabase_Random(t *testing.T) {
	random := testseed.Rand(t)
	d, users := world(t)
	for range 300 {
		var given []auth.Grant
		reads, writes := map[string]bool{}, map[string]bool{}
		all := false
		for range random.IntN(3) {
			g := auth.Grant{Role: auth.Role(1 + random.IntN(3)), Graph: []string{"", "air", "sea", "none"}[random.IntN(4)]}
			if g.Role == auth.Admin {
				g.Graph = ""
			}
			given = append(given, g)
			for _, graph := range []string{"air", "sea", "none"} {
				if g.Graph == "" || g.Graph == graph {
					reads[graph] = true
					writes[graph] = writes[graph] || g.Role > auth.Reader
				}
			}
			all = all || g.Graph == ""
		}
		grants(t, users, "ann", given...)
		graph, access, text := []string{"air", "sea", "none"}[random.IntN(3)], backend.Access(random.IntN(2)),
			[]string{"READ", "WRITE"}[random.IntN(2)]
		want := ""
		switch {
		case !reads[graph] || graph == "none":
			want = status.UnknownGraph
		case text == "WRITE" && access == backend.Read:
			want = "Neo.ClientError.Statement.AccessMode"
		case text == "WRITE" && !writes[graph]:
			want = status.Forbidden
		}
		ctx := as(t.Context(), "ann")
		_, err := d.Run(ctx, graph, access, text, nil)
		if got := code(ctx, err); got != want {
			t.Fatalf("%v: %s on %s with access %d: %q, not %q", given, text, graph, access, got, want)
		}
		if hidden := fmt.Sprintf("there is no graph %q, or you have no role on it", graph); want == status.UnknownGraph &&
			!all && err.Error() != hidden {
			t.Fatalf("%v: %v", given, err)
		}
		tx, err := d.Begin(ctx, graph, access)
		if err == nil {
			_, err = tx.Run(ctx, text, nil)
		}
		if got := code(ctx, err); got != want {
			t.Fatalf("%v: %s on %s with access %d in a transaction: %q, not %q", given, text, graph, access, got, want)
		}
	}
}

// What changes while a transaction is open counts for its next statement and its commit.
func TestTransaction_RightsChange(t *testing.T) {
	d, users := world(t)
	ctx := as(t.Context(), "ann")
	for _, c := range []struct {
		access backend.Access
		now    []auth.Grant
		code   string
	}{
		{backend.Write, []auth.Grant{{Role: auth.Writer, Graph: "air"}}, ""},
		{backend.Write, []auth.Grant{{Role: auth.Reader, Graph: "air"}}, status.Forbidden},
		{backend.Read, []auth.Grant{{Role: auth.Reader, Graph: "air"}}, ""},
		{backend.Read, []auth.Grant{{Role: auth.Reader, Graph: "sea"}}, status.UnknownGraph},
		{backend.Write, nil, status.UnknownGraph},
	} {
		grants(t, users, "ann", auth.Grant{Role: auth.Writer})
		tx, err := d.Begin(ctx, "air", c.access)
		if err != nil {
			t.Fatal(err)
		}
		grants(t, users, "ann", c.now...)
		_, ran := tx.Run(ctx, "READ", nil)
		_, committed := tx.Commit(ctx)
		if code(ctx, ran) != c.code || code(ctx, committed) != c.code {
			t.Errorf("%+v: %v %v", c, ran, committed)
		}
	}
	tx, err := d.Begin(as(t.Context(), "ann"), "air", backend.Read)
	if err == nil {
		t.Error("without a role: ", tx)
	}
}

// Where no login is required, every client may do everything with graphs.
func TestDatabase_NobodyAsked(t *testing.T) {
	users, err := auth.OpenDirectory(filepath.Join(t.TempDir(), "users"), auth.Users{"ann": {Hash: hash}})
	if err != nil {
		t.Fatal(err)
	}
	d := New(fake{}, auth.NewGuard(users, auth.NewThrottle(), auth.LoginDisabled))
	if _, err := d.Run(as(t.Context(), ""), "air", backend.Write, "WRITE", nil); err != nil {
		t.Error(err)
	}
	if home := d.Home(as(t.Context(), ""), "air"); home != "air" {
		t.Error(home)
	}
}

func TestDatabase_Home(t *testing.T) {
	d, users := world(t)
	for _, c := range []struct {
		grants []auth.Grant
		home   string
	}{
		{nil, ""},
		{[]auth.Grant{{Role: auth.Reader}}, "air"},
		{[]auth.Grant{{Role: auth.Reader, Graph: "sea"}}, "sea"},
		{[]auth.Grant{{Role: auth.Reader, Graph: "sea"}, {Role: auth.Writer, Graph: "sea"}}, "sea"},
		{[]auth.Grant{{Role: auth.Reader, Graph: "air"}, {Role: auth.Reader, Graph: "sea"}}, "air"},
		{[]auth.Grant{{Role: auth.Reader, Graph: "lake"}, {Role: auth.Reader, Graph: "sea"}}, ""},
	} {
		grants(t, users, "ann", c.grants...)
		if got := d.Home(as(t.Context(), "ann"), "air"); got != c.home {
			t.Errorf("%v: %q", c.grants, got)
		}
	}
	if got := d.Home(as(t.Context(), "nobody"), "air"); got != "" {
		t.Error(got)
	}
	var f *status.Error
	if _, err := d.Run(as(t.Context(), ""), "air", backend.Read, "READ", nil); !errors.As(err, &f) ||
		f.Status != status.Unauthorized {
		t.Error("without a name: ", err)
	}
}
