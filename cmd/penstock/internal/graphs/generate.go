package graphs

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/formats/planted"
	"github.com/penstock-db/penstock/formats/sbm"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/store"
)

// Generate is penstock generate.
type Generate struct {
	config   graph500.Options
	blocks   sbm.Options
	planted  planted.Options
	options  instance.LoadOptions
	kind     string
	directed bool
}

func (c *Generate) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "generate GRAPH",
		Short: "Store a synthetic graph (Graph500 RMAT, uniform, a stochastic block model, or ratings)",
		Long: `Store a synthetic graph of 2^scale vertices and edge-factor times as many edges.
The same kind, scale, edge factor and seed give the same graph on every machine.

The stochastic block model, sbm, has something to learn: every node has a class, and
features, a list of numbers that tell its class more or less (--signal); a share of its edges
(--mixing) leads to other classes. With --features the nodes of the other kinds have such a
class and such features as well, which say nothing of their edges.

So do ratings, of which --ratings are made of --items by --users: 3.5, and the product of 16 numbers
of the user with 16 of the item, and noise of deviation 0.5, below which nobody's error gets.`,
		Example: `  penstock generate --db ./db rmat20 --scale 20 --edge-factor 16
  penstock generate --db ./db blocks --kind sbm --scale 12 --classes 5 --signal 0.2
  penstock generate --db ./db tastes --kind ratings --users 100000 --items 20000 --ratings 10000000`,
		Args: cobra.ExactArgs(1),
	}
	flags := cmd.Flags()
	flags.StringVar(&c.kind, "kind", "rmat", "rmat, uniform, sbm or ratings")
	flags.IntVar(&c.config.Scale, "scale", 16, "log2 of the number of vertices")
	flags.IntVar(&c.config.EdgeFactor, "edge-factor", graph500.DefaultEdgeFactor, "edges per vertex")
	flags.Uint64Var(&c.config.Seed, "seed", 1, "seed of the generator")
	flags.BoolVar(&c.config.Weights, "weights", false, "give edges a weight, an integer from 1 to 255")
	flags.IntVar(&c.planted.Users, "users", 10000, "of ratings: how many users there are")
	flags.IntVar(&c.planted.Items, "items", 2000, "of ratings: how many items there are")
	flags.Int64Var(&c.planted.Ratings, "ratings", 1000000, "of ratings: how many there are")
	flags.IntVar(&c.blocks.Classes, "classes", 4, "of sbm, and with --features: how many classes nodes have")
	flags.IntVar(&c.blocks.Features, "features", 0,
		"how many numbers the features of a node have (sbm: 16; others: none, unless this says so)")
	flags.Float64Var(&c.blocks.Mixing, "mixing", 0.2, "of sbm: the share of edges that lead to another class")
	flags.Float64Var(&c.blocks.Signal, "signal", 0.3,
		"of sbm: how far the features of classes lie apart, in deviations of their noise")
	addMemoryFlag(flags, &c.options.Memory)
	flags.Var((*order)(&c.options.Order), "order", orderUsage)
	flags.BoolVar(&c.directed, "directed", false, "take every edge as leading one way (Graph500's lead both ways)")
	flags.BoolVar(&c.options.Replace, "replace", false, "take the place of a graph of this name, in one step")
	app.Offer(cmd, "kind", "rmat", "uniform", "sbm", ratingsKind)
	return cmd
}

func (c *Generate) Run(ctx context.Context, a *app.App, args []string) error {
	options := c.options
	options.Orientation = orientation(c.directed, false)
	source, err := c.source()
	if err != nil {
		return err
	}
	defer source.Close()
	limitMemory(store.LoadOptions{Memory: options.Memory})
	return a.WithDB(instance.Options{}, func(db *instance.DB) error {
		bar := terminal.StartProgress(a.Err, "generate "+args[0])
		options.Progress = bar.Set
		started := time.Now()
		manifest, err := db.Generate(ctx, args[0], source, options)
		bar.Done()
		if err != nil {
			return err
		}
		return printLoaded(a, manifest, time.Since(started))
	})
}

const defaultFeatures = 16 // of sbm

const ratingsKind = "ratings"

// source is the graph that the flags describe.
func (c *Generate) source() (formats.Source, error) {
	config, blocks := c.config, c.blocks
	blocks.Scale, blocks.EdgeFactor, blocks.Seed = config.Scale, config.EdgeFactor, config.Seed
	switch config.Kind = graph500.Kind(c.kind); config.Kind {
	case "sbm":
		blocks.Features = cmp.Or(blocks.Features, defaultFeatures)
		return sbm.New(blocks)
	case ratingsKind:
		c.planted.Seed = config.Seed
		return planted.New(c.planted)
	case graph500.RMAT, graph500.Uniform:
		edges, err := graph500.New(config)
		if err != nil || blocks.Features == 0 {
			return edges, err
		}
		return sbm.Nodes(blocks, edges)
	}
	return nil, cli.UsageError{Err: fmt.Errorf("--kind %s: it is rmat, uniform, sbm or ratings", c.kind)}
}
