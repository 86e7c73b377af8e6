package graphs

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/store"
)

// Generate is penstock generate.
type Generate struct {
	config   graph500.Options
	options  instance.LoadOptions
	kind     string
	directed bool
}

func (c *Generate) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "generate GRAPH",
		Short: "Store a synthetic graph (Graph500 RMAT or uniform)",
		Long: `Store a synthetic graph of 2^scale vertices and edge-factor times as many edges.
The same kind, scale, edge factor and seed give the same graph on every machine.`,
		Example: "  penstock generate --db ./db rmat20 --scale 20 --edge-factor 16",
		Args:    cobra.ExactArgs(1),
	}
	flags := cmd.Flags()
	flags.StringVar(&c.kind, "kind", "rmat", "rmat or uniform")
	flags.IntVar(&c.config.Scale, "scale", 16, "log2 of the number of vertices")
	flags.IntVar(&c.config.EdgeFactor, "edge-factor", graph500.DefaultEdgeFactor, "edges per vertex")
	flags.Uint64Var(&c.config.Seed, "seed", 1, "seed of the generator")
	flags.BoolVar(&c.config.Weights, "weights", false, "give edges a weight, an integer from 1 to 255")
	addMemoryFlag(flags, &c.options.Memory)
	flags.Var((*order)(&c.options.Order), "order", orderUsage)
	flags.BoolVar(&c.directed, "directed", false, "take every edge as leading one way (Graph500's lead both ways)")
	flags.BoolVar(&c.options.Replace, "replace", false, "take the place of a graph of this name, in one step")
	app.Offer(cmd, "kind", "rmat", "uniform")
	return cmd
}

func (c *Generate) Run(ctx context.Context, a *app.App, args []string) error {
	config, options := c.config, c.options
	config.Kind = graph500.Kind(c.kind)
	options.Orientation = orientation(c.directed, false)
	limitMemory(store.LoadOptions{Memory: options.Memory})
	return a.WithDB(instance.Options{}, func(db *instance.DB) error {
		bar := terminal.StartProgress(a.Err, "generate "+args[0])
		options.Progress = bar.Set
		started := time.Now()
		manifest, err := db.Generate(ctx, args[0], config, options)
		bar.Done()
		if err != nil {
			return err
		}
		return printLoaded(a, manifest, time.Since(started))
	})
}
