package admin

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/auth"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
)

// Commands administers users as callers ask for it.
type Commands struct {
	Users *auth.Directory
	Guard *auth.Guard
}

// Is tells whether a statement administers, right or wrong.
func (c *Commands) Is(text string) bool { return Is(text) }

// Run runs a statement that administers. Admins may do everything, others look at themselves and
// change their own password.
func (c *Commands) Run(ctx context.Context, text string, params map[string]value.Value) (backend.Result, error) {
	s, err := parse(text)
	if s == nil || err != nil {
		return nil, err
	}
	caller, err := c.caller(ctx, s)
	if err != nil {
		return nil, err
	}
	table, err := s.run(call{Commands: c, ctx: ctx, name: caller, params: params})
	return resultOf(table, err)
}

// resultOf gives errors their codes.
func resultOf(table *backend.Table, err error) (backend.Result, error) {
	var coded interface{ Code() string }
	switch {
	case err == nil:
		return table, nil
	case errors.As(err, &coded):
		return nil, err
	case errors.As(err, new(*auth.UnknownUserError)), errors.As(err, new(*auth.NameError)),
		errors.As(err, new(*auth.RoleError)), errors.As(err, new(*auth.FixedUserError)):
		return nil, &status.Error{Status: invalid, Message: err.Error()}
	}
	return nil, err
}

const (
	invalid = "Neo.ClientError.General.InvalidArguments"
	missing = "Neo.ClientError.Statement.ParameterMissing"
)

// caller is the name of the user that runs a statement, if that user has the right to.
func (c *Commands) caller(ctx context.Context, s statement) (string, error) {
	open, err := c.Guard.Open()
	if err != nil {
		return "", err
	}
	if open {
		return "", &status.Error{Status: status.Forbidden,
			Message: "this server requires no login: make users by 'penstock user add'"}
	}
	name := backend.CallerOf(ctx).User
	user, err := c.Users.Find(name)
	if err != nil {
		return "", &status.Error{Status: status.Unauthorized,
			Message: "you are no longer a user of this server: log in again"}
	}
	switch s.(type) {
	case showCurrentUser, changePassword:
		return name, nil
	}
	switch {
	case user.Expired:
		return "", &status.Error{Status: status.Expired,
			Message: "the password must be changed before anything else: ALTER CURRENT USER SET PASSWORD FROM 'old' TO 'new'"}
	case !user.IsAdmin():
		return "", &status.Error{Status: status.Forbidden, Message: "only admins may administer users"}
	}
	return name, nil
}
