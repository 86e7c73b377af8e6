package session

import (
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/handshake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/transaction"
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
)

// state is a session between two requests.
type state struct {
	login  login
	failed bool                     // requests are ignored until RESET
	open   *transaction.Transaction // nil: none
}

// login is the user of the session, and what both sides agree on.
type login struct {
	version handshake.Version
	dialect packstream.Dialect
	address string // of the server, as the client knows it
	greeted bool   // HELLO was answered
	done    bool   // the client has logged in
	caller  backend.Caller
	share   *memory.Share // of the user; nil: none
}

func (s state) isNew() bool { return !s.login.greeted }
func (s state) canLogin() bool {
	return s.login.greeted && !s.login.done && s.login.version.AtLeast(5, 1)
}
func (s state) isLoggedIn() bool     { return s.login.done }
func (s state) isReady() bool        { return s.login.done && s.open == nil }
func (s state) hasResult() bool      { return s.open != nil }
func (s state) hasTransaction() bool { return s.open != nil && s.open.Explicit() }
func (s state) canRun() bool         { return s.isReady() || s.hasTransaction() }

// closed is the state with nothing open: what was is rolled back.
func (s state) closed() state {
	if s.open != nil {
		s.open.Rollback()
		s.open = nil
	}
	return s
}
