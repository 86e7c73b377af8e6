package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/connection"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/cursor"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/handshake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/inbox"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/wire"
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
	"github.com/penstock-db/penstock/internal/server/status"
)

// ErrStopping is a server that ends. Its sessions end without a FAILURE of their own.
var ErrStopping = status.Errorf(status.Unavailable, "the server is stopping: try again later, or another one")

// errGoodbye ends a session as the client wishes.
var errGoodbye = errors.New("the client said goodbye")

// Session answers one client. All but the inbox and signs of life is done by one goroutine.
type Session struct {
	ctx     context.Context // until the client or the server ends
	end     context.CancelCauseFunc
	service *Service
	conn    *connection.Connection
	log     *slog.Logger

	inbox  *inbox.Inbox
	sender *message.Sender
	busy   atomic.Bool // a client waits for an answer

	account      *memory.Account // of statements and answers
	inboxAccount *memory.Account // of messages
}

// Serve answers a client's requests until the client or the context ends.
func (s *Service) Serve(ctx context.Context, conn *connection.Connection, v handshake.Version) error {
	account, inboxAccount := s.Pool.Open(), s.Pool.OpenPassive(s.Messages)
	server := ctx
	ctx, cancel := context.WithCancelCause(memory.With(server, account))
	end := func(cause error) {
		if server.Err() != nil { // it has reading end at once, as if the client were late
			cause = context.Cause(server)
		}
		cancel(cause)
	}
	limits := inbox.Limits{
		Message: s.Limits.Message, Queue: s.Limits.Memory, Idle: s.Limits.Idle, Login: s.Limits.Login,
	}
	one := &Session{
		ctx: ctx, end: end, service: s, conn: conn,
		log:     s.Log.With("connection", conn.ID()),
		inbox:   inbox.New(ctx, end, conn, inboxAccount, limits),
		sender:  &message.Sender{Out: wire.NewWriter(conn, s.Limits.Idle), Limit: s.Limits.Memory, Account: account},
		account: account, inboxAccount: inboxAccount,
	}
	return one.serve(state{login: login{
		version: v, dialect: v.Dialect(),
		address: conn.LocalAddr().String(),
		caller:  backend.Caller{Address: conn.RemoteAddr(), Connection: conn.ID()},
	}})
}

func (s *Session) serve(st state) error {
	var others sync.WaitGroup
	others.Go(s.inbox.Listen)
	others.Go(s.keepAlive)
	defer s.settleUp()
	defer others.Wait()
	defer func() { s.close(st) }()
	for {
		m, err := s.await(st)
		if err != nil {
			return err
		}
		st, err = s.answer(st, m)
		s.inbox.Answered(m)
		if err = errors.Join(err, s.flush()); err != nil {
			return err
		}
	}
}

// close frees everything. What other goroutines do ends by it.
func (s *Session) close(st state) {
	st.closed()
	s.end(connection.ErrGone)
	s.inbox.Close()
	s.conn.Close()
}

// await is the next message. A transaction or result that waits for it too long is given up, and
// so is one that is ended meanwhile.
func (s *Session) await(st state) (inbox.Message, error) {
	var idle <-chan time.Time
	ended := st.open.Wait()
	if ended != nil {
		timer := time.NewTimer(s.service.Limits.Idle)
		defer timer.Stop()
		idle = timer.C
	}
	select {
	case m := <-s.inbox.Messages():
		return m, nil
	case <-s.ctx.Done():
		return inbox.Message{}, s.farewell()
	case <-ended:
		st.open.Release()
		return s.await(st)
	case <-idle:
		st.open.Expire(s.service.Limits.Idle)
		return s.await(st)
	}
}

// farewell tells a client that is still connected why the session ends.
func (s *Session) farewell() error {
	err := context.Cause(s.ctx)
	var e *status.Error
	if errors.As(err, &e) && e != connection.ErrGone && e != ErrStopping {
		s.sender.Failure(e)
		return errors.Join(e, s.sender.Out.Flush())
	}
	return err
}

