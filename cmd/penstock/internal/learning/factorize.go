package learning

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/pages"
)

// Commands are the models that are programs of their own.
func (*Train) Commands() []app.Command { return []app.Command{&factorize{}} }

// factorize is penstock train mf.
type factorize struct {
	on      deviceFlags
	request host.FactorizeRequest
	slack   string
	save    string
	replace bool
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
	c.on.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&c.request.Label, "label", "", "edge `property` that is learned (default rating, or weight)")
	flags.IntVar(&c.request.Rank, "rank", c.request.Rank, "how many factors a vertex has")
	flags.IntVar(&c.request.Epochs, "epochs", c.request.Epochs, "how often it goes along all edges")
	flags.Float64Var(&c.request.Rate, "learning-rate", c.request.Rate, "of the first epoch; it falls to 0")
	flags.Float64Var(&c.request.L2, "l2", c.request.L2, "penalty on the squares of a vertex's numbers, whatever its ratings")
	flags.IntVar(&c.request.Workers, "workers", c.request.Workers, "partitions, each with a thread of its own")
	flags.StringVar(&c.slack, "slack", "0", "batches that a worker may be ahead of the slowest; inf: any number")
	flags.IntVar(&c.request.Batch, "batch", 0, "edges of a partition in a batch (default all)")
	flags.StringVar(&c.request.Split, "split", c.request.Split, "shares of edges for training, validation and test, drawn by --seed")
	flags.Uint64Var(&c.request.Seed, "seed", c.request.Seed, "of all that is random")
	flags.StringVar(&c.save, "save", "", "keep the model in the database, under a `name`")
	flags.BoolVar(&c.replace, "replace", false, "with --save: in the place of a model of that name")
	return cmd
}

func (c *factorize) Run(ctx context.Context, a *app.App, _ []string) error {
	if c.replace && c.save == "" {
		return cli.UsageError{Err: fmt.Errorf("--replace goes with --save")}
	}
	if c.slack == "inf" {
		c.request.Slack = -1
	} else if n, err := strconv.Atoi(c.slack); err != nil || n < 0 {
		return cli.UsageError{Err: fmt.Errorf("--slack %s: give 0 or more batches, or inf", c.slack)}
	} else {
		c.request.Slack = n
	}
	c.request.On = c.on.on()
	pages.BoundHeap()
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		if c.save != "" {
			if err := db.Models().Check(c.save, c.replace); err != nil {
				return err
			}
		}
		learned, err := c.learn(ctx, a, db)
		if err != nil {
			return err
		}
		if c.save != "" {
			learned.Model.Name = c.save
			if err := db.Models().Save(learned.Model, c.replace); err != nil {
				return err
			}
		}
		if a.JSON {
			return a.PrintJSON(summary(learned, c.save, false))
		}
		printTrained(a.Out, learned)
		if c.save != "" {
			fmt.Fprintf(a.Out, "saved as %s\n", c.save)
		}
		return nil
	})
}

// learn trains, with a bar.
func (c *factorize) learn(ctx context.Context, a *app.App, db *instance.DB) (*host.Trained, error) {
	bar := terminal.StartProgress(a.Err, "train")
	defer bar.Done()
	return instance.Factorize(ctx, db, c.on.graph, c.request, host.TrainEvents{Trained: func(e host.TrainingEpoch) {
		bar.Set(int64(e.Number), int64(c.request.Epochs))
	}, Noticed: func(err error) { bar.Say("penstock: " + err.Error()) }})
}
