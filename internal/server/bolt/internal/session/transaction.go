package session

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/transaction"
)

// open opens a transaction for BEGIN.
func open(ctx context.Context, s *Session, st state, r *request) (state, []value.Entry, error) {
	return s.openWith(ctx, st, r.fields[0])
}

// openWith opens a transaction with the settings of a request.
func (s *Session) openWith(ctx context.Context, st state, extra value.Value) (state, []value.Entry, error) {
	settings, err := transaction.SettingsOf(extra, s.service.Home(ctx))
	if err == nil {
		st.open = transaction.Open(ctx, s.service.Engine, st.login.caller, settings, s.account.Held)
	}
	return st, nil, err
}

// begin makes the open transaction one of several statements.
func begin(_ context.Context, _ *Session, st state, _ *request) (state, []value.Entry, error) {
	return st, nil, st.open.Begin()
}

// commit makes the transaction last, with all the changes of results that are still open.
func commit(_ context.Context, _ *Session, st state, _ *request) (state, []value.Entry, error) {
	bookmark, err := st.open.Commit()
	if err != nil {
		return st, nil, err
	}
	st = st.closed()
	if bookmark == "" {
		return st, nil, nil
	}
	return st, []value.Entry{message.Text("bookmark", bookmark)}, nil
}

func rollback(_ context.Context, _ *Session, st state, _ *request) (state, []value.Entry, error) {
	return st.closed(), nil, nil
}
