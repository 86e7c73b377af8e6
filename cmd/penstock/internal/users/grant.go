package users

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/server/auth"
)

// grantCommand changes the roles of a user, on all graphs or on one.
type grantCommand struct {
	help   cobra.Command
	change func(auth.User, auth.Grant) (auth.User, error)
	graph  string
}

func grant() *grantCommand {
	return &grantCommand{
		help: cobra.Command{
			Use:     "grant NAME ROLE",
			Short:   "Give a user a role",
			Example: `  penstock user grant --db ./db bob writer --graph sea`,
		},
		change: func(user auth.User, g auth.Grant) (auth.User, error) { return user.Granted(g), nil },
	}
}

func revoke() *grantCommand {
	return &grantCommand{
		help: cobra.Command{
			Use:   "revoke NAME ROLE",
			Short: "Take a role from a user, on all graphs or on those that --graph names",
		},
		change: auth.User.Revoked,
	}
}

func role() *grantCommand {
	return &grantCommand{
		help: cobra.Command{
			Use:   "role NAME ROLE",
			Short: "Give a user a role in place of all others",
		},
		change: func(user auth.User, g auth.Grant) (auth.User, error) {
			user.Grants = nil
			return user.Granted(g), nil
		},
	}
}

func (c *grantCommand) Describe() *cobra.Command {
	c.help.Args = cobra.ExactArgs(2)
	c.help.Flags().StringVar(&c.graph, "graph", "", "the `graph` on which the role holds (default: all)")
	return &c.help
}

func (c *grantCommand) Run(_ context.Context, a *app.App, args []string) error {
	role, err := auth.ParseRole(args[1])
	if err != nil {
		return cli.UsageError{Err: err}
	}
	grant, err := auth.NewGrant(role, c.graph)
	if err != nil {
		return cli.UsageError{Err: err}
	}
	changed := auth.Users{}
	err = change(a, func(users auth.Users) error {
		user, err := find(users, args[0])
		if err == nil {
			user, err = c.change(user, grant)
		}
		users[args[0]], changed[args[0]] = user, user
		return err
	})
	if err != nil {
		return err
	}
	return printUsers(a, changed)
}
