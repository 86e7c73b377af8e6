package bolt

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/penstock-db/penstock/internal/memory"
)

// Server serves a database to clients.
type Server struct {
	database Database
	options  Options
	pool     *memory.Pool
	messages *memory.Share // of all connections
	sessions sync.WaitGroup
	leaked   atomic.Int64 // bytes that sessions have not given back by themselves

	mu    sync.Mutex // for all below
	conns map[net.Conn]struct{}
	count uint64 // connections, ever
}

// NewServer makes a server, which Serve starts.
func NewServer(database Database, options Options) *Server {
	options = options.withDefaults()
	pool := options.Memory
	return &Server{database: database, options: options, pool: pool, messages: pool.NewShare(pool.Limit() / 2), conns: make(map[net.Conn]struct{})}
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
	grace := time.AfterFunc(s.options.Limits.Grace, s.closeAll)
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
	id, ok := s.enter(conn)
	if !ok {
		s.options.Logger.Warn("too many connections: one more is closed", "limit", s.options.Limits.Connections, "client", conn.RemoteAddr())
		conn.Close()
		return
	}
	s.sessions.Go(func() {
		defer s.leave(conn)
		log := s.options.Logger.With("connection", id)
		log.Debug("connected", "client", conn.RemoteAddr())
		err := s.serve(ctx, conn, id)
		log.Debug("disconnected", "reason", err)
	})
}

func (s *Server) enter(conn net.Conn) (id string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.conns) >= s.options.Limits.Connections {
		return "", false
	}
	s.count++
	s.conns[conn] = struct{}{}
	return fmt.Sprintf("bolt-%d", s.count), true
}

func (s *Server) leave(conn net.Conn) {
	conn.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, conn)
}

func (s *Server) closeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.conns {
		conn.Close()
	}
}

// serve is the life of a connection.
func (s *Server) serve(ctx context.Context, conn net.Conn, id string) error {
	stop := context.AfterFunc(ctx, func() { _ = conn.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := conn.SetDeadline(time.Now().Add(s.options.Limits.Login)); err != nil {
		return err
	}
	version, err := agree(conn)
	if err != nil {
		return err
	}
	return newSession(ctx, s, conn, id, version).serve()
}
