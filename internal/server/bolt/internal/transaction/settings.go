package transaction

import (
	"cmp"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
	"github.com/penstock-db/penstock/internal/server/status"
)

// Settings of a transaction, as its client asks for them.
type Settings struct {
	Graph   string
	Access  backend.Access
	Timeout time.Duration // 0: none
}

// SettingsOf reads the metadata of BEGIN and RUN. The graph is home where they name none. Bookmarks need nothing:
// every transaction sees all commits before it.
func SettingsOf(extra value.Value, home string) (Settings, error) {
	if user := message.TextOf(extra, "imp_user"); user != "" {
		const format = "a user cannot act as another one here: log in as %q instead"
		return Settings{}, status.Errorf(status.Forbidden, format, user)
	}
	s := Settings{Graph: cmp.Or(message.TextOf(extra, "db"), home)}
	if message.TextOf(extra, "mode") == "r" {
		s.Access = backend.Read
	}
	milliseconds := message.IntegerOf(extra, "tx_timeout", 0)
	const most = int64(24 * 365 * time.Hour / time.Millisecond)
	if milliseconds < 0 || milliseconds > most {
		const format = "tx_timeout, in milliseconds, must be between 0 and %d"
		return Settings{}, status.Errorf(status.RequestInvalid, format, most)
	}
	s.Timeout = time.Duration(milliseconds) * time.Millisecond
	return s, nil
}
