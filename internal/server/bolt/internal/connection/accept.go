package connection

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"time"
)

// Accept serves clients, each in a goroutine of its own, until the context is done or the listener is
// closed. It closes the listener. What serve returns is why a connection
// ended; Wait waits until all have.
func (r *Registry) Accept(ctx context.Context, listener net.Listener, log *slog.Logger,
	serve func(context.Context, *Connection) error) error {
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
		case err != nil: // no file left, say: connections that end give theirs back
			log.Warn("a client could not connect", "error", err)
			pause(ctx, 50*time.Millisecond)
		default:
			if c := r.admit(conn, log); c != nil {
				r.serving.Go(func() { r.serve(ctx, c, log, serve) })
			}
		}
	}
}

// Wait waits until all connections have ended that Accept serves.
func (r *Registry) Wait() { r.serving.Wait() }

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// admit registers a connection; nil: there may be no more, and it is closed.
func (r *Registry) admit(conn net.Conn, log *slog.Logger) *Connection {
	c, other, ok := r.Enter(conn)
	if !ok {
		log.Warn("too many connections: one more is closed", "limit", r.limits.Connections, "client", conn.RemoteAddr())
		conn.Close()
		return nil
	}
	if other != nil {
		log.Debug("too many connections: one that had not logged in is closed",
			"connection", other.ID(), "client", other.RemoteAddr())
	}
	return c
}

func (r *Registry) serve(ctx context.Context, c *Connection, log *slog.Logger,
	serve func(context.Context, *Connection) error) {
	defer r.Leave(c)
	log = log.With("connection", c.ID())
	log.Debug("connected", "client", c.RemoteAddr())
	err := serve(ctx, c)
	log.Debug("disconnected", "reason", err)
}
