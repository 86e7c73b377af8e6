package bolt

import (
	"context"
	"math"
	"time"

	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
	"github.com/penstock-db/penstock/internal/server/transactions"
)

// work is what a session has open: a transaction and the results of its statements, or the
// result of a statement that is a transaction of its own.
type work struct {
	ctx     context.Context
	end     context.CancelCauseFunc
	graph   string
	access  backend.Access
	listed  *transactions.Transaction
	tx      backend.Transaction // nil: the statement is one
	streams map[int64]*stream
	last    int64 // the newest of them

	released bool // nothing is open any more
}

// newWork is work that takes no longer than the client and the server allow.
func (s *session) newWork(ctx context.Context, given settings) *work {
	ctx, end := context.WithCancelCause(ctx)
	if timeout, whose := s.timeout(given); timeout > 0 {
		late := status.Errorf(status.TimedOut, "the transaction took longer than the %v that the %s gave it", timeout, whose)
		timer := time.AfterFunc(timeout, func() { end(late) })
		context.AfterFunc(ctx, func() { timer.Stop() })
	}
	from := transactions.Origin{Graph: given.graph, Connection: s.id, Client: s.conn.RemoteAddr().String(), User: s.caller.User}
	return &work{
		ctx: ctx, end: end, graph: given.graph, access: given.access, streams: make(map[int64]*stream), last: -1,
		listed: s.server.transactions.Begin(from, s.account.Held, end),
	}
}

// timeout is the shorter one of the client's and the server's; 0: none.
func (s *session) timeout(given settings) (timeout time.Duration, whose string) {
	most := s.server.options.Limits.Transaction
	if given.timeout == 0 || most > 0 && most < given.timeout {
		return most, "server"
	}
	return given.timeout, "client"
}

// within ends the work if the timer that it returns is not stopped before; 0: it has all the time.
func (w *work) within(timeout time.Duration) *time.Timer {
	if timeout == 0 {
		timeout = math.MaxInt64
	}
	late := status.Errorf(status.TimedOut, "the statement took longer than the %v that the server gives one", timeout)
	return time.AfterFunc(timeout, func() { w.end(late) })
}

// closed forgets a result.
func (w *work) closed(id int64) {
	delete(w.streams, id)
	if id == w.last {
		w.listed.Run("")
	}
}

// open adds a result and returns its number.
func (w *work) open(s *stream) int64 {
	w.last++
	w.streams[w.last] = s
	return w.last
}

// find is the result of that number; -1: the newest.
func (w *work) find(id int64) (int64, *stream, error) {
	if id == -1 {
		id = w.last
	}
	if s, ok := w.streams[id]; ok {
		return id, s, nil
	}
	return id, nil, status.Errorf(status.RequestInvalid, "there is no result %d, or it was at its end", id)
}

// ended is why nothing more can be done; nil: it can.
func (w *work) ended() error {
	if w.ctx.Err() == nil {
		return nil
	}
	return context.Cause(w.ctx)
}

// keepRows reads open results to their ends, as the next statement wants them.
func (w *work) keepRows(of *session) error {
	if err := w.ended(); err != nil {
		return err
	}
	room := of.server.options.Limits.Memory
	for _, s := range w.streams {
		room -= s.kept.size()
	}
	for _, s := range w.streams {
		as := &kept{ctx: w.ctx, account: of.account, dialect: of.dialect, limit: room}
		if err := s.keep(as); err != nil {
			return err
		}
		room -= as.size()
	}
	return nil
}

// expire gives up what the client does nothing with. What it asks for next fails.
func (w *work) expire(after time.Duration) {
	w.end(status.Errorf(status.TimedOut, "the client did nothing with its transaction for %v, so it was rolled back", after))
	w.release()
}

// rollback gives up everything.
func (w *work) rollback() {
	w.end(errGone)
	w.release()
}

// release frees what is open; done again, it does nothing.
func (w *work) release() {
	for id, s := range w.streams {
		s.abandon()
		delete(w.streams, id)
	}
	if w.tx != nil {
		w.tx.Rollback()
	}
	w.listed.End()
	w.released = true
}
