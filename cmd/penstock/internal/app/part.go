package app

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/store"
)

// Part are the flags that say which part of a graph is computed on.
type Part struct {
	labels, types []string
	orientation   string
	flags         *pflag.FlagSet
}

// Add makes the flags those of a command.
func (p *Part) Add(cmd *cobra.Command) {
	p.flags = cmd.Flags()
	p.flags.StringSliceVar(&p.labels, "labels", nil,
		"compute on the nodes with one of these `labels` alone, and on what is among them (* is all)")
	p.flags.StringSliceVar(&p.types, "types", nil, "compute on the relationships of these `types` alone (* is all)")
	p.flags.StringVar(&p.orientation, "orientation", "natural",
		"how relationships lead: "+strings.Join(store.Orientations, ", "))
	Offer(cmd, "orientation", store.Orientations...)
}

// Given tells whether one of the flags was.
func (p *Part) Given() bool {
	return p.flags.Changed("labels") || p.flags.Changed("types") || p.flags.Changed("orientation")
}

// Projection is the part.
func (p *Part) Projection() store.Projection {
	of := store.Projection{Labels: p.labels, Types: p.types, Orientation: store.Orientation(p.orientation)}
	for _, names := range []*[]string{&of.Labels, &of.Types} {
		if slices.Contains(*names, "*") {
			*names = nil
		}
	}
	return of
}
