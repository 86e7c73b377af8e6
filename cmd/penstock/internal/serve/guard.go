package serve

import (
	"errors"
	"fmt"
	"net"

	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/server/auth"
)

// guard checks names and passwords against the users of the database and of the flags.
func (o securityFlags) guard(dir, listen string) (*auth.Guard, *auth.Directory, error) {
	fixed, err := o.fixedUsers()
	if err != nil {
		return nil, nil, err
	}
	users, err := auth.OpenDirectory(auth.File(dir), fixed)
	if err != nil {
		return nil, nil, err
	}
	mode, err := o.mode(users, listen)
	if err != nil {
		return nil, nil, err
	}
	return auth.NewGuard(users, auth.NewThrottle(), mode), users, nil
}

// mode is when the server requires a login.
func (o securityFlags) mode(directory *auth.Directory, listen string) (auth.Mode, error) {
	users, err := directory.Users()
	if err != nil {
		return auth.LoginRequired, err
	}
	switch known := len(users) > 0; {
	case o.auth != "" && o.auth != "basic" && o.auth != "none":
		return 0, cli.UsageError{Err: fmt.Errorf("--auth %s: there are basic and none", o.auth)}
	case o.auth == "none" && len(o.users) > 0:
		return 0, cli.UsageError{Err: errors.New("--auth none asks for no name: leave --user out, or --auth")}
	case o.auth == "basic" && !known:
		return 0, cli.UsageError{Err: errors.New(
			"--auth basic, but there are no users: 'penstock user add' makes one, or give --user name:password")}
	case o.auth == "none":
		return auth.LoginDisabled, nil
	case known:
		return auth.LoginRequired, nil
	case !loopback(listen):
		return 0, cli.UsageError{Err: fmt.Errorf(
			"--listen %s lets other machines in without a password: 'penstock user add' makes users; or say --auth none",
			listen)}
	}
	return auth.LoginRequiredIfUsers, nil
}

// fixedUsers are those of the flags. Without roles they are admins.
func (o securityFlags) fixedUsers() (auth.Users, error) {
	users := auth.Users{}
	for _, flag := range o.users {
		name, user, err := auth.ParseFlag(flag)
		if err != nil {
			return nil, cli.UsageError{Err: fmt.Errorf("--user: %w", err)}
		}
		users[name] = user
	}
	return users, nil
}

// loopback tells whether an address can be reached from this machine only.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil || host == "" {
		return false
	}
	ips, err := net.LookupIP(host)
	for _, ip := range ips {
		if !ip.IsLoopback() {
			return false
		}
	}
	return err == nil
}
