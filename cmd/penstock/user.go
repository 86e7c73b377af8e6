package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/server/auth"
)

func (a *app) userCommand() *cobra.Command {
	cmd := &cobra.Command{
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
	}
	cmd.AddCommand(a.userAddCommand(), a.userRemoveCommand(), a.userListCommand(), a.userGrantCommand(), a.userRevokeCommand(), a.userRoleCommand())
	return cmd
}

func (a *app) userAddCommand() *cobra.Command {
	var roles []string
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Let a user in, or give one another password, which is read from standard input",
		Long: `Let a user in, as a writer on all graphs unless --role says otherwise. A user that there
is keeps its roles and gets another password.`,
		Example: `  penstock user add --db ./db ann < password.txt
  penstock user add --db ./db bob --role reader@air --role writer@sea < password.txt`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			grants, err := parseGrants(roles)
			if err != nil {
				return cli.UsageError{Err: err}
			}
			if _, err := a.userDirectory(); err != nil {
				return err
			}
			password, err := a.readPassword("password of " + args[0] + ": ")
			if err != nil {
				return err
			}
			return a.changeUsers(func(users auth.Users) error {
				return users.Add(args[0], added(users, args[0], auth.HashOf(password), grants))
			})
		},
	}
	cmd.Flags().StringArrayVar(&roles, "role", nil, "`role` of the user, or role@graph; \"\": none (default: writer)")
	return cmd
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

func (a *app) userRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Let a user in no more",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.changeUsers(func(users auth.Users) error {
				if _, err := findUser(users, args[0]); err != nil {
					return err
				}
				delete(users, args[0])
				return nil
			})
		},
	}
}

// findUser is a user, or an error with the names there are.
func findUser(users auth.Users, name string) (auth.User, error) {
	user, err := users.Find(name)
	if err != nil {
		err = fmt.Errorf("%w; there are: %s", err, strings.Join(users.Names(), ", "))
	}
	return user, err
}

func (a *app) userListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "Name the users and their roles",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			directory, err := a.userDirectory()
			if err != nil {
				return err
			}
			users, err := directory.Users()
			if err != nil {
				return err
			}
			return a.printUsers(users)
		},
	}
}

func (a *app) printUsers(users auth.Users) error {
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

func (a *app) userGrantCommand() *cobra.Command {
	return a.grantCommand(cobra.Command{
		Use:     "grant NAME ROLE",
		Short:   "Give a user a role",
		Example: `  penstock user grant --db ./db bob writer --graph sea`,
	}, func(user auth.User, g auth.Grant) (auth.User, error) { return user.Granted(g), nil })
}

func (a *app) userRevokeCommand() *cobra.Command {
	return a.grantCommand(cobra.Command{
		Use:   "revoke NAME ROLE",
		Short: "Take a role from a user, on all graphs or on those that --graph names",
	}, auth.User.Revoked)
}

func (a *app) userRoleCommand() *cobra.Command {
	return a.grantCommand(cobra.Command{
		Use:   "role NAME ROLE",
		Short: "Give a user a role in place of all others",
	}, func(user auth.User, g auth.Grant) (auth.User, error) {
		user.Grants = nil
		return user.Granted(g), nil
	})
}

// grantCommand changes the roles of a user, on all graphs or on one.
func (a *app) grantCommand(cmd cobra.Command, change func(auth.User, auth.Grant) (auth.User, error)) *cobra.Command {
	var graph string
	cmd.Args = cobra.ExactArgs(2)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		role, err := auth.ParseRole(args[1])
		if err != nil {
			return cli.UsageError{Err: err}
		}
		grant, err := auth.NewGrant(role, graph)
		if err != nil {
			return cli.UsageError{Err: err}
		}
		changed := auth.Users{}
		err = a.changeUsers(func(users auth.Users) error {
			user, err := findUser(users, args[0])
			if err == nil {
				user, err = change(user, grant)
			}
			users[args[0]], changed[args[0]] = user, user
			return err
		})
		if err != nil {
			return err
		}
		return a.printUsers(changed)
	}
	cmd.Flags().StringVar(&graph, "graph", "", "the `graph` on which the role holds (default: all)")
	return &cmd
}

// changeUsers changes the users of the database.
func (a *app) changeUsers(change func(auth.Users) error) error {
	directory, err := a.userDirectory()
	if err != nil {
		return err
	}
	return directory.Change(change)
}

func (a *app) userDirectory() (*auth.Directory, error) {
	if a.dir == "" {
		return nil, errNoDirectory
	}
	if _, err := os.Stat(a.dir); err != nil {
		return nil, fmt.Errorf("there is no database %s: 'penstock load' makes one", a.dir)
	}
	return auth.OpenDirectory(auth.File(a.dir), nil)
}
