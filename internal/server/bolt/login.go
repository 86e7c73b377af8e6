package bolt

import (
	"context"
	"errors"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/status"
)

// hello introduces both sides. Before version 5.1 it lets the client in, too. It gives no hint
// connection.recv_timeout_seconds: with one the Go driver takes a goroutine and a timer for
// every read, and five times as long for a row.
func (s *session) hello(ctx context.Context, fields []value.Value) ([]value.Entry, error) {
	meta := []value.Entry{
		text("server", s.server.options.Agent),
		text("connection_id", s.id),
	}
	if s.agreesOnUTC(fields[0]) {
		s.dialect.UTC = true
		meta = append(meta, entry("patch_bolt", texts([]string{"utc"})))
	}
	if routing := fields[0].Get("routing"); routing.Kind() == value.Map {
		s.address = orElse(textOf(routing, "address"), s.address)
	}
	s.greeted = true
	if s.version.atLeast(5, 1) {
		return meta, nil
	}
	_, err := s.logon(ctx, fields)
	return meta, err
}

// agreesOnUTC tells whether a client of version 4.4 wants date times to be moments.
func (s *session) agreesOnUTC(extra value.Value) bool {
	patches := extra.Get("patch_bolt")
	if s.version.Major >= 5 || patches.Kind() != value.List {
		return false
	}
	for _, patch := range patches.List() {
		if patch.Kind() == value.String && patch.Str() == "utc" {
			return true
		}
	}
	return false
}

// logon lets the client in, or ends the connection.
func (s *session) logon(ctx context.Context, fields []value.Value) ([]value.Entry, error) {
	if auth := s.server.options.Auth; auth != nil {
		who := fields[0]
		user := textOf(who, "principal")
		name, err := auth.Authenticate(ctx, textOf(who, "scheme"), user, textOf(who, "credentials"))
		if err != nil {
			s.log.Warn("a client was not let in", "client", s.conn.RemoteAddr(), "user", user[:min(len(user), 64)], "error", err)
			return nil, status.Refusal(ctx, err)
		}
		s.caller.User = name
	}
	if err := s.enter(); err != nil {
		return nil, err
	}
	s.admitted = true
	s.patient.Store(true)
	s.frames.limit.Store(int64(s.server.options.Limits.MessageSize))
	return nil, s.setDeadline(time.Time{})
}

// enter makes the session that of the user who is let in, if it asked for a name: then users have
// limits of their own.
func (s *session) enter() error {
	u, err := s.server.conns.admit(s.conn, s.caller.User)
	if err != nil {
		return err
	}
	if s.caller.User != "" {
		s.account.Join(u.share)
		s.inbox.Join(u.share)
		s.shared = u.share
	}
	return nil
}

// leave makes it nobody's again.
func (s *session) leave() {
	s.server.conns.dismiss(s.conn)
	if s.caller.User = ""; s.shared != nil {
		s.account.Leave(s.shared)
		s.inbox.Leave(s.shared)
		s.shared = nil
	}
}

// logoff makes the client a stranger again.
func (s *session) logoff(context.Context, []value.Value) ([]value.Entry, error) {
	s.leave()
	s.admitted = false
	s.patient.Store(false)
	s.frames.limit.Store(int64(min(strangerMessage, s.server.options.Limits.MessageSize)))
	return nil, s.setDeadline(time.Now().Add(s.server.options.Limits.Login))
}

// setDeadline of reading, unless the server ends, which lets reading end at once.
func (s *session) setDeadline(t time.Time) error {
	err := s.conn.SetReadDeadline(t)
	if s.ctx.Err() != nil {
		return errors.Join(err, s.conn.SetReadDeadline(time.Unix(1, 0)))
	}
	return err
}
