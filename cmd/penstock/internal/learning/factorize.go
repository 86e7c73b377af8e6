package learning

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/instance"
)

// factorize is penstock train mf.
type factorize struct {
	megaFlags
	request host.FactorizeRequest
}

func (c *factorize) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mf",
		Short: "Factorize ratings: edges from one type of vertices to another",
		Long: `Learn factors and biases of users and items from ratings, which are edges between them: what
a model says of a pair is the mean, a bias of each end and the product of their factors. It is a
MEGA program (docs/mega.md): the graph is cut into --workers partitions, each with a thread of the
plugin's process; one may be --slack batches ahead of the slowest.`,
		Example: `  penstock train mf --db ./db --graph ratings --rank 32 --epochs 20 --workers 2 --slack 1 --save taste`,
		Args:    cobra.NoArgs,
	}
	c.request = host.DefaultFactorization()
	c.add(cmd, &c.request.MegaOptions)
	flags := cmd.Flags()
	flags.StringVar(&c.request.Label, "label", "", "edge `property` that is learned (default rating, or weight)")
	flags.IntVar(&c.request.Rank, "rank", c.request.Rank, "how many factors a vertex has")
	flags.Float64Var(&c.request.Rate, "learning-rate", c.request.Rate, "of the first epoch; it falls to 0")
	flags.Float64Var(&c.request.L2, "l2", c.request.L2, "penalty on the squares of a vertex's numbers, whatever its ratings")
	flags.IntVar(&c.request.Batch, "batch", 0, "edges of a partition in a batch (default all)")
	flags.StringVar(&c.request.Split, "split", c.request.Split, "shares of edges for training, validation and test, drawn by --seed")
	return cmd
}

func (c *factorize) Run(ctx context.Context, a *app.App, _ []string) error {
	if err := c.read(&c.request.MegaOptions); err != nil {
		return err
	}
	return c.run(a, c.request.Epochs, func(db *instance.DB, events host.TrainEvents) (*host.Trained, error) {
		return instance.Factorize(ctx, db, c.on.graph, c.request, events)
	})
}
