package plugin

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/registry"
)

// expiry is what a command that reads indexes does with one that has expired.
type expiry struct{ allow bool }

func (e *expiry) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&e.allow, "allow-expired", false, "read an index that has expired all the same")
}

// open opens the plugin directory. Of an index that is read though it has expired the user is told.
func (e *expiry) open(a *app.App) (*registry.Registry, error) {
	plugins, err := registry.Open("")
	if err == nil && e.allow {
		plugins.Expired = func(expired *registry.ExpiredIndexError) {
			fmt.Fprintf(a.Err, "penstock: the index at %s expired at %s, and is read all the same: what was revoked since is not in it\n",
				expired.Location, expired.Expired.UTC().Format(minuteForm))
		}
	}
	return plugins, err
}

// minuteForm is how times are written that are of an index.
const minuteForm = "2006-01-02 15:04 MST"
