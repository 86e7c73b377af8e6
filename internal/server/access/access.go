// Package access lets users do with graphs what they are granted, and no more. It stands between
// a server and its database:
//
//	session ─▶ access.Database ─▶ database
//	              └─▶ auth: which role has this user on this graph, now?
//
// Rights are looked up anew for each statement and commit, so what is granted, revoked or removed
// takes effect at once, also for users that are logged in. A graph on which a user has no role is to
// that user as one that does not exist.
package access

import (
	"context"
	"errors"
	"fmt"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/auth"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
)

// Database is a database with rights.
type Database struct {
	inner backend.Database
	guard *auth.Guard
}

// New puts rights before a database.
func New(inner backend.Database, guard *auth.Guard) *Database {
	return &Database{inner: inner, guard: guard}
}

// Authenticator lets users in by a guard.
type Authenticator struct{ Guard *auth.Guard }

// Authenticate is the guard's, for the caller's address.
func (a Authenticator) Authenticate(ctx context.Context, scheme, user, password string) (string, error) {
	return a.Guard.Authenticate(ctx, backend.CallerOf(ctx).IP(), scheme, user, password)
}

// Begin begins a transaction that only reads if its user may do no more.
func (d *Database) Begin(ctx context.Context, graph string, access backend.Access) (backend.Transaction, error) {
	r, err := d.rights(ctx, graph)
	if err != nil {
		return nil, err
	}
	tx, err := d.inner.Begin(ctx, graph, r.limit(access))
	if err != nil {
		return nil, r.explain(ctx, access, err)
	}
	return &transaction{Transaction: tx, database: d, graph: graph, access: access, began: r.limit(access)}, nil
}

// Run runs a statement with the rights of its user.
func (d *Database) Run(ctx context.Context, graph string, access backend.Access, text string,
	params map[string]value.Value) (backend.Result, error) {
	r, err := d.rights(ctx, graph)
	if err != nil {
		return nil, err
	}
	result, err := d.inner.Run(ctx, graph, r.limit(access), text, params)
	if err != nil {
		return nil, r.explain(ctx, access, err)
	}
	return result, nil
}

// Home is the graph of a caller that names none: that of the server, if the caller has a role on it, else the
// only one on which the caller has a role.
func (d *Database) Home(ctx context.Context, graph string) string {
	user, err := d.user(ctx)
	switch {
	case err != nil:
		return ""
	case graph != "" && user.RoleOn(graph) > 0:
		return graph
	}
	return user.OnlyGraph()
}

// transaction looks the rights up before each statement.
type transaction struct {
	backend.Transaction
	database *Database
	graph    string
	access   backend.Access // that was asked for
	began    backend.Access // that there is
}

func (t *transaction) Run(ctx context.Context, text string, params map[string]value.Value) (backend.Result, error) {
	r, err := t.still(ctx)
	if err != nil {
		return nil, err
	}
	result, err := t.Transaction.Run(ctx, text, params)
	if err != nil {
		return nil, r.explain(ctx, t.access, err)
	}
	return result, nil
}

func (t *transaction) Commit(ctx context.Context) (string, error) {
	if _, err := t.still(ctx); err != nil {
		return "", err
	}
	return t.Transaction.Commit(ctx)
}

// still fails when the user has lost the rights with which the transaction began.
func (t *transaction) still(ctx context.Context) (rights, error) {
	r, err := t.database.rights(ctx, t.graph)
	if err == nil && t.began == backend.Write && r.role < auth.Writer {
		err = &status.Error{Status: status.Forbidden, Message: fmt.Sprintf("user %s may no longer change graph %s", r.name,
			t.graph)}
	}
	return r, err
}

// rights are what the caller may do with a graph.
type rights struct {
	name    string
	graph   string
	role    auth.Role
	seesAll bool
}

// rights fails when the caller may do nothing with the graph.
func (d *Database) rights(ctx context.Context, graph string) (rights, error) {
	r := rights{name: backend.CallerOf(ctx).User, graph: graph}
	user, err := d.user(ctx)
	if err != nil {
		return r, err
	}
	if user.Expired {
		return r, &status.Error{Status: status.Expired, Message: "the password must be changed before anything else: ALTER CURRENT USER SET PASSWORD FROM 'old' TO 'new'"}
	}
	r.role, r.seesAll = user.RoleOn(graph), user.SeesAll()
	switch {
	case graph == "":
		return r, &status.Error{Status: status.UnknownGraph,
			Message: "which graph? choose one by the driver's setting for the database"}
	case r.role == 0:
		return r, r.hidden()
	}
	return r, nil
}

// openUser is every client of a server that requires no login.
var openUser = auth.User{Grants: []auth.Grant{{Role: auth.Admin}}}

// user is the caller as of now.
func (d *Database) user(ctx context.Context) (auth.User, error) {
	if open, err := d.guard.Open(); err != nil || open {
		return openUser, err
	}
	user, err := d.guard.Find(backend.CallerOf(ctx).User)
	if errors.As(err, new(*auth.UnknownUserError)) {
		return user, &status.Error{Status: status.Unauthorized,
			Message: "you are no longer a user of this server: log in again"}
	}
	return user, err
}

// Administrator tells whether the caller is one, as of now.
func (d *Database) Administrator(ctx context.Context) bool {
	user, err := d.user(ctx)
	return err == nil && user.IsAdmin() && !user.Expired
}

// limit is the access that the role allows.
func (r rights) limit(wanted backend.Access) backend.Access {
	if r.role < auth.Writer {
		return backend.Read
	}
	return wanted
}

// explain is err as the user may learn of it: no names of other graphs, and why a write was refused.
func (r rights) explain(ctx context.Context, wanted backend.Access, err error) error {
	switch code := status.CodeOf(ctx, err); {
	case code == status.UnknownGraph && !r.seesAll:
		return r.hidden()
	case code == writesInRead && wanted == backend.Write && r.role < auth.Writer:
		return &status.Error{Status: status.Forbidden, Message: fmt.Sprintf("user %s may only read graph %s", r.name,
			r.graph)}
	}
	return err
}

const writesInRead = "Neo.ClientError.Statement.AccessMode"

// hidden is the same for a graph that does not exist and one on which the user has no role.
func (r rights) hidden() error {
	return &status.Error{Status: status.UnknownGraph,
		Message: fmt.Sprintf("there is no graph %q, or you have no role on it", r.graph)}
}
