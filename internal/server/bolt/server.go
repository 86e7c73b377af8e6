package bolt

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/transactions"
)

// Server serves a database to clients.
type Server struct {
	database     backend.Database
	options      Options
	pool         *memory.Pool
	messages     *memory.Share // of all connections
	conns        *connections
	transactions *transactions.Registry
	sessions     sync.WaitGroup
	leaked       atomic.Int64 // bytes that sessions have not given back by themselves
}

// NewServer makes a server, which Serve starts.
func NewServer(database backend.Database, options Options) *Server {
	options = options.withDefaults()
	pool, registry := options.Memory, transactions.NewRegistry()
	options.Commands = append([]backend.Command{options.recorded(&transactionCommand{registry, options.Administrator})}, options.Commands...)
	return &Server{database: database, options: options, pool: pool, messages: pool.NewShare(pool.Limit() / 2), conns: newConnections(options.Limits, pool), transactions: registry}
}

// Serve answers those who connect, until the context is done; then it rolls back what is open,
// closes all connections and returns nil. It closes the listener.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	running, end := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		end(errStopping)
		listener.Close()
	})
	defer stop()
	err := s.accept(running, listener)
	end(errStopping)
	grace := time.AfterFunc(s.options.Limits.Grace, s.conns.closeAll)
	defer grace.Stop()
	s.sessions.Wait()
	return err
}

func (s *Server) accept(ctx context.Context, listener net.Listener) error {
	defer listener.Close()
	for {
		conn, err := listener.Accept()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				conn.Close()
			}
			return nil
		case errors.Is(err, net.ErrClosed):
			return err
		case err != nil: // no file left, say: sessions that end give theirs back
			s.options.Logger.Warn("a client could not connect", "error", err)
			pause(ctx, 50*time.Millisecond)
		default:
			s.welcome(ctx, conn)
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// welcome starts the session of a connection, if there may be one more.
func (s *Server) welcome(ctx context.Context, conn net.Conn) {
	one, other, ok := s.conns.enter(conn)
	if !ok {
		s.options.Logger.Warn("too many connections: one more is closed", "limit", s.options.Limits.Connections, "client", conn.RemoteAddr())
		conn.Close()
		return
	}
	if other != nil {
		s.options.Logger.Debug("too many connections: one that had not logged in is closed", "connection", other.id(), "client", other.RemoteAddr())
	}
	s.sessions.Go(func() {
		defer s.conns.leave(one)
		log := s.options.Logger.With("connection", one.id())
		log.Debug("connected", "client", conn.RemoteAddr())
		err := s.serve(ctx, one)
		log.Debug("disconnected", "reason", err)
	})
}

// serve is the life of a connection.
func (s *Server) serve(ctx context.Context, conn *connection) error {
	stop := context.AfterFunc(ctx, func() { _ = conn.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := conn.SetDeadline(time.Now().Add(s.options.Limits.Login)); err != nil {
		return err
	}
	version, err := agree(conn)
	if err != nil {
		return err
	}
	return newSession(ctx, s, conn, version).serve()
}
