// Package remote has the commands that ask a running server about itself.
package remote

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt/client"
)

// Server is the address of a running server and the user that logs in.
type Server struct{ Address, User string }

func (s *Server) add(f *pflag.FlagSet) {
	f.StringVar(&s.Address, "connect", "bolt://127.0.0.1:7687",
		"`address` of the server: bolt://host:port, or bolt+s:// with TLS")
	f.StringVar(&s.User, "user", "", "`name` to log in with; the password is asked for, or taken from $PENSTOCK_PASSWORD")
}

// Dial connects to the server. A password that is asked for is read from in.
func (s Server) Dial(ctx context.Context, in io.Reader) (*client.Client, error) {
	login := client.Login{User: s.User, Password: os.Getenv("PENSTOCK_PASSWORD")}
	if login.User != "" && login.Password == "" {
		var err error
		if login.Password, err = terminal.ReadPassword(in, "password of "+s.User+": "); err != nil {
			return nil, err
		}
	}
	return client.Dial(ctx, s.Address, login)
}

// ask runs a statement about the server and gives all its rows.
func ask(ctx context.Context, server *client.Client, statement string,
	params map[string]value.Value) (rows [][]value.Value, err error) {
	result, err := server.Run(ctx, "", backend.Read, statement, params)
	if err != nil {
		return nil, err
	}
	for result.Next() {
		rows = append(rows, result.Row())
	}
	return rows, errors.Join(result.Err(), result.Close())
}
