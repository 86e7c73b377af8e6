package plugin

import (
	"errors"
	"fmt"
	"io"

	"github.com/penstock-db/penstock/internal/registry"
)

// whyRevoked says of each of some plugins that must not be used any more why, by name.
func whyRevoked(plugins *registry.Registry, installed []registry.Plugin) (map[string]string, error) {
	why := map[string]string{}
	for _, p := range installed {
		err := plugins.Revoked(p.Name)
		if revoked := (*registry.RevokedError)(nil); errors.As(err, &revoked) {
			why[p.Name] = revoked.Error()
		} else if err != nil {
			return nil, err
		}
	}
	return why, nil
}

// printRevoked has a line for each of some plugins that must not be used any more.
func printRevoked(w io.Writer, installed []registry.Plugin, why map[string]string) {
	for _, p := range installed {
		if reason, ok := why[p.Name]; ok {
			fmt.Fprintln(w, reason)
		}
	}
}
