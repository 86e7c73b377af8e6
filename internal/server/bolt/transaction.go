package bolt

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
)

// settings of a transaction.
type settings struct {
	graph   string
	access  backend.Access
	timeout time.Duration // 0: none
}

// settings reads what BEGIN and RUN say. Bookmarks need nothing: every transaction sees all
// commits before it.
func (s *session) settings(ctx context.Context, extra value.Value) (settings, error) {
	if user := textOf(extra, "imp_user"); user != "" {
		return settings{}, status.Errorf(status.Forbidden, "nobody can act as another user here: log in as %q instead", user)
	}
	given := settings{graph: orElse(textOf(extra, "db"), s.server.options.Home(ctx))}
	if textOf(extra, "mode") == "r" {
		given.access = backend.Read
	}
	milliseconds := integerOf(extra, "tx_timeout", 0)
	const most = int64(24 * 365 * time.Hour / time.Millisecond)
	if milliseconds < 0 || milliseconds > most {
		return settings{}, status.Errorf(status.RequestInvalid, "tx_timeout, in milliseconds, must be between 0 and %d", most)
	}
	given.timeout = time.Duration(milliseconds) * time.Millisecond
	return given, nil
}

// begin begins a transaction of several statements.
func (s *session) begin(ctx context.Context, fields []value.Value) ([]value.Entry, error) {
	settings, err := s.settings(ctx, fields[0])
	if err != nil {
		return nil, err
	}
	w := s.newWork(ctx, settings)
	if w.tx, err = s.beginOn(w.ctx, settings); err != nil {
		w.rollback()
		return nil, err
	}
	s.work = w
	return nil, nil
}

// beginOn begins a transaction on a graph. Where there is none, commands need none.
func (s *session) beginOn(ctx context.Context, on settings) (backend.Transaction, error) {
	tx, err := s.server.database.Begin(ctx, on.graph, on.access)
	if err != nil && on.graph == systemGraph && len(s.server.options.Commands) > 0 {
		if code := status.CodeOf(ctx, err); code == status.UnknownGraph || code == status.Expired {
			return commandsOnly{}, nil
		}
	}
	return tx, err
}

// commit makes the transaction last, with all the changes of results that are still open.
func (s *session) commit(context.Context, []value.Value) ([]value.Entry, error) {
	if err := s.work.complete(); err != nil {
		return nil, err
	}
	bookmark, err := s.work.tx.Commit(s.work.ctx)
	if err != nil {
		return nil, err
	}
	s.abandon()
	if bookmark == "" {
		return nil, nil
	}
	return []value.Entry{text("bookmark", bookmark)}, nil
}

// complete closes the results in the order of their statements.
func (w *work) complete() error {
	if err := w.ended(); err != nil {
		return err
	}
	for id := range w.last + 1 {
		if st := w.streams[id]; st != nil {
			if _, err := st.finish(w.graph); err != nil {
				return err
			}
			w.closed(id)
		}
	}
	return nil
}

func (s *session) rollback(context.Context, []value.Value) ([]value.Entry, error) {
	s.abandon()
	return nil, nil
}
