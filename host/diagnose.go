package host

import (
	"time"

	"github.com/penstock-db/penstock/plugins"
)

// lastWords is how long a lost connection waits for its process to have ended.
const lastWords = time.Second

// diagnose turns the error of a call into what the user should know: when the process
// has ended, how, and what it said at the end.
func (r *run) diagnose(err error) error {
	if plugins.KindOf(err) != plugins.KindDied {
		return err
	}
	select {
	case <-r.plugin.Exited():
		return r.plugin.Death()
	case <-time.After(lastWords):
		return err // it closed the connection, and lives
	}
}
