package bolt

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
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
	"github.com/penstock-db/penstock/internal/server/status"
)

// session is a connection that has agreed on a version. All but listen is done by one goroutine.
type session struct {
	id      string
	ctx     context.Context // until the client or the server ends
	end     context.CancelCauseFunc
	server  *Server
	conn    *connection
	log     *slog.Logger
	version Version
	dialect packstream.Dialect

	frames     *frameReader
	requests   *queue
	interrupts *interrupts
	out        *writer

	account *memory.Account // of statements and answers
	inbox   *memory.Account // of messages
	shared  *memory.Share   // of the user; nil: none
	decoded int64           // bytes of the account that the request's values take
	patient atomic.Bool     // the client is let in, so there is no deadline for a message to begin

	greeted  bool // HELLO was answered
	admitted bool // the client was let in
	failed   bool // requests are ignored until RESET
	caller   backend.Caller
	address  string
	work     *work // nil: none
	busy     atomic.Bool
}

func newSession(ctx context.Context, server *Server, conn *connection, version Version) *session {
	limits := server.options.Limits
	account, inbox := server.pool.Open(), server.pool.OpenPassive(server.messages)
	ctx, end := context.WithCancelCause(memory.With(ctx, account))
	s := &session{
		id: conn.id(), ctx: ctx, end: end, server: server, conn: conn, version: version, dialect: version.dialect(),
		log:        server.options.Logger.With("connection", conn.id()),
		caller:     backend.Caller{Address: conn.RemoteAddr(), Connection: conn.id()},
		address:    conn.LocalAddr().String(),
		frames:     newFrameReader(conn, min(strangerMessage, limits.MessageSize), inbox),
		requests:   newQueue(int64(limits.Memory)),
		interrupts: newInterrupts(ctx),
		out:        &writer{conn: conn, patience: limits.Idle},
		account:    account, inbox: inbox,
	}
	s.frames.wait = s.hurry
	return s
}

// errGoodbye ends a session as the client wishes.
var errGoodbye = errors.New("the client said goodbye")

// serve answers requests until the client or the server ends.
func (s *session) serve() error {
	var others sync.WaitGroup
	others.Go(s.listen)
	others.Go(s.keepAlive)
	defer s.settleUp()
	defer others.Wait()
	defer s.close()
	for {
		m, err := s.await()
		if err != nil {
			return err
		}
		err = s.answer(m)
		s.frames.drop(m.bytes)
		s.requests.answered(m)
		if err = errors.Join(err, s.settle()); err != nil {
			return err
		}
	}
}

// close frees everything. What other goroutines do ends by it.
func (s *session) close() {
	s.abandon()
	s.end(errGone)
	s.interrupts.end()
	s.conn.Close()
}

// await is the next message. A transaction or result that waits for it too long is given up, and
// so is one that is ended meanwhile.
func (s *session) await() (message, error) {
	var idle <-chan time.Time
	var ended <-chan struct{}
	if s.work != nil && !s.work.released {
		timer := time.NewTimer(s.server.options.Limits.Idle)
		defer timer.Stop()
		idle, ended = timer.C, s.work.ctx.Done()
	}
	select {
	case m := <-s.requests.messages:
		return m, nil
	case <-s.ctx.Done():
		return message{}, s.farewell()
	case <-ended:
		s.work.release()
		return s.await()
	case <-idle:
		s.work.expire(s.server.options.Limits.Idle)
		return s.await()
	}
}

// farewell tells a client that still listens why the session ends.
func (s *session) farewell() error {
	err := context.Cause(s.ctx)
	var f *status.Error
	if errors.As(err, &f) && f != errGone && f != errStopping {
		s.sendFailure(f)
		return errors.Join(f, s.out.flush())
	}
	return err
}

// settle sends the answers, unless there is a request to answer before the client can wait.
func (s *session) settle() error {
	if s.requests.empty() {
		return s.out.flush()
	}
	return s.out.failed()
}

