package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/server/auth"
)

func (a *app) userCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "user",
		Short: "Say who may use the database by 'penstock serve'",
		Long: `The users of a database lie in its directory, with hashes of their passwords. A server
that runs does not hear of changes until it is started again.`,
	}
	cmd.AddCommand(a.userAddCommand(), a.userRemoveCommand(), a.userListCommand())
	return cmd
}

func (a *app) userAddCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "add NAME",
		Short:   "Let a user in, or give one another password, which is read from standard input",
		Example: `  penstock user add --db ./db ann < password.txt`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.changeUsers(func(users *auth.Users) error {
				password, err := a.readPassword("password of " + args[0] + ": ")
				if err != nil {
					return err
				}
				return users.Set(args[0], auth.HashOf(password))
			})
		},
	}
}

func (a *app) userRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Let a user in no more",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.changeUsers(func(users *auth.Users) error {
				if !users.Remove(args[0]) {
					return fmt.Errorf("there is no user %q; there are: %s", args[0], strings.Join(users.Names(), ", "))
				}
				return nil
			})
		},
	}
}

func (a *app) userListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "Name the users",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			users, _, err := a.users()
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string][]string{"users": append([]string{}, users.Names()...)})
			}
			for _, name := range users.Names() {
				fmt.Fprintln(a.stdout, name)
			}
			return nil
		},
	}
}

// changeUsers reads the users of the database, and writes them changed.
func (a *app) changeUsers(change func(*auth.Users) error) error {
	users, file, err := a.users()
	if err != nil {
		return err
	}
	if err := change(users); err != nil {
		return err
	}
	return users.Write(file)
}

func (a *app) users() (users *auth.Users, file string, err error) {
	if a.dir == "" {
		return nil, "", usageError{errors.New("--db DIR is missing: which database? (or set PENSTOCK_DB)")}
	}
	if _, err := os.Stat(a.dir); err != nil {
		return nil, "", fmt.Errorf("there is no database %s: 'penstock load' makes one", a.dir)
	}
	file = auth.File(a.dir)
	users, err = auth.Read(file)
	return users, file, err
}
