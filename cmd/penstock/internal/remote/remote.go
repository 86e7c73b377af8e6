package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt"
)

// remoteOptions say which server is meant, and who asks it.
type remoteOptions struct{ connect, user string }

func (o *remoteOptions) add(f *pflag.FlagSet) {
	f.StringVar(&o.connect, "connect", "bolt://127.0.0.1:7687", "`address` of the server: bolt://host:port, or bolt+s:// with TLS")
	f.StringVar(&o.user, "user", "", "`name` to log in with; the password is asked for, or taken from $PENSTOCK_PASSWORD")
}

// withServer connects to a running server for the time of do.
func (a *app) withServer(ctx context.Context, o remoteOptions, do func(*bolt.Remote) error) error {
	login, err := a.login(o)
	if err != nil {
		return err
	}
	remote, err := bolt.Dial(ctx, o.connect, login)
	if err != nil {
		return err
	}
	defer remote.Close()
	return do(remote)
}

func (a *app) login(o remoteOptions) (bolt.Login, error) {
	login := bolt.Login{User: o.user, Password: os.Getenv("PENSTOCK_PASSWORD")}
	if login.User == "" || login.Password != "" {
		return login, nil
	}
	var err error
	login.Password, err = a.readPassword("password of " + o.user + ": ")
	return login, err
}

// askServer runs a statement about the server and gives all its rows.
func askServer(ctx context.Context, remote *bolt.Remote, statement string, params map[string]value.Value) (rows [][]value.Value, err error) {
	result, err := remote.Run(ctx, "", bolt.Read, statement, params)
	if err != nil {
		return nil, err
	}
	for result.Next() {
		rows = append(rows, result.Row())
	}
	return rows, errors.Join(result.Err(), result.Close())
}
