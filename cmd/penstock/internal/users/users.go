// Package users has the commands that say who may use a database by a server, and how.
package users

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/server/auth"
)

// Group is penstock user, and the commands below it.
func Group() app.Command {
	return cli.Group[*app.App]{
		Help: &cobra.Command{
			Use:   "user",
			Short: "Say who may use the database by 'penstock serve', and how",
			Long: `The users of a database lie in its directory, with hashes of their passwords and their
roles. A server that runs takes changes at once. Clients do the same by statements:
CREATE USER, ALTER USER, DROP USER, GRANT ROLE, REVOKE ROLE, SHOW USERS.

The roles, each with the rights of those before it:

  reader  reads, and runs algorithms that write nothing
  writer  changes data, indexes and constraints
  admin   administers users

A role holds on all graphs, or on those that --graph names. A graph on which a user has
no role does not exist for that user.`,
		},
		Below: []app.Command{&add{}, &remove{}, &list{}, grant(), revoke(), role()},
	}
}

// add is penstock user add.
type add struct{ roles []string }

func (c *add) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Let a user in, or give one another password, which is read from standard input",
		Long: `Let a user in, as a writer on all graphs unless --role says otherwise. A user that there
is keeps its roles and gets another password.`,
		Example: `  penstock user add --db ./db ann < password.txt
  penstock user add --db ./db bob --role reader@air --role writer@sea < password.txt`,
		Args: cobra.ExactArgs(1),
	}
	cmd.Flags().StringArrayVar(&c.roles, "role", nil, "`role` of the user, or role@graph; \"\": none (default: writer)")
	return cmd
}

func (c *add) Run(_ context.Context, a *app.App, args []string) error {
	grants, err := parseGrants(c.roles)
	if err != nil {
		return cli.UsageError{Err: err}
	}
	users, err := directory(a)
	if err != nil {
		return err
	}
	password, err := terminal.ReadPassword(a.In, "password of "+args[0]+": ")
	if err != nil {
		return err
	}
	return users.Change(func(users auth.Users) error {
		return users.Add(args[0], added(users, args[0], auth.HashOf(password), grants))
	})
}

// added is a user with a new password. Without grants the user keeps those there are; a new one is a writer.
func added(users auth.Users, name string, hash auth.Hash, grants []auth.Grant) auth.User {
	user, there := users[name]
	switch {
	case grants != nil:
		user.Grants = nil
	case !there:
		grants = []auth.Grant{{Role: auth.Writer}}
	}
	for _, g := range grants {
		user = user.Granted(g)
	}
	user.Hash, user.Expired = hash, false
	return user
}

// parseGrants reads --role flags; nil: there are none.
func parseGrants(texts []string) (grants []auth.Grant, err error) {
	if texts != nil {
		grants = []auth.Grant{}
	}
	for _, text := range texts {
		if text == "" {
			continue
		}
		g, err := auth.ParseGrant(text)
		if err != nil {
			return nil, err
		}
		grants = append(grants, g)
	}
	return grants, nil
}

// remove is penstock user remove.
type remove struct{}

func (*remove) Describe() *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Let a user in no more",
		Args:  cobra.ExactArgs(1),
	}
}

func (*remove) Run(_ context.Context, a *app.App, args []string) error {
	return change(a, func(users auth.Users) error {
		if _, err := find(users, args[0]); err != nil {
			return err
		}
		delete(users, args[0])
		return nil
	})
}

// find is a user, or an error with the names there are.
func find(users auth.Users, name string) (auth.User, error) {
	user, err := users.Find(name)
	if err != nil {
		err = fmt.Errorf("%w; there are: %s", err, strings.Join(users.Names(), ", "))
	}
	return user, err
}

// list is penstock user list.
type list struct{}

func (*list) Describe() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "Name the users and their roles",
		Args:  cobra.NoArgs,
	}
}

func (*list) Run(_ context.Context, a *app.App, _ []string) error {
	directory, err := directory(a)
	if err != nil {
		return err
	}
	users, err := directory.Users()
	if err != nil {
		return err
	}
	return printUsers(a, users)
}

func printUsers(a *app.App, users auth.Users) error {
	type line struct {
		User  string   `json:"user"`
		Roles []string `json:"roles"`
	}
	lines := []line{}
	for _, name := range users.Names() {
		l := line{User: name, Roles: []string{}}
		for _, g := range users[name].Grants {
			l.Roles = append(l.Roles, g.String())
		}
		lines = append(lines, l)
	}
	if a.JSON {
		return a.PrintJSON(map[string][]line{"users": lines})
	}
	for _, l := range lines {
		roles := strings.Join(l.Roles, ",")
		if roles == "" {
			roles = "no role"
		}
		fmt.Fprintf(a.Out, "%s %s\n", l.User, roles)
	}
	return nil
}

// change changes the users of the database.
func change(a *app.App, change func(auth.Users) error) error {
	directory, err := directory(a)
	if err != nil {
		return err
	}
	return directory.Change(change)
}

// directory is where the users of the database are.
func directory(a *app.App) (*auth.Directory, error) {
	if a.Dir == "" {
		return nil, app.ErrNoDirectory
	}
	if _, err := os.Stat(a.Dir); err != nil {
		return nil, fmt.Errorf("there is no database %s: 'penstock load' makes one", a.Dir)
	}
	return auth.OpenDirectory(auth.File(a.Dir), nil)
}