// answer answers one message. What it returns ends the session.
func (s *session) answer(m message) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("a statement made the server panic", "panic", p, "stack", string(debug.Stack()))
			f := status.Errorf(status.Unknown, "a mistake in the server: %v", p)
			s.sendFailure(f)
			err = errors.Join(fmt.Errorf("panic: %v", p), s.out.flush())
		}
	}()
	s.busy.Store(true)
	defer s.busy.Store(false)
	if m.refused != nil {
		return s.fail(s.ctx, m.refused)
	}
	decoder := packstream.NewDecoder(m.bytes, s.server.options.Limits.Memory)
	decoder.Charge = s.decoding
	defer s.forgetDecoded()
	tag, fields, err := decoder.Structure()
	if err != nil {
		return s.fail(s.ctx, status.Violation("%v", err))
	}
	return s.dispatch(tag, fields, decoder)
}

func (s *session) dispatch(tag byte, fields int, decoder *packstream.Decoder) error {
	ctx, interrupted := s.interrupts.context()
	switch {
	case tag == tagReset:
		return s.reset()
	case tag == tagGoodbye:
		return errGoodbye
	case interrupted || s.failed:
		s.send(tagIgnored)
		return nil
	}
	meta, err := s.perform(backend.WithCaller(ctx, s.caller), tag, fields, decoder)
	if err != nil {
		return s.fail(s.workContext(ctx), err)
	}
	s.send(tagSuccess, value.OfEntries(meta))
	return nil
}

// perform does what a request asks for.
func (s *session) perform(ctx context.Context, tag byte, fields int, decoder *packstream.Decoder) ([]value.Entry, error) {
	request, known := requests[tag]
	if !known {
		return nil, status.Violation("%#x is no request", tag)
	}
	if !request.allowed(s) {
		return nil, status.Violation("%s is not allowed now", request.name)
	}
	values, err := request.decode(decoder, fields)
	if err != nil {
		return nil, err
	}
	return request.perform(s, ctx, values)
}

// fail tells of err and gives up what is open. Requests are ignored from now on.
func (s *session) fail(ctx context.Context, err error) error {
	f := status.Of(ctx, err)
	if f.Status == status.Unknown {
		s.log.Error("a statement failed for an unknown reason", "error", err)
	}
	s.abandon()
	s.failed = true
	s.sendFailure(f)
	if f.Fatal {
		return errors.Join(f, s.out.flush())
	}
	return nil
}

// reset gives up what is open, so that the session is as new.
func (s *session) reset() error {
	if !s.admitted {
		return s.fail(s.ctx, status.Violation("RESET is not allowed before the client is let in"))
	}
	s.abandon()
	s.interrupts.answered()
	s.failed = false
	s.send(tagSuccess, value.OfEntries(nil))
	return nil
}

// decoding takes what the values of a request take. They are the request's, or those of the
// result that it begins.
func (s *session) decoding(bytes int) error {
	err := s.account.Take(s.ctx, int64(bytes))
	if err == nil {
		s.decoded += int64(bytes)
	}
	return err
}

func (s *session) forgetDecoded() {
	s.account.Give(s.decoded)
	s.decoded = 0
}

// settleUp gives back all memory. After a session that has released all it had, none is left but
// that of messages nobody has answered.
func (s *session) settleUp() {
	s.inbox.Close()
	if left := s.account.Close(); left != 0 {
		s.server.leaked.Add(left)
		s.log.Error("a session has not accounted for all of its memory", "bytes", left)
	}
}

// abandon rolls back what is open.
func (s *session) abandon() {
	if s.work != nil {
		s.work.rollback()
		s.work = nil
	}
}

// workContext is the context of what is open; else ctx.
func (s *session) workContext(ctx context.Context) context.Context {
	if s.work != nil {
		return s.work.ctx
	}
	return ctx
}

func (s *session) send(tag byte, fields ...value.Value) {
	s.out.message(s.server.options.Limits.Memory, 0, func(dst []byte) []byte { return s.dialect.AppendStruct(dst, tag, fields...) })
}

func (s *session) sendFailure(f *status.Error) {
	s.send(tagFailure, value.OfEntries([]value.Entry{text("code", f.Status), text("message", f.Message)}))
}
