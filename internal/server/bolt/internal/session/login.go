package session

import (
	"cmp"
	"context"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
	"github.com/penstock-db/penstock/internal/server/status"
)

// hello introduces both sides. Before version 5.1 it logs the client in, too. It gives no hint
// connection.recv_timeout_seconds: with one the Go driver takes a goroutine and a timer for
// every read, and five times as long for a row.
func hello(ctx context.Context, s *Session, st state, r *request) (state, []value.Entry, error) {
	extra := r.fields[0]
	meta := []value.Entry{
		message.Text("server", s.service.Agent),
		message.Text("connection_id", s.conn.ID()),
	}
	if st.login.version.Major < 5 && wantsUTC(extra) {
		st.login.dialect.UTC = true
		meta = append(meta, message.Entry("patch_bolt", message.Texts([]string{"utc"})))
	}
	if routing := extra.Get("routing"); routing.Kind() == value.Map {
		st.login.address = cmp.Or(message.TextOf(routing, "address"), st.login.address)
	}
	st.login.greeted = true
	if st.login.version.AtLeast(5, 1) {
		return st, meta, nil
	}
	st, _, err := logon(ctx, s, st, r)
	return st, meta, err
}

// wantsUTC tells whether a client of version 4.4 wants date times to be moments.
func wantsUTC(extra value.Value) bool {
	patches := extra.Get("patch_bolt")
	if patches.Kind() != value.List {
		return false
	}
	for _, patch := range patches.List() {
		if patch.Kind() == value.String && patch.Str() == "utc" {
			return true
		}
	}
	return false
}

// logon logs the client in, or ends the connection. Users with a name have limits of their own.
func logon(ctx context.Context, s *Session, st state, r *request) (state, []value.Entry, error) {
	name, err := s.authenticate(ctx, r.fields[0])
	if err != nil {
		return st, nil, err
	}
	st.login.caller.User = name
	share, err := s.service.Connections.Login(s.conn, name)
	if err != nil {
		return st, nil, err
	}
	if name != "" {
		s.account.Join(share)
		s.inboxAccount.Join(share)
		st.login.share = share
	}
	st.login.done = true
	return st, nil, s.inbox.Login()
}

// authenticate is the name under which a client logs in; empty: it needs none.
func (s *Session) authenticate(ctx context.Context, credentials value.Value) (name string, err error) {
	auth := s.service.Auth
	if auth == nil {
		return "", nil
	}
	user := message.TextOf(credentials, "principal")
	scheme, password := message.TextOf(credentials, "scheme"), message.TextOf(credentials, "credentials")
	name, err = auth.Authenticate(ctx, scheme, user, password)
	if err != nil {
		const longest = 64
		user = user[:min(len(user), longest)]
		s.log.Warn("a client was not let in", "client", s.conn.RemoteAddr(), "user", user, "error", err)
	}
	return name, status.Refusal(ctx, err)
}

// logoff lets another user log in.
func logoff(_ context.Context, s *Session, st state, _ *request) (state, []value.Entry, error) {
	s.service.Connections.Logoff(s.conn)
	if share := st.login.share; share != nil {
		s.account.Leave(share)
		s.inboxAccount.Leave(share)
	}
	st.login.caller.User, st.login.share, st.login.done = "", nil, false
	return st, nil, s.inbox.Logoff()
}
