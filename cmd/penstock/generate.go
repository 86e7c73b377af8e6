package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/store"
)

func (a *app) generateCommand() *cobra.Command {
	var config graph500.Options
	var options penstock.LoadOptions
	var kind string
	var directed bool
	cmd := &cobra.Command{
		Use:   "generate GRAPH",
		Short: "Store a synthetic graph (Graph500 RMAT or uniform)",
		Long: `Store a synthetic graph of 2^scale vertices and edge-factor times as many edges.
The same kind, scale, edge factor and seed give the same graph on every machine.`,
		Example: "  penstock generate --db ./db rmat20 --scale 20 --edge-factor 16",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			config.Kind = graph500.Kind(kind)
			options.Orientation = orientation(directed, false)
			limitMemory(store.LoadOptions{Memory: options.Memory})
			return a.withDB(penstock.Options{}, func(db *penstock.DB) error {
				bar := newProgress(a.Err, "generate "+args[0])
				options.Progress = bar.set
				started := time.Now()
				manifest, err := db.Generate(cmd.Context(), args[0], config, options)
				bar.done()
				if err != nil {
					return err
				}
				return a.loaded(manifest, time.Since(started))
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&kind, "kind", "rmat", "rmat or uniform")
	flags.IntVar(&config.Scale, "scale", 16, "log2 of the number of vertices")
	flags.IntVar(&config.EdgeFactor, "edge-factor", graph500.DefaultEdgeFactor, "edges per vertex")
	flags.Uint64Var(&config.Seed, "seed", 1, "seed of the generator")
	flags.BoolVar(&config.Weights, "weights", false, "give edges a weight, an integer from 1 to 255")
	addMemoryFlag(flags, &options.Memory)
	flags.Var((*order)(&options.Order), "order", orderUsage)
	flags.BoolVar(&directed, "directed", false, "take every edge as leading one way (Graph500's lead both ways)")
	flags.BoolVar(&options.Replace, "replace", false, "take the place of a graph of this name, in one step")
	return cmd
}
