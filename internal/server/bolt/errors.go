package bolt

import "github.com/penstock-db/penstock/internal/server/status"

// Why the context of a session's work is done.
var (
	errReset    = status.Errorf(status.Terminated, "the transaction was ended by a RESET")
	errGone     = status.Errorf(status.Terminated, "the client is gone")
	errTooSlow  = status.Errorf(status.TimedOut, "the rest of a message did not come in time")
	errStopping = status.Errorf(status.Unavailable, "the server is stopping: try again later, or another one")
)
