package learning

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/instance"
)

// regress is penstock train lr, and penstock train blockpg.
type regress struct {
	name string
	megaFlags
	request host.RegressRequest
}

func (c *regress) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lr",
		Short: "Logistic regression: two classes of samples, from their features",
		Long: `Learn a weight of each feature from samples of two classes, which edges lead from to their
features. What is minimized is the sum of the samples' losses, log(1 + exp(-y w·x)), and --l2
times half of the sum of squares of the weights: --l2 1 is what LIBLINEAR calls -c 1. There is no
bias. It is a MEGA program (docs/mega.md) that goes from sample to sample, by the dual of the problem;
with --l1, from feature to feature. A clock is a block of them, of which an epoch has --blocks.`,
		Example: `  penstock train lr --db ./db --graph a9a --l2 1 --save income`,
		Args:    cobra.NoArgs,
	}
	c.request = host.DefaultRegression(c.name)
	l1 := "penalty on the sum of the weights' sizes, which makes many of them 0"
	if c.name == "blockpg" {
		cmd.Use, cmd.Short = "blockpg", "Sparse logistic regression: as lr, by delayed block proximal gradient"
		cmd.Long = `As train lr, with --l1 times the sum of the sizes of weights in the place of their squares, which
makes the weights of most features 0. It is delayed block proximal gradient: a clock is a block of
features, of which an epoch has --blocks; a worker may be --slack blocks ahead of the slowest.`
		cmd.Example = `  penstock train blockpg --db ./db --graph a9a --l1 1 --blocks 20 --workers 2 --slack 1 --save sparse`
	}
	c.add(cmd, &c.request.MegaOptions)
	flags := cmd.Flags()
	flags.Lookup("slack").Usage = "batches that a worker may be ahead of the slowest" // it is bounded
	flags.StringVar(&c.request.Label, "label", c.request.Label, "`property` of samples that is learned: two classes")
	flags.StringVar(&c.request.Value, "value", "", "edge `property` that says how much a sample has of a feature (default value, or weight, or 1)")
	flags.Float64Var(&c.request.L1, "l1", c.request.L1, l1)
	flags.Float64Var(&c.request.L2, "l2", c.request.L2, "penalty on half of the sum of the weights' squares")
	flags.IntVar(&c.request.Blocks, "blocks", c.request.Blocks, "blocks of an epoch, after each of which workers tell of their changes")
	flags.StringVar(&c.request.Split, "split", c.request.Split, "shares of samples for training, validation and test, drawn by --seed; or a `property` that says which")
	return cmd
}

func (c *regress) Run(ctx context.Context, a *app.App, _ []string) error {
	if err := c.read(&c.request.MegaOptions); err != nil {
		return err
	}
	return c.run(a, c.request.Epochs, func(db *instance.DB, events host.TrainEvents) (*host.Trained, error) {
		return instance.Regress(ctx, db, c.on.graph, c.request, events)
	})
}
