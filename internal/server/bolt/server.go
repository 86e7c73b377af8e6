package bolt

import (
	"context"
	"net"
	"time"

	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/connection"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/handshake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/session"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/transaction"
	"github.com/penstock-db/penstock/internal/server/transactions"
)

// Server serves a database to clients.
type Server struct {
	options     Options
	connections *connection.Registry
	sessions    *session.Service
}

// NewServer makes a server, which Serve starts.
func NewServer(database backend.Database, options Options) *Server {
	o := options.withDefaults()
	l := o.Limits
	connections := connection.NewRegistry(connection.Limits{
		Connections: l.Connections, UserConnections: l.UserConnections, UserMemory: int64(l.UserMemory),
	}, o.Memory)
	return &Server{options: o, connections: connections, sessions: &session.Service{
		Engine:      engine(database, o),
		Connections: connections,
		Auth:        o.Auth, Home: o.Home, Agent: o.Agent,
		Limits: session.Limits{
			Message: l.MessageSize, Memory: l.Memory, Idle: l.Idle, Login: l.Login, KeepAlive: l.KeepAlive,
		},
		Pool: o.Memory, Messages: messageShare(o.Memory), Log: o.Logger,
	}}
}

// messageShare is what the messages of all connections may take: half of the pool.
func messageShare(pool *memory.Pool) *memory.Share { return pool.NewShare(pool.Limit() / 2) }

// engine runs statements: SHOW and TERMINATE TRANSACTIONS, the other commands, and those on graphs.
func engine(database backend.Database, o Options) *transaction.Engine {
	registry := transactions.NewRegistry()
	own := o.recorded(&transactionCommand{registry, o.Administrator})
	return &transaction.Engine{
		Database: database, Commands: append([]backend.Command{own}, o.Commands...), Registry: registry,
		Shown: o.Shown, Transaction: o.Limits.Transaction, Statement: o.Limits.Statement,
	}
}

// Serve answers clients, until the context is done; then it rolls back what is open,
// closes all connections and returns nil. It closes the listener.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	running, end := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		end(session.ErrStopping)
		listener.Close()
	})
	defer stop()
	err := s.connections.Accept(running, listener, s.options.Logger, s.serve)
	end(session.ErrStopping)
	grace := time.AfterFunc(s.options.Limits.Grace, s.connections.CloseAll)
	defer grace.Stop()
	s.connections.Wait()
	return err
}

// serve is the life of a connection.
func (s *Server) serve(ctx context.Context, conn *connection.Connection) error {
	stop := context.AfterFunc(ctx, func() { _ = conn.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := conn.SetDeadline(time.Now().Add(s.options.Limits.Login)); err != nil {
		return err
	}
	version, err := handshake.Agree(conn)
	if err != nil {
		return err
	}
	return s.sessions.Serve(ctx, conn, version)
}
