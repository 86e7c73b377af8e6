package compute

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/store"
)

// partFlags say which part of the graph to compute on.
type partFlags struct {
	labels, types []string
	orientation   string
}

func (p *partFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&p.labels, "labels", nil,
		"compute on the nodes with one of these `labels` alone, and on what is among them")
	flags.StringSliceVar(&p.types, "types", nil, "compute on the relationships of these `types` alone")
	flags.StringVar(&p.orientation, "orientation", "natural",
		"how relationships lead: "+strings.Join(store.Orientations, ", "))
	app.Offer(cmd, "orientation", store.Orientations...)
}

func (p *partFlags) projection() store.Projection {
	return store.Projection{Labels: p.labels, Types: p.types, Orientation: store.Orientation(p.orientation)}
}
