package bolt

import (
	"context"
	"time"
)

// work is what a session has open: a transaction and the results of its statements, or the
// result of a statement that is a transaction of its own.
type work struct {
	ctx     context.Context
	end     context.CancelCauseFunc
	graph   string
	tx      Transaction // nil: the statement is one
	streams map[int64]*stream
	last    int64 // the newest of them
}

// newWork is work that takes no longer than timeout, if that is not 0.
func newWork(ctx context.Context, graph string, timeout time.Duration) *work {
	ctx, end := context.WithCancelCause(ctx)
	if timeout > 0 {
		var release context.CancelFunc
		late := failure(timedOut, "the transaction took longer than the %v that the client gave it", timeout)
		ctx, release = context.WithTimeoutCause(ctx, timeout, late)
		context.AfterFunc(ctx, release)
	}
	return &work{ctx: ctx, end: end, graph: graph, streams: make(map[int64]*stream), last: -1}
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
	return id, nil, failure(requestInvalid, "there is no result %d, or it was at its end", id)
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
	w.end(failure(timedOut, "the client did nothing with its transaction for %v, so it was rolled back", after))
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
}