// flush sends the answers, unless there is a request to answer before the client can wait.
func (s *Session) flush() error {
	if s.inbox.Empty() {
		return s.sender.Out.Flush()
	}
	return s.sender.Out.Err()
}

// answer answers one message. An error ends the session.
func (s *Session) answer(st state, m inbox.Message) (state, error) {
	s.busy.Store(true)
	defer s.busy.Store(false)
	if m.Refused != nil {
		return s.fail(s.ctx, st, m.Refused)
	}
	r := &request{decoder: packstream.NewDecoder(m.Bytes, s.service.Limits.Memory), charge: cursor.NewCharge(s.account)}
	r.decoder.Charge = func(bytes int) error { return r.charge.Take(s.ctx, bytes) }
	defer r.charge.Release()
	tag, count, err := r.decoder.Structure()
	if err != nil {
		return s.fail(s.ctx, st, status.Violation("%v", err))
	}
	r.count = count
	return s.dispatch(st, tag, r)
}

func (s *Session) dispatch(st state, tag byte, r *request) (state, error) {
	ctx, interrupted := s.inbox.Context()
	switch {
	case tag == message.TagReset:
		return s.reset(st)
	case tag == message.TagGoodbye:
		return st, errGoodbye
	case interrupted || st.failed:
		s.sender.Ignored()
		return st, nil
	}
	st, meta, err := s.perform(backend.WithCaller(ctx, st.login.caller), st, tag, r)
	var panicked *panicError
	switch {
	case errors.As(err, &panicked):
		s.sender.Failure(status.Errorf(status.Unknown, "a mistake in the server: %v", panicked.value))
		return st, errors.Join(err, s.sender.Out.Flush())
	case err != nil && st.open != nil:
		return s.fail(st.open.Context(), st, err)
	case err != nil:
		return s.fail(ctx, st, err)
	}
	s.sender.Success(st.login.dialect, meta)
	return st, nil
}

// perform takes the steps of a request. The next state is that after the last step, also if that failed.
func (s *Session) perform(ctx context.Context, st state, tag byte, r *request) (
	next state, meta []value.Entry, err error) {
	next = st
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("a statement made the server panic", "panic", p, "stack", string(debug.Stack()))
			err = &panicError{p}
		}
	}()
	rule, err := ruleFor(tag, st)
	if err != nil {
		return next, nil, err
	}
	if r.fields, err = rule.form.Decode(r.decoder, r.count); err != nil {
		return next, nil, err
	}
	for _, step := range rule.steps {
		if next, meta, err = step(ctx, s, next, r); err != nil {
			return next, nil, err
		}
	}
	return next, meta, nil
}

// panicError is a mistake in the server.
type panicError struct{ value any }

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// fail tells of err and rolls back what is open. Requests are ignored from now on.
func (s *Session) fail(ctx context.Context, st state, err error) (state, error) {
	e := status.Of(ctx, err)
	if e.Status == status.Unknown {
		s.log.Error("a statement failed for an unknown reason", "error", err)
	}
	st = st.closed()
	st.failed = true
	s.sender.Failure(e)
	if e.Fatal {
		return st, errors.Join(e, s.sender.Out.Flush())
	}
	return st, nil
}

// reset rolls back what is open, so that the session is as new.
func (s *Session) reset(st state) (state, error) {
	if !st.login.done {
		return s.fail(s.ctx, st, status.Violation("RESET is not allowed before the client has logged in"))
	}
	st = st.closed()
	s.inbox.ResetAnswered()
	st.failed = false
	s.sender.Success(st.login.dialect, nil)
	return st, nil
}

// settleUp gives back all memory. After a session that has released all it had, none is left but
// that of messages that are not answered.
func (s *Session) settleUp() {
	s.inboxAccount.Close()
	if left := s.account.Close(); left != 0 {
		s.service.Leaked.Add(left)
		s.log.Error("a session has not accounted for all of its memory", "bytes", left)
	}
}
